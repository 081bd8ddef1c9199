// Scans of whatever can be scanned: cumsum, cumprod, cummin, cummax; of all else they say why not.
#pragma once

#include <concepts>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>

#include "onefold/catalog/extrema.hpp"
#include "onefold/catalog/sums.hpp"
#include "onefold/detail/verb.hpp"
#include "onefold/scan.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// The axis that a scan verb scans along: `0`, or `-1` for the last one. Nothing is not an axis, so that
/// `cumsum(view, {})` takes default options.
class scan_axis {
 public:
  /// An axis.
  constexpr scan_axis(int number) : number_(number) {}
  /// A number with a fraction, which is not an axis.
  template <std::floating_point Number>
  constexpr scan_axis(Number) {
    static_assert(!std::floating_point<Number>, "onefold: an axis is an integer: write cumsum(view, 0)");
  }
  /// The end of a range, which is not an axis: a verb takes a range, not two iterators.
  template <std::input_or_output_iterator Last>
  constexpr scan_axis(Last) {
    static_assert(!std::input_or_output_iterator<Last>,
                  "onefold: a verb takes a range, not a pair of iterators: write cumsum(std::span(first, last))");
  }
  /// Its number.
  constexpr int number() const { return number_; }

 private:
  int number_ = 0;
};

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// What a scan verb scans: a range, a view or what one is made from, and segments.
template <class Data>
concept scannable = reducible<Data> &&(contiguous_elements<Data> || with_axes<Data> || requires(const Data& d) {
  d.values;
  d.offsets;
});

/// The type of a scan verb's results; any will do for what cannot be scanned.
template <class Op, class Data>
struct scan_verb_results {
  using type = int;
};
template <class Op, scannable Data>
struct scan_verb_results<Op, Data> {
  using type = result_array<default_result<typename source_traits<Data>::element_type, Op>>;
};
template <class Op, class Data>
using scan_results = typename scan_verb_results<Op, std::remove_cvref_t<Data>>::type;

/// Says why Data can be reduced, but not scanned.
template <class Data>
struct explained_scan {
  static_assert(
      scannable<Data>,
      "onefold: scans take contiguous ranges, views and segments: copy the elements of a std::deque, selected "
      "elements, or those of each key, to a std::vector first");
};

/// A scan verb's results.
template <class Op, class Data>
scan_results<Op, Data> scanned(const Data& data, std::optional<int> axis, const options& how) {
  if constexpr (scannable<Data>) {
    using T = typename source_traits<Data>::element_type;
    using R = default_result<T, Op>;
    if constexpr (with_axes<Data>) {
      return scan_to_array<T, Op, R>(view_of(data), axis, scan_kind::inclusive, how, Op{});
    } else if constexpr (contiguous_elements<Data>) {
      return scan_to_array<T, Op, R>(line_of<T>({std::data(data), std::size(data)}), axis, scan_kind::inclusive, how,
                                     Op{});
    } else {
      scan_results<Op, Data> out({static_cast<std::int64_t>(data.values.size())});
      scan_segments<T, Op, R>(data, std::span<R>(out.data(), out.size()), scan_kind::inclusive, how, Op{});
      return out;
    }
  } else {
    if constexpr (reducible<Data> || plain_range<Data>)
      static_cast<void>(explained_scan<Data>{});
    else
      static_cast<void>(explained<Data>{});
    return {};
  }
}

/// The same along an axis.
template <class Op, class Data>
scan_results<Op, Data> scanned(const Data& data, scan_axis axis, const options& how) {
  if constexpr (with_axes<Data> || !scannable<Data>) {
    return scanned<Op>(data, std::optional(axis.number()), how);
  } else {
    static_cast<void>(explained_axes<Data>{});
    return scan_results<Op, Data>(extents{});
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The sums of all prefixes of a range, of a view in C order, or of each segment: result i has the bits of `sum` over
/// elements 0 to i, and its type. Throws onefold::error as inclusive_scan does.
template <verb_argument Data>
detail::scan_results<op::sum, Data> cumsum(const Data& data, const options& how = {}) {
  return detail::scanned<op::sum>(data, std::nullopt, how);
}
/// The same of each line along an axis, with the extents of the view.
template <axes_argument Data>
detail::scan_results<op::sum, Data> cumsum(const Data& data, scan_axis axis, const options& how = {}) {
  return detail::scanned<op::sum>(data, axis, how);
}

/// The products of all prefixes, as cumsum.
template <verb_argument Data>
detail::scan_results<op::product, Data> cumprod(const Data& data, const options& how = {}) {
  return detail::scanned<op::product>(data, std::nullopt, how);
}
/// The same of each line along an axis.
template <axes_argument Data>
detail::scan_results<op::product, Data> cumprod(const Data& data, scan_axis axis, const options& how = {}) {
  return detail::scanned<op::product>(data, axis, how);
}

/// The minima of all prefixes, as cumsum; from a NaN on they are NaN.
template <verb_argument Data>
detail::scan_results<op::min, Data> cummin(const Data& data, const options& how = {}) {
  return detail::scanned<op::min>(data, std::nullopt, how);
}
/// The same of each line along an axis.
template <axes_argument Data>
detail::scan_results<op::min, Data> cummin(const Data& data, scan_axis axis, const options& how = {}) {
  return detail::scanned<op::min>(data, axis, how);
}

/// The maxima of all prefixes, as cumsum; from a NaN on they are NaN.
template <verb_argument Data>
detail::scan_results<op::max, Data> cummax(const Data& data, const options& how = {}) {
  return detail::scanned<op::max>(data, std::nullopt, how);
}
/// The same of each line along an axis.
template <axes_argument Data>
detail::scan_results<op::max, Data> cummax(const Data& data, scan_axis axis, const options& how = {}) {
  return detail::scanned<op::max>(data, axis, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
