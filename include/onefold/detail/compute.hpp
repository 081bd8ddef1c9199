// The loops that compute elements by a function of the caller's, from arrays that lie in any way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <ranges>
#include <type_traits>
#include <utility>

#include "onefold/array_view.hpp"
#include "onefold/detail/mapping.hpp"
#include "onefold/shapes.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A range whose elements are found by their number, and which is read through a const reference.
template <class Range>
concept numbered_range =
    std::ranges::random_access_range<const Range> && std::ranges::sized_range<const Range> && !volatile_elements<Range>;

/// What a function takes elements from: a view or what one is made from, or a range with random access.
template <class Array>
concept placeable = with_axes<Array> || numbered_range<std::remove_cvref_t<Array>>;

/// The same, and computed elements; and what is often taken for either, for which a call does not compile and says what
/// to write instead.
template <class Array>
concept function_argument = placeable<Array> || reducible<Array> || mistaken<std::remove_cvref_t<Array>>;

/// The same where axes are named. (Not a C array: a function that the caller defined may be meant.)
template <class Array>
concept axes_function_argument = function_argument<Array> && !std::is_array_v<std::remove_cvref_t<Array>>;

/// Where an array of a function begins, and how it lies. A Place is a pointer or an iterator.
template <class Place>
struct placed {
  Place first;
  mapped_array array;
  mapped_axes axes;
};

/// Stands for where what is not an array begins.
struct no_place {};

/// An array in memory.
template <class T>
mapped_array array_of(const T* data) {
  return {data, sizeof(T), alignof(T), dtype_of<canonical_t<T>>};
}

template <class T>
placed<const T*> place_view(const array_view<T>& view) {
  placed<const T*> p{view.data(), array_of(view.data()), {view.rank(), {}}};
  for (std::size_t i = 0; i < view.rank(); ++i) p.axes.axes[i] = view.axes()[i];
  return p;
}

/// Where an array begins.
template <class Given>
auto place(Given&& given) {
  using Array = std::remove_cvref_t<Given>;
  static_assert(placeable<Array> || !reducible<Array>,
                "onefold: a function takes its elements from arrays: copy those that are selected, or of segments, "
                "groups or pieces, to a std::vector first");
  static_assert(placeable<Array> || reducible<Array>,
                "onefold: a function takes its elements from array_views or what one is made from, and from ranges "
                "with random access; copy those of a std::list to a std::vector first");
  if constexpr (is_array_view<Array>) {
    return place_view(given);
  } else if constexpr (viewable<Array>) {
    return place_view(view_traits<Array>::view(given));  // of a temporary too, which lasts as long as the expression
  } else if constexpr (numbered_range<Array>) {
    const Array& range = given;
    const axis all{static_cast<std::int64_t>(std::ranges::size(range)), 1};
    if constexpr (std::ranges::contiguous_range<const Array>) {
      const auto* const data = std::ranges::data(range);
      return placed<decltype(data + 0)>{data, array_of(data), {1, {all}}};
    } else {
      return placed<std::ranges::iterator_t<const Array>>{std::ranges::begin(range), {}, {1, {all}}};
    }
  } else {
    return placed<no_place>{};
  }
}
template <class Given>
using place_of = decltype(place(std::declval<Given>()).first);

/// Element i of the array that begins at `first`.
template <class Place>
decltype(auto) element_at(const Place& first, std::int64_t i) {
  if constexpr (std::is_same_v<Place, no_place>)
    return 0;
  else if constexpr (std::is_pointer_v<Place>)
    return first[i];
  else
    return *(first + static_cast<std::iter_difference_t<Place>>(i));
}

/// The object whose member f points to: x, what a std::reference_wrapper refers to, or what x points to.
template <class Member, class Whole, class X>
decltype(auto) object_with(Member Whole::*, X&& x) {
  if constexpr (std::is_base_of_v<Whole, std::remove_cvref_t<X>>)
    return std::forward<X>(x);
  else if constexpr (requires { requires std::is_base_of_v<Whole, std::remove_cvref_t<decltype(x.get())>>; })
    return x.get();
  else
    return *std::forward<X>(x);
}

/// f(x...), where f may also point to a member of x, as for std::invoke.
template <class F, class X, class... More>
decltype(auto) call(const F& f, X&& x, More&&... more) {
  if constexpr (std::is_member_function_pointer_v<F>)
    return (object_with(f, std::forward<X>(x)).*f)(std::forward<More>(more)...);
  else if constexpr (std::is_member_object_pointer_v<F>)
    return object_with(f, std::forward<X>(x)).*f;
  else
    return f(std::forward<X>(x), std::forward<More>(more)...);
}

/// What a function returns for elements of arrays; void where it cannot be called with them.
template <class F, class... Places>
struct returned_by {
  using type = void;
};
template <class F, class... Places>
requires std::is_invocable_v<F, decltype(detail::element_at(std::declval<const Places&>(), 0))...>
struct returned_by<F, Places...>
    : std::invoke_result<F, decltype(detail::element_at(std::declval<const Places&>(), 0))...> {
  static constexpr bool callable = true;
};
template <class F, class... Places>
concept calls = returned_by<F, Places...>::callable;

/// Whether it could be called if elements were not const.
template <class F, class... Places>
concept changes_elements =
    !calls<F, Places...> &&
    std::is_invocable_v<F, std::remove_cvref_t<decltype(detail::element_at(std::declval<const Places&>(), 0))>&...>;

/// What a function computes of the elements of arrays, or says why it cannot.
template <class F, class... Places>
struct computed_by {
  static constexpr bool complete = (!std::is_same_v<Places, no_place> && ...);  // else something was said already
  static_assert(!complete || !changes_elements<F&, Places...>,
                "onefold: the function may change the elements, which are const here: make the member function const, "
                "or take elements by value or by a const reference");
  static_assert(!complete || calls<const F&, Places...> || calls<F&, Places...> || changes_elements<F&, Places...>,
                "onefold: the function cannot be called with one element of each array");
  static_assert(!complete || calls<const F&, Places...> || !calls<F&, Places...>,
                "onefold: the function changes itself: several threads call it at once, so that it must be const (a "
                "lambda without `mutable`)");
  using returned = std::remove_cvref_t<typename returned_by<const F&, Places...>::type>;
  static_assert(!calls<const F&, Places...> || !std::is_void_v<returned>,
                "onefold: the function returns void: return an element to reduce");
  static constexpr bool computes = complete && !std::is_void_v<returned>;
  using element =
      std::conditional_t<std::is_same_v<returned, bool>, std::uint8_t, std::conditional_t<computes, returned, float>>;
};

/// Computes n elements; `at` gives the element of an array by its number in the line. Compilers vectorize the inner
/// loop at -O2 too, where they take only loops of a number of rounds that they know.
template <class F, class T, class... At>
void compute_line(const F& f, std::int64_t n, T* __restrict to, const At&... at) {
  constexpr std::int64_t block = 16;
  std::int64_t i = 0;
  for (; i + block <= n; i += block)
    for (std::int64_t j = 0; j < block; ++j) new (to + i + j) T(call(f, at(i + j)...));
  for (; i < n; ++i) new (to + i) T(call(f, at(i)...));
}

/// Computes lines of elements.
template <class F, class T, class... Places, std::size_t... K>
void compute_lines(const F& f, const mapped_lines& which, T* to, std::index_sequence<K...>, const Places&... places) {
  const bool neighbors = ((which.along[K] == 1) && ...);
  for (std::int64_t l = 0; l < which.lines; ++l, to += which.distance) {
    if (neighbors)
      compute_line(f, which.n, to,
                   [&places, first = which.first[K] + l * which.across[K]](std::int64_t i) -> decltype(auto) {
                     return detail::element_at(places, first + i);
                   }...);
    else
      compute_line(f, which.n, to,
                   [&places, first = which.first[K] + l * which.across[K], step = which.along[K]](
                       std::int64_t i) -> decltype(auto) { return detail::element_at(places, first + i * step); }...);
  }
}
template <class F, class T, class... Places>
void compute_lines(const F& f, const mapped_lines& which, T* to, const Places&... places) {
  if constexpr (computed_by<F, Places...>::computes)
    compute_lines(f, which, to, std::index_sequence_for<Places...>{}, places...);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
