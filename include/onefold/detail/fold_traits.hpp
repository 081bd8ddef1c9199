// What a fold offers: its states, the number type of a lane, and its optional functions with their defaults.
#pragma once

#include <type_traits>

#include "onefold/detail/level.hpp"
#include "onefold/operation.hpp"
#include "onefold/order.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The folds of the catalog are derived from this: what only they say of themselves (an element type, a kernel, that
/// they add exactly) is not looked for in a user's operation, which may have members of such names for itself.
struct library_fold {};
template <class F>
concept of_library = __is_base_of(library_fold, F);

template <class F>
concept has_traits = requires {
  requires __is_base_of(fold_traits, typename F::traits);
};

template <class F>
struct traits_of {
  using type = fold_traits;
};
template <has_traits F>
struct traits_of<F> {
  using type = typename F::traits;
};
/// What an operation says of itself, or the defaults.
template <class F>
using traits_t = typename traits_of<F>::type;

template <class F, class T>
concept folds_packs = requires {
  typename F::template state<T>;
};

template <class F, class T>
struct value_in_fold {
  using type = std::conditional_t<__is_same(typename traits_t<F>::value, void), T, typename traits_t<F>::value>;
};
template <of_library F, class T>
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

template <class F>
struct total_of {
  using type = typename traits_t<F>::total;
};
template <of_library F>
requires requires { typename F::total; }
struct total_of<F> {
  using type = typename F::total;
};
/// Whether a page's state is another one than a lane's: the fold's `total`, which `close` returns.
template <class F>
concept has_total = !__is_same(typename total_of<F>::type, void);

template <class F, class T>
struct tree_state_of {
  using type = lane_state<F, T>;
};
template <has_total F, class T>
struct tree_state_of<F, T> {
  using type = typename total_of<F>::type;
};
/// The state of a page and everything above.
template <class F, class T>
using tree_state = typename tree_state_of<F, T>::type;

/// Whether push adds an element to the state that it is given, and returns nothing. The elements of a page are then
/// pushed into one state, first to last.
template <class F, class T>
concept pushes_in_place = requires(const F& f, lane_state<F, T>& s, const T& x) {
  requires __is_same(decltype(f.push(s, x)), void);
};

/// How the elements of a page meet (docs/order.md).
enum class layout {
  packs,      ///< in lanes, of which packs fold several at once
  lanes,      ///< in lanes, one after another
  sequence,   ///< in runs of neighbors, from the first to the last: the operation does not commute
  one_state,  ///< pushed into one state, from the first to the last
};
/// The layout of a fold's pages: decided here alone, for the CPU and for devices.
template <class F, class T>
inline constexpr layout layout_of = pushes_in_place<F, T>              ? layout::one_state
                                    : !traits_t<F>::commutative        ? layout::sequence
                                    : folds_packs<F, lane_value<F, T>> ? layout::packs
                                                                       : layout::lanes;
template <class F, class T>
inline constexpr bool has_lanes = layout_of<F, T> == layout::packs || layout_of<F, T> == layout::lanes;

/// Whether the fold has a cheaper one, tried first on full pages; and whether it is one whose instructions, one an
/// element, raise the invalid-operation flag for a NaN.
template <class F>
concept has_speculative = of_library<F> && requires {
  F::speculative::is_valid;
};
template <class F>
concept flags_nan = of_library<F> && requires {
  F::flags_nan;
};

/// Whether the fold has the same bits in any order of the elements.
template <class F>
inline constexpr bool is_order_free = false;
template <of_library F>
requires requires { F::order_free; }
inline constexpr bool is_order_free<F> = F::order_free;

/// Whether a o b and b o a have the same bits, but for a NaN's payload.
template <class F, class T>
inline constexpr bool is_symmetric = is_order_free<F>;
template <of_library F, class T>
requires(!is_order_free<F> && has_lanes<F, T> &&
         sizeof(lane_state<F, T>) == sizeof(lane_value<F, T>)) inline constexpr bool is_symmetric<F, T> = true;

/// Whether a fold of the catalog is rarely the one whose speed matters. A device then has the general schedules for
/// it alone: those that read straight into registers would double its code.
template <class F>
inline constexpr bool is_rare = false;
template <of_library F>
requires requires { F::rare; }
inline constexpr bool is_rare<F> = F::rare;

/// Whether a fold is a comparison of floating-point numbers an element: with the rules for NaN that takes more
/// registers than a sum.
template <class F>
inline constexpr bool compares_floats = false;
template <of_library F>
requires requires { F::compares_floats; }
inline constexpr bool compares_floats<F> = F::compares_floats;

template <class F>
struct kernel_of {
  using type = F;
};
template <of_library F>
requires requires { typename F::kernel; }
struct kernel_of<F> {
  using type = typename F::kernel;
};
/// The fold without its result: folds of the catalog that differ in their results only (sum and mean, the variances)
/// share the code of their pages.
template <class F>
using kernel_t = typename kernel_of<F>::type;

template <class F, class T>
struct kernel_element_of {
  using type = T;
};
template <of_library F, class T>
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

/// Whether an optional function returns what its contract says.
template <class Returned, class Expected>
concept returns_as = __is_same(std::remove_cvref_t<Returned>, Expected);

/// A strip's state once its last element is in.
template <class F, class S>
ONEFOLD_INLINE constexpr S end_strip(const F& f, const S& s) {
  if constexpr (requires {
                  { f.end_strip(s) } -> returns_as<S>;
                })
    return f.end_strip(s);
  else
    return s;
}

/// The state of a strip of 8 elements a lane; a fold that counts them need not add up ones.
template <class F, class S>
ONEFOLD_INLINE constexpr S end_full_strip(const F& f, const S& s) {
  if constexpr (requires {
                  { f.with_count(s, strip_rows) } -> returns_as<S>;
                })
    return f.with_count(s, strip_rows);
  else
    return end_strip(f, s);
}

/// A lane's state as the tree carries it.
template <class F, class T>
ONEFOLD_INLINE constexpr tree_state<F, T> to_tree(const F& f, const lane_state<F, T>& s) {
  if constexpr (has_total<F>)
    return f.close(s);
  else
    return s;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
