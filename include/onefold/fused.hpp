// Several reductions of the same data with one read of memory: fused<op::min, op::max, op::sum>(data).
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "onefold/detail/fused.hpp"
#include "onefold/detail/verb.hpp"
#include "onefold/options.hpp"
#include "onefold/plan.hpp"
#include "onefold/source.hpp"

namespace onefold {
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// A reduction of an array with its own initial value and result.
template <class T, class Op>
struct array_reduction {
  using result = default_result<T, Op>;

  array_reduction(std::int64_t elements, const initial& from) : n(elements), init(initial_value<result, Op>(from)) {}
  fused_part part() {
    return {request_for<T, Op, result>(n, init.has_value()), object_of(op), init ? &*init : nullptr, &value};
  }

  std::int64_t n;
  [[no_unique_address]] Op op = {};
  std::optional<result> init;
  result value{};
};

/// The results of operations over an array, in one pass.
template <class T, class... Ops>
std::tuple<default_result<T, Ops>...> fuse_array(const T* data, std::int64_t n, const options& how) {
  (static_cast<void>(described<T, Ops>{}), ...);
  std::tuple<array_reduction<T, Ops>...> all{array_reduction<T, Ops>(n, how.init)...};
  return std::apply(
      [&](auto&... each) {
        const std::array<fused_part, sizeof...(Ops)> parts{each.part()...};
        run_fused(parts, how, data, nullptr);
        return std::tuple<default_result<T, Ops>...>{each.value...};
      },
      all);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The results of several operations over the same data, in their order: `auto [least, most, total] =
/// fused<op::min, op::max, op::sum>(x)`. Each has the bits of `reduce` with its operation alone, with the same options.
/// On the CPU a contiguous range is read from memory once; operations whose folds are the same, as those of sum and
/// mean or of all variances are, fold once. On a GPU, and of other data than contiguous ranges, the operations run one
/// after the other. Operations of the caller's own (custom.hpp) take part too. Throws onefold::error where one of the
/// operations does, as `reduce` does.
template <class... Ops, verb_argument Data>
std::tuple<result_of<Ops, Data>...> fused(const Data& data, const options& how = {}) {
  static_assert(sizeof...(Ops) > 0, "onefold: name the operations: fused<onefold::op::min, onefold::op::max>(x)");
  if constexpr (contiguous_elements<Data> && !detail::is_complex<typename source_traits<Data>::element_type>)
    return detail::fuse_array<typename source_traits<Data>::element_type, Ops...>(
        std::data(data), static_cast<std::int64_t>(std::size(data)), how);
  else
    return {detail::reduced<Ops>(data, how)...};
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
