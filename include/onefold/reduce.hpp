// Reductions of arrays: reduce<T, Op>, plan, the verbs (sum, min, ...), and the forms that report what ran and that do
// not throw. Other headers make views, segments, values by key and selected elements arguments of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

#include "onefold/detail/combining.hpp"
#include "onefold/error.hpp"
#include "onefold/plan.hpp"
#include "onefold/report.hpp"
#include "onefold/source.hpp"
#include "onefold/verbs/extrema.hpp"
#include "onefold/verbs/forms.hpp"
#include "onefold/verbs/logic.hpp"
#include "onefold/verbs/moments.hpp"
#include "onefold/verbs/sums.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// Reduces data[0 .. n) with operation Op: `reduce<float, op::sum>(data, n)`, or to another result type:
/// `reduce<float, op::sum, double>(data, n)`. Throws as plan's constructor and call do.
template <class T, class Op, class R = default_result<T, Op>>
R reduce(const T* data, std::int64_t n, const options& how = {}, Op op = {}) {
  return detail::reduce_array<T, Op, R>(data, n, how, op, nullptr);
}
/// The same of a contiguous range: `reduce<float, op::sum>(x)`.
template <class T, class Op, class R = default_result<T, Op>>
R reduce(std::span<const std::type_identity_t<T>> data, const options& how = {}, Op op = {}) {
  return detail::reduce_array<T, Op, R>(data.data(), static_cast<std::int64_t>(data.size()), how, op, nullptr);
}

/// Reduces with a function of two values, which need not be an operation: `reduce(x, 1.0, [](double a, double b) {
/// return a * b; })`, of whatever can be reduced. The result is combine(init, x[0] o x[1] o ...), with elements
/// converted to T, and init where there are none; of segments and groups there is one for each. The function must be
/// associative, but need not commute: elements keep their order, and are grouped as docs/order.md says of operations
/// that do not commute, so that the bits are the same on all CPU backends. It is called by several threads through a
/// const reference, and must be trivially copyable, as T must. It is a user-defined operation: files that call this
/// include <onefold/custom.hpp>. Throws onefold::error as reduce does with one.
template <verb_argument Data, class T, class Combine>
requires(std::is_invocable_v<const Combine&, const T&, const T&>) auto reduce(const Data& data, T init, Combine combine,
                                                                              const options& how = {}) {
  if constexpr (!reducible<Data>) {
    static_cast<void>(detail::explained<Data>{});
  } else if constexpr (detail::explained_combining<T, typename source_traits<Data>::element_type>::complete) {
    using Op = detail::combining<T, Combine>;
    static_cast<void>(detail::described<typename source_traits<Data>::element_type, Op>{});
    return source_traits<Data>::template reduce<Op, T>(data, how, Op{init, combine}, nullptr);
  }
}

/// The same of a list of elements in braces: `reduce({2.0, 3.0}, 1.0, std::multiplies<>{})`.
template <class X, std::size_t n, class T, class Combine>
auto reduce(const X (&elements)[n], T init, Combine combine, const options& how = {}) {
  return onefold::reduce(std::span<const X>(elements), std::move(init), std::move(combine), how);
}

/// @cond
// Diagnostics for an initial value without a function, or a function without an initial value; for other functions and
// another order; and for iterators and axes.
template <class T, class Op, class R = void, std::input_or_output_iterator First>
int reduce(First, const detail::range_end&, const options& = {}, Op = {}) {
  static_assert(
      !std::input_or_output_iterator<First>,
      "onefold: reduce takes a range, not a pair of iterators: write reduce<double, op::sum>(std::span(first, "
      "last)), or sum(std::ranges::subrange(first, last)) where they are not contiguous");
  return {};
}
template <axes_argument Data>
int reduce(const Data&, const detail::anything&, const options& = {}) {
  static_assert(!axes_argument<Data>,
                "onefold: reduce takes an initial value and a function of two: write reduce(x, 0.0, f), or sum(x, "
                "{.init = 0.0})");
  return {};
}
template <axes_argument Data>
int reduce(const Data&, const detail::anything&, const detail::anything&, const options& = {}) {
  static_assert(!axes_argument<Data>,
                "onefold: reduce takes an initial value, and then a function that combines two values of its type, "
                "changes neither, and is const: write reduce(x, 0.0, f), and of elements of another type reduce what a "
                "function or a member returns, reduce(mapped(&order::price, orders), 0.0, f)");
  return {};
}
template <axes_argument Data>
int reduce(const Data&, const detail::anything&, const detail::anything&, const detail::anything&,
           const options& = {}) {
  static_assert(!axes_argument<Data>,
                "onefold: reduce with a function takes a range, not two iterators, and has no axes: write "
                "reduce(std::span(first, last), 0.0, f), and along axes reduce<double, operation>(view, {.axes = 0}) "
                "with a user-defined operation");
  return {};
}
/// @endcond

/// As reduce, and says what ran: `reduce_reported<float, op::sum>(data)`, of whatever can be reduced.
template <class T, class Op, class R = default_result<T, Op>, reducible_elements<T> Data = std::span<const T>>
reported<results_from<Data, R>> reduce_reported(const Data& data, const options& how = {}, Op op = {}) {
  static_cast<void>(detail::described<T, Op>{});
  run_report ran;
  auto results = source_traits<Data>::template reduce<Op, R>(data, how, op, &ran);
  return {std::move(results), std::move(ran)};
}
/// The same over some axes: `reduce_reported<float, op::sum>(view, {.axes = {0}})`.
template <class T, class Op, class R = default_result<T, Op>, reducible_axes<T> Data>
reported<result_array<R>> reduce_reported(const Data& data, const over& along, const options& how = {}, Op op = {}) {
  static_cast<void>(detail::described<T, Op>{});
  run_report ran;
  auto results = source_traits<Data>::template reduce<Op, R>(data, along, how, op, &ran);
  return {std::move(results), std::move(ran)};
}

/// As reduce, without exceptions: a result, or the error; of whatever can be reduced. (Only std::bad_alloc ends the
/// program.)
template <class T, class Op, class R = default_result<T, Op>, reducible_elements<T> Data = std::span<const T>>
expected<results_from<Data, R>> try_reduce(const Data& data, const options& how = {}, Op op = {}) noexcept {
  static_cast<void>(detail::described<T, Op>{});
  try {
    return source_traits<Data>::template reduce<Op, R>(data, how, op, nullptr);
  } catch (const error& e) {
    return e;
  }
}
/// The same over some axes: `try_reduce<float, op::sum>(view, {.axes = {0}})`.
template <class T, class Op, class R = default_result<T, Op>, reducible_axes<T> Data>
expected<result_array<R>> try_reduce(const Data& data, const over& along, const options& how = {},
                                     Op op = {}) noexcept {
  static_cast<void>(detail::described<T, Op>{});
  try {
    return source_traits<Data>::template reduce<Op, R>(data, along, how, op, nullptr);
  } catch (const error& e) {
    return e;
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
