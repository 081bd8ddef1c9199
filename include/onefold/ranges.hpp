// Ranges that are not contiguous: sum(x) and other verbs for a std::deque, a std::vector<bool>, std::views::transform
// and other ranges with random access.
//
// Their elements are computed elements (map_reduce.hpp): each result has the bits of `reduce` over a copy of them.
#pragma once

#include <cstdint>
#include <ranges>
#include <span>
#include <type_traits>

#include "onefold/map_reduce.hpp"

namespace onefold {
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// A range with random access whose elements do not lie in memory one after another.
template <class Range>
concept scattered_range =
    numbered_range<Range> && !contiguous_elements<Range> && !viewable<Range> && !looks_like_eigen<Range>;

/// The function whose value is the element.
template <class T>
struct element_itself {
  template <class Given>
  constexpr T operator()(Given&& x) const {
    return static_cast<T>(x);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// Ranges with random access are reduced to one result, on CPUs. Their elements are read by several threads at a time,
/// so reading one must not change what another reads, and must not throw: an exception ends the program.
template <detail::scattered_range Range>
struct source_traits<Range> {
  using element_type = std::ranges::range_value_t<const Range>;
  static constexpr bool has_axes = false;
  template <class R>
  using results = R;

  /// The elements as computed ones.
  static auto elements(const Range& range) { return mapped(detail::element_itself<element_type>{}, range); }
  /// A copy of the elements.
  static auto stored(const Range& range) {
    const auto computed = elements(range);
    return source_traits<std::remove_const_t<decltype(computed)>>::stored(computed);
  }

  template <class Op, class R>
  static R reduce(const Range& range, const options& how, const Op& op, run_report* ran) {
    const auto computed = elements(range);
    R result;
    detail::mapped_problem<element_type>(computed.axes(), over{})
        .reduce(computed.source(), std::span(&result, 1), how, op, ran);
    return result;
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
