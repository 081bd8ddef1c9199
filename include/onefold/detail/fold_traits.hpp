// What a fold offers: its states, the number type of a lane, and its optional functions with their defaults.
#pragma once

#include <type_traits>

#include "onefold/detail/level.hpp"
#include "onefold/order.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

template <class F, class T>
concept folds_packs = requires {
  typename F::template state<T>;
};

template <class F, class T>
struct value_in_fold {
  using type = T;
};
template <class F, class T>
requires requires { typename F::value; }
struct value_in_fold<F, T> {
  using type = typename F::value;
};

/// The number type of one lane.
template <class F, class T>
using lane_value = typename value_in_fold<F, T>::type;

template <class F, class T>
struct lane_state_of {
  using type = typename F::state;
};
template <class F, class T>
requires folds_packs<F, lane_value<F, T>>
struct lane_state_of<F, T> {
  using type = typename F::template state<lane_value<F, T>>;
};
/// The state of one lane.
template <class F, class T>
using lane_state = typename lane_state_of<F, T>::type;

template <class F, class T>
struct tree_state_of {
  using type = lane_state<F, T>;
};
template <class F, class T>
requires requires { typename F::total; }
struct tree_state_of<F, T> {
  using type = typename F::total;
};
/// The state of a page and everything above: the lane's, or the fold's `total`, to which it closes a page's state.
template <class F, class T>
using tree_state = typename tree_state_of<F, T>::type;

template <class F>
inline constexpr bool is_commutative = true;
template <class F>
requires requires { F::commutative; }
inline constexpr bool is_commutative<F> = F::commutative;

/// Whether push adds an element to the state that it is given, and returns nothing. The elements of a page are then
/// pushed into one state, first to last.
template <class F, class T>
concept pushes_in_place = requires(const F& f, lane_state<F, T>& s, const T& x) {
  requires __is_same(decltype(f.push(s, x)), void);
};

/// Whether the fold has a cheaper one, tried first on full pages; and whether it is one whose instructions, one an
/// element, raise the invalid-operation flag for a NaN.
template <class F>
concept has_quick = requires {
  F::quick::trusted;
};
template <class F>
concept flags_nan = requires {
  F::flags_nan;
};

template <class F>
struct kernel_of {
  using type = F;
};
template <class F>
requires requires { typename F::kernel; }
struct kernel_of<F> {
  using type = typename F::kernel;
};
/// The fold without its result: folds of the catalogue that differ in their results only (sum and mean, the variances)
/// share the code of their pages.
template <class F>
using kernel_t = typename kernel_of<F>::type;

template <class F, class T>
struct kernel_element_of {
  using type = T;
};
template <class F, class T>
requires requires { F::of_bits; }
struct kernel_element_of<F, T> {
  using type = typename F::kernel::element;
};
/// The element type over which T's pages are folded: the unsigned one of T's size, with the same code for both, where F
/// says that only the bits count.
template <class F, class T>
using kernel_element = typename kernel_element_of<F, T>::type;

template <class F, class V>
ONEFOLD_INLINE constexpr auto identity_of(const F& f) {
  if constexpr (folds_packs<F, V>)
    return f.template identity<V>();
  else
    return f.identity();
}

/// A strip's state once its last element is in.
template <class F, class S>
ONEFOLD_INLINE constexpr S end_strip(const F& f, const S& s) {
  if constexpr (requires { f.end_strip(s); })
    return f.end_strip(s);
  else
    return s;
}

/// The state of a strip of 8 elements a lane; a fold that counts them need not add up ones.
template <class F, class S>
ONEFOLD_INLINE constexpr S end_full_strip(const F& f, const S& s) {
  if constexpr (requires { f.counted(s, strip_rows); })
    return f.counted(s, strip_rows);
  else
    return end_strip(f, s);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
