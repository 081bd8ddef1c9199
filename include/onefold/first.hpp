// The first and the last element of whatever can be reduced, and where they are: first(where(x, mask)), last(x).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "onefold/detail/verb.hpp"
#include "onefold/recipe.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// An element, and its index.
template <class T>
struct indexed_element {
  std::int64_t index;  ///< where it is, counted as the result of argmin is
  T value;             ///< the element
  /// Whether both members are equal.
  friend constexpr bool operator==(const indexed_element&, const indexed_element&) = default;
};

namespace op {

/// The first element and its index, as an indexed_element. Empty: an error.
struct first {};
/// The last element and its index, as an indexed_element. Empty: an error.
struct last {};

}  // namespace op
}  // namespace ONEFOLD_LEVEL
namespace detail {

/// The fold of first, or of last, over elements of 1, 2, 4, 8 or 16 bytes, whose bits alone count.
ONEFOLD_API const recipe& ends_of(std::size_t element_size, bool last);

inline namespace ONEFOLD_LEVEL {

/// Whether the library has the folds of first and last over elements T.
template <class T>
inline constexpr bool has_ends = std::is_trivially_copyable_v<T> &&
                                 (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 ||
                                  sizeof(T) == 16);

/// How first and last are reduced.
template <class T, bool last>
struct ends {
  static constexpr bool complete = has_ends<T> && alignof(T) <= 8 && std::is_default_constructible_v<T>,
                        takes_init = false, gives_index = true;
  using result = indexed_element<std::conditional_t<complete, T, int>>;
  static const recipe& record() { return ends_of(sizeof(T), last); }
  /// Says what it does not take.
  struct described {
    static_assert(has_ends<T>,
                  "onefold: first and last take trivially copyable elements of 1, 2, 4, 8 or 16 bytes: reduce a member "
                  "of each, first(mapped(&order::price, orders)), and use the index");
    static_assert(!has_ends<T> || alignof(T) <= 8,
                  "onefold: first and last take elements that are aligned to 8 bytes at most: reduce a member of each, "
                  "first(mapped(&order::price, orders)), and use the index");
    static_assert(!has_ends<T> || alignof(T) > 8 || complete,
                  "onefold: first and last return an element, which needs a default constructor: reduce a member of "
                  "each, first(mapped(&order::price, orders)), and use the index");
  };
};
template <class T>
struct custom<op::first, T> : ends<T, false> {};
template <class T>
struct custom<op::last, T> : ends<T, true> {};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The first element and its index, as an indexed_element: `first(where(x, mask))` is the first selected one. Of
/// segments and groups there is one for each. An index is counted as argmin counts it: along the reduced axes, in each
/// segment or group, or in the whole array under a mask. Elements are of 1, 2, 4, 8 or 16 bytes; only their bits count,
/// so that a NaN stays as it is. On CPUs. Throws onefold::error as `reduce` does; no elements are an error
/// (empty_input).
template <verb_argument Data>
result_of<op::first, Data> first(const Data& data, const options& how = {}) {
  return detail::reduced<op::first>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::first, Data> first(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::first>(data, axes, how);
}

/// The last element and its index, as first.
template <verb_argument Data>
result_of<op::last, Data> last(const Data& data, const options& how = {}) {
  return detail::reduced<op::last>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
results_over_axes<op::last, Data> last(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::reduced<op::last>(data, axes, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
