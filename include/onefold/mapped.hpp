// What a function returns for the elements of up to three arrays, as elements to reduce: mapped(f, x, y).
//
// They are never stored as a whole (map_reduce.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "onefold/detail/composed.hpp"
#include "onefold/detail/compute.hpp"
#include "onefold/detail/device_map_of.hpp"
#include "onefold/detail/mapping.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// What a function returns for the elements of arrays, which the caller owns. `mapped` makes it; it is reduced as an
/// array is.
template <class F, class... Places>
class mapped_elements {
 public:
  /// The type of what is reduced: what the function returns; std::uint8_t for bool.
  using element_type = typename detail::computed_by<F, Places...>::element;

  /// A function, and arrays with the same extents. Throws as `mapped`.
  mapped_elements(F f, const detail::placed<Places>&... arrays)
      : f_(std::move(f)), places_(arrays.first...), arrays_{arrays.array...}, axes_{arrays.axes...} {
    detail::check_mapped_axes(axes_);
  }

  /// The axes of each array.
  std::span<const detail::mapped_axes> axes() const { return axes_; }
  /// What computes the elements, as long as this object lives.
  mapped_source source() const {
    mapped_source s{this, compute, sizeof(element_type)};
    s.device = {std::addressof(f_), detail::device_map_of<F, element_type, Places...>::value, detail::known_as<F>,
                dtype_of<canonical_t<element_type>>};
    std::copy_n(arrays_, sizeof...(Places), s.arrays);
    return s;
  }

  /// The elements as arguments of another function.
  auto argument() const {
    using returned = typename detail::computed_by<F, Places...>::returned;
    static_assert(std::is_copy_constructible_v<F>,
                  "onefold: a function whose values are the argument of another one is copied: give it what can be "
                  "copied, as a std::shared_ptr");
    if constexpr (!std::is_copy_constructible_v<F>)  // a stand-in
      return detail::computed_argument<detail::inner_function<detail::given_element, returned, 1>, const returned*>{};
    else
      return [this]<std::size_t... I>(std::index_sequence<I...>) {
        return detail::computed_argument<detail::inner_function<F, returned, sizeof...(Places)>, Places...>{
            {f_}, {detail::placed<Places>{std::get<I>(places_), arrays_[I], axes_[I]}...}};
      }
    (std::index_sequence_for<Places...>{});
  }

 private:
  static void compute(const void* self, const mapped_lines& which, void* to) noexcept {
    const auto& what = *static_cast<const mapped_elements*>(self);
    std::apply(
        [&](const Places&... places) {
          detail::compute_lines(what.f_, which, static_cast<element_type*>(to), places...);
        },
        what.places_);
  }

  F f_;
  std::tuple<Places...> places_;
  mapped_array arrays_[sizeof...(Places)];
  detail::mapped_axes axes_[sizeof...(Places)];
};

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// Whether F is not an array, but may be a function of elements.
template <class F>
concept is_function = (std::is_class_v<F> && !function_argument<F> && !std::is_same_v<F, options> &&
                       !std::is_same_v<F, over>) ||
                      std::is_member_pointer_v<F> || std::is_function_v<std::remove_pointer_t<F>>;

/// How many of what is given are arrays.
template <class... Given>
inline constexpr int count_arrays = (0 + ... + static_cast<int>(function_argument<Given>));

/// Arrays and one function of their elements, which stands before or after them; and what is often taken for that, of
/// which `mapped` says what to write instead.
template <class... Given>
concept function_and_arrays = (count_arrays<Given...> + 1 >= static_cast<int>(sizeof...(Given))) &&
                              (... && (function_argument<Given> || is_function<std::remove_cvref_t<Given>>));

/// More arrays than a function takes elements of.
template <class... Given>
concept too_many_arrays = (count_arrays<Given...> > most_mapped_arrays);
template <class... Given>
void refuse_many_arrays() {
  static_assert(!too_many_arrays<Given...>,
                "onefold: a function takes elements of up to three arrays: store what a function returns for two of "
                "them in a std::vector first, or make one array of structs");
}

/// The last of several types.
template <class... Given>
using last_of = typename decltype((std::type_identity<Given>{}, ...))::type;

/// Stands for the computed elements of what does not compile.
using stand_in = mapped_elements<given_element, const double*>;

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The values f(x[i]), f(x[i], y[i]) or f(x[i], y[i], z[i]) of arrays with equal extents, as elements to reduce:
/// `sum(mapped(&order::price, orders))`, `argmax(mapped(f, matrix, weights), 0)`. f is a function object, a lambda, or
/// a pointer to a function or a member, and is copied. Several threads call it at once, through a const reference; it
/// must depend on its arguments alone, and must not throw. Compilers may fuse a multiplication and an addition inside
/// f, and across f and a function that computes its arguments, unless -ffp-contract=off is set. What it returns is the
/// element type of the reduction (bool becomes std::uint8_t). An array is an array_view or what one is made from, or a
/// range with random access, whose elements may be of any type (a vector of structs, a std::deque, std::views::iota),
/// or computed elements, of three arrays at most in all, on CPUs. Arrays are not copied: they must outlive the result,
/// so that temporaries serve only within the expression that reduces it. Throws invalid_argument where extents differ.
template <class F, detail::function_argument... Arrays>
requires(sizeof...(Arrays) > 0 && sizeof...(Arrays) <= most_mapped_arrays) auto mapped(F f, Arrays&&... arrays) {
  if constexpr ((detail::is_mapped<std::remove_cvref_t<Arrays>> || ...))
    return detail::compose(std::move(f), detail::argument_of(std::forward<Arrays>(arrays))...);
  else
    return mapped_elements<F, detail::place_of<Arrays>...>(std::move(f),
                                                           detail::place(std::forward<Arrays>(arrays))...);
}

/// The same with the function last, as in the verbs: `mapped(orders, &order::price)`.
template <detail::function_argument X, detail::is_function F>
auto mapped(X&& x, F f) {
  return onefold::mapped(std::move(f), std::forward<X>(x));
}
/// The same of two arrays.
template <detail::function_argument X, detail::function_argument Y, detail::is_function F>
auto mapped(X&& x, Y&& y, F f) {
  return onefold::mapped(std::move(f), std::forward<X>(x), std::forward<Y>(y));
}
/// The same of three arrays.
template <detail::function_argument X, detail::function_argument Y, detail::function_argument Z, detail::is_function F>
auto mapped(X&& x, Y&& y, Z&& z, F f) {
  return onefold::mapped(std::move(f), std::forward<X>(x), std::forward<Y>(y), std::forward<Z>(z));
}

/// @cond
// Diagnostics for a function between its arrays, and for more than three of them.
template <detail::function_argument X, class... Rest>
requires((detail::is_function<Rest> || ...) &&
         detail::function_argument<detail::last_of<Rest...>>) auto mapped(const X&, const Rest&...) {
  static_assert(!detail::function_argument<X>,
                "onefold: the function stands before its arrays or after them: write mapped(f, x, y) or mapped(x, y, "
                "f)");
  return detail::stand_in{{}, detail::placed<const double*>{}};
}
template <class Given, class... More>
requires detail::too_many_arrays<Given, More...>
auto mapped(const Given&, const More&...) {
  detail::refuse_many_arrays<Given, More...>();
  return detail::stand_in{{}, detail::placed<const double*>{}};
}
/// @endcond

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
