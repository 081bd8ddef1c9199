// Several reductions of the same data with one read of memory: fused<op::min, op::max, op::sum>(data).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "onefold/axes.hpp"
#include "onefold/detail/fused.hpp"
#include "onefold/detail/verb.hpp"
#include "onefold/map_reduce.hpp"
#include "onefold/options.hpp"
#include "onefold/plan.hpp"
#include "onefold/ranges.hpp"
#include "onefold/source.hpp"

namespace onefold {
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// Says that a call names no operations.
template <class... Ops>
void require_operations() {
  static_assert(sizeof...(Ops) > 0, "onefold: name the operations: fused<onefold::op::min, onefold::op::max>(x)");
}

/// One of several reductions, with its own initial value and result.
template <class T, class Op>
struct fused_reduction {
  using result = default_result<T, Op>;

  explicit fused_reduction(const initial& from) : init(initial_value<result, Op>(from)) {}
  fused_part part(const request& what) { return {what, object_of(op), init ? &*init : nullptr, &value}; }

  [[no_unique_address]] Op op = {};
  std::optional<result> init;
  result value{};
};

/// The results of operations over elements T, in one pass: `request_of` makes the request of each, and `run` runs the
/// parts.
template <class T, class... Ops, class RequestOf, class Run>
std::tuple<default_result<T, Ops>...> fuse(const options& how, const RequestOf& request_of, const Run& run) {
  (static_cast<void>(described<T, Ops>{}), ...);
  std::tuple<fused_reduction<T, Ops>...> all{fused_reduction<T, Ops>(how.init)...};
  return std::apply(
      [&](auto&... each) {
        const std::array<fused_part, sizeof...(Ops)> parts{each.part(request_of(each))...};
        run(parts);
        return std::tuple<default_result<T, Ops>...>{each.value...};
      },
      all);
}

/// The same over an array.
template <class T, class... Ops>
auto fuse_array(const T* data, std::int64_t n, const options& how) {
  return fuse<T, Ops...>(
      how,
      [&]<class Op>(const fused_reduction<T, Op>& r) {
        return request_for<T, Op, default_result<T, Op>>(n, r.init.has_value());
      },
      [&](const auto& parts) { run_fused(parts, how, data, nullptr); });
}

/// The same over computed elements.
template <class... Ops, class M>
auto fuse_mapped(const M& what, const options& how) {
  using T = typename M::element_type;
  const mapped_problem<T> problem(what.axes(), over{});
  const mapped_source from = what.source();
  return fuse<T, Ops...>(
      how,
      [&]<class Op>(const fused_reduction<T, Op>& r) {
        return problem.template request_for<Op, default_result<T, Op>>(r.init.has_value(), from.device);
      },
      [&](const auto& parts) { run_fused_mapped(parts, how, from, nullptr); });
}

/// A range with random access whose elements, computed one by one, have the same results: not std::vector<bool>, of
/// which they are computed as bytes.
template <class Data>
concept fuses_as_computed = is_scattered<Data> && !std::is_same_v<typename source_traits<Data>::element_type, bool>;

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The results of several operations over the same data, in their order: `auto [least, most, total] = fused<op::min,
/// op::max, op::sum>(x)`. Each has the bits of `reduce` with its operation alone, with the same options. On the CPU a
/// range with random access is read once, and computed elements are computed once; operations whose folds are the same,
/// as those of sum and mean or of all variances are, fold once. On a GPU, and of other data, the operations run one
/// after another. User-defined operations (custom.hpp) take part too. Throws onefold::error where one of the operations
/// does, as `reduce` does.
template <class... Ops, verb_argument Data>
std::tuple<result_of<Ops, Data>...> fused(const Data& data, const options& how = {}) {
  detail::require_operations<Ops...>();
  if constexpr (contiguous_elements<Data> && !detail::is_complex<typename source_traits<Data>::element_type>)
    return detail::fuse_array<typename source_traits<Data>::element_type, Ops...>(
        std::data(data), static_cast<std::int64_t>(std::size(data)), how);
  else if constexpr (detail::is_mapped<Data>)
    return detail::fuse_mapped<Ops...>(data, how);
  else if constexpr (detail::fuses_as_computed<Data>)
    return detail::fuse_mapped<Ops...>(source_traits<Data>::elements(data), how);
  else
    return {detail::reduced<Ops>(data, how)...};
}
/// The same over some axes, one operation after the other: an array of results for each.
template <class... Ops, axes_argument Data>
std::tuple<results_over_axes<Ops, Data>...> fused(const Data& data, const axis_list& axes, const options& how = {}) {
  detail::require_operations<Ops...>();
  return {detail::reduced<Ops>(data, axes, how)...};
}

/// The same of what a function returns for each element: fused<Ops...>(mapped(f, data)).
template <class... Ops, detail::function_argument Data, detail::function_of_elements<Data> F>
auto fused(const Data& data, F f, const options& how = {}) {
  return onefold::fused<Ops...>(mapped(std::move(f), data), how);
}
/// The same over some axes.
template <class... Ops, detail::function_argument Data, detail::function_of_elements<Data> F>
auto fused(const Data& data, F f, const axis_list& axes, const options& how = {}) {
  return onefold::fused<Ops...>(mapped(std::move(f), data), axes, how);
}

/// The same of a list of elements in braces.
template <class... Ops, class T, std::size_t n>
auto fused(const T (&elements)[n], const options& how = {}) {
  return onefold::fused<Ops...>(std::span<const T>(elements), how);
}
/// The same of what a function returns for each.
template <class... Ops, class T, std::size_t n, detail::function_of_elements<T[n]> F>
auto fused(const T (&elements)[n], F f, const options& how = {}) {
  return onefold::fused<Ops...>(mapped(std::move(f), elements), how);
}

/// @cond
// Diagnostic for a list of several types.
template <class... Ops, std::size_t n>
int fused(const detail::any_number (&)[n], const options& = {}) {
  detail::refuse_two_types<(n > 0)>();
  return {};
}
/// @endcond

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
