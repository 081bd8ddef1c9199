// What an operation is.
//
// A *fold* is a state and four functions:
//
//   identity()              the neutral state: combine(identity(), s) is s, to the bit
//   lift(element)           the state of one element; or lift(element, index)
//   combine(state, state)   the state of both, left before right; associative up to rounding
//   finish(state)           the result; or finish(state, n); or finish<R>(state, n), rounded to the result type R
//
// and optionally
//
//   push(state, element)    combine(state, lift(element)) where that is cheaper; it is only called on
//                           a state that began with lift. push(state&, element), which returns nothing, adds in
//                           place: then the elements of a page are pushed into one state, first to last
//   start(init)             the state of a caller's initial value; or finish<R>(state, n, init), where the result can
//                           be wider than the state; without either the operation takes none
//   end_strip(state)        the state after each run of at most 8 elements, before it is combined
//   with_count(state, n)    the state, which is that of n elements: for folds over packs that count
//   close(state)            a page's state as another one, `total`, which all above the page have
//   absorbing(state)        whether nothing after the state can change it: combine(state, x) is state, to the bit
//   why_no_result(state, init)  null, or why there is no result: an error
//
// All are pure, do not throw, and may be static or const members. `state` is any trivially copyable type. Where it is a
// template over a number type V, and the functions are too, the fold runs over SIMD packs: see docs/operations.md. All
// else stands in a nested public struct `traits` that is derived from fold_traits. A function counts where it takes
// what is said here, and then it returns what is said here; what else has such a name means nothing.
//
// A user-defined operation is a fold. An operation of the catalog has a fold for each element type and accuracy.
#pragma once

#include <cstdint>

#include "onefold/detail/level.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// What an operation says of itself besides its functions, and what is taken where it does not: an operation has a
/// struct `traits` derived from this, in which some are hidden by its own.
struct fold_traits {
  /// Whether neighboring states may be combined in lanes; false keeps the order of the elements, and costs speed.
  static constexpr bool commutative = true;
  /// The number type of a lane, to which elements are converted; void: the element's own.
  using value = void;
  /// What `close` makes of a page's state; void: pages are combined as they are.
  using total = void;
};

/// An operation of the catalog: a descriptor, which has a name.
template <class Op>
concept cataloged_operation = requires {
  Op::name;
  Op::summary;
  Op::empty_allowed;
};

/// The catalog has Op over elements of type T.
template <class Op, class T>
concept cataloged = cataloged_operation<Op> && element<T> && Op::template accepts<canonical_t<T>>;

namespace detail {

/// The type of a catalog operation's result over elements of type T.
template <class Op, class T>
using element_result = typename Op::template result<canonical_t<T>>;

/// Whether Op over T can return R: its own result type, or another floating-point type where the
/// result is a rounded number. Rounding happens once, from the state.
template <class Op, class T, class R>
inline constexpr bool returns = __is_same(R, element_result<Op, T>) ||
                                (Op::rounded && (__is_same(R, float) || __is_same(R, double) ||
                                                 (is_float<canonical_t<T>> && is_small_float<R>)));

}  // namespace detail
}  // namespace onefold
