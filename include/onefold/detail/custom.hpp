// What an operation lacks, and the recipe of one that lacks nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "onefold/detail/make_recipe.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The first thing that an operation over elements T lacks.
enum class missing_member {
  nothing,
  copies,
  traits,
  state,
  copied_state,
  state_size,
  close,
  optional,
  large_packs,
  lift,
  combine,
  pushed_packs,
  identity,
  finish
};

/// Bytes of the largest state: sizes of a few of them fit into 32 bits.
inline constexpr std::size_t most_bytes_of_a_state = 64 << 20;

/// Bytes of the states of a row over packs, which are on the stack twice or so.
inline constexpr std::size_t most_bytes_of_a_row = 64 << 10;

/// Whether an operation says that it does not commute, or has a struct traits, where that would be overlooked.
template <class Op>
constexpr bool misplaces_traits() {
  if constexpr (requires { requires __is_same(decltype(Op::commutative), const bool); })
    return true;
  else if constexpr (requires { typename Op::traits; })
    return !has_traits<Op>;
  else
    return false;
}

/// Whether a function can be called with such arguments and returns something else than Expected.
template <class Expected, class... Arguments, class Function>
constexpr bool returns_otherwise(Function) {
  if constexpr (std::is_invocable_v<Function, Arguments...>)
    return !returns_as<std::invoke_result_t<Function, Arguments...>, Expected>;
  else
    return false;
}

/// Whether the functions that an operation may have return what their contract says. Those that take something else are
/// no concern of the library's.
template <class Op, class T>
constexpr bool keeps_contract() {
  using L = lane_state<Op, T>;
  using S = tree_state<Op, T>;
  using R = decltype(finished(std::declval<const Op&>(), std::declval<const S&>()));
  const auto absorbing = [](const auto& op, const auto& s) -> decltype(op.absorbing(s)) { return op.absorbing(s); };
  const auto end_strip = [](const auto& op, const auto& s) -> decltype(op.end_strip(s)) { return op.end_strip(s); };
  const auto counted = [](const auto& op, const auto& s) -> decltype(op.with_count(s, 8)) {
    return op.with_count(s, 8);
  };
  const auto start = [](const auto& op, const auto& init) -> decltype(op.start(init)) { return op.start(init); };
  const auto why_no_result = [](const auto& op, const auto& s,
                                const auto* init) -> decltype(op.why_no_result(s, init)) {
    return op.why_no_result(s, init);
  };
  return !returns_otherwise<bool, const Op&, const S&>(absorbing) &&
         !returns_otherwise<L, const Op&, const L&>(end_strip) && !returns_otherwise<L, const Op&, const L&>(counted) &&
         !returns_otherwise<S, const Op&, const R&>(start) &&
         !returns_otherwise<const char*, const Op&, const S&, const R*>(why_no_result);
}

template <class Op, class T>
constexpr missing_member first_missing_member() {
  using V = lane_value<Op, T>;
  if constexpr (!std::is_trivially_copyable_v<Op>) {
    return missing_member::copies;
  } else if constexpr (misplaces_traits<Op>()) {
    return missing_member::traits;
  } else if constexpr (!folds_packs<Op, V> && !requires { typename Op::state; }) {
    return missing_member::state;
  } else {
    using S = lane_state<Op, T>;
    constexpr bool lifts = requires(const Op& op, const V& x) { op.lift(x); }
    || requires(const Op& op, const V& x, std::int64_t i) { op.lift(x, i); };
    constexpr bool combines = requires(const Op& op, const S& s) { op.combine(s, s); };
    constexpr bool starts = requires(const Op& op) { op.identity(); }
    || requires(const Op& op) { op.template identity<V>(); };
    constexpr bool finishes = requires(const Op& op, const tree_state<Op, T>& s) { op.finish(s); }
    || requires(const Op& op, const tree_state<Op, T>& s, std::int64_t n) { op.finish(s, n); };
    constexpr bool packs = folds_packs<Op, V>;
    constexpr bool closes = !has_total<Op> || requires(const Op& op, const S& s, const tree_state<Op, T>& t) {
      { op.close(s) } -> returns_as<tree_state<Op, T>>;
      { op.combine(t, t) } -> returns_as<tree_state<Op, T>>;
    };
    constexpr missing_member found = !std::is_trivially_copyable_v<S>    ? missing_member::copied_state
                                     : sizeof(S) > most_bytes_of_a_state ? missing_member::state_size
                                     : packs && sizeof(S) * lanes_of(sizeof(T)) > most_bytes_of_a_row
                                         ? missing_member::large_packs
                                     : !lifts                          ? missing_member::lift
                                     : !combines                       ? missing_member::combine
                                     : packs && pushes_in_place<Op, T> ? missing_member::pushed_packs
                                     : !starts                         ? missing_member::identity
                                     : !closes                         ? missing_member::close
                                     : !finishes                       ? missing_member::finish
                                                                       : missing_member::nothing;
    if constexpr (found != missing_member::nothing)
      return found;
    else
      return keeps_contract<Op, T>() ? missing_member::nothing : missing_member::optional;
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail

namespace onefold {

/// F is an operation over elements T: what reduce<T, F> and plan<T, F> take. docs/operations.md has its members.
template <class F, class T>
concept fold = (detail::first_missing_member<F, T>() == detail::missing_member::nothing);

}  // namespace onefold

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What a reduction with an operation that lacks nothing is made of.
template <class Op, class T, bool Complete>
struct custom_parts {};
template <class Op, class T>
struct custom_parts<Op, T, true> {
  using result = decltype(finished(std::declval<const Op&>(), std::declval<const tree_state<Op, T>&>()));
  static constexpr bool takes_init = can_start<Op, T, result>;
  static constexpr const recipe& record() { return made; }

 private:
  static constexpr recipe made = make_recipe<Op, T, type_list<result>>("a user-defined operation", true);
};

template <class Op, class T>
struct custom : custom_parts<Op, T, fold<Op, T>> {
  static constexpr missing_member missing = first_missing_member<Op, T>();
  static constexpr bool complete = fold<Op, T>;

  /// Says what it lacks.
  struct described {
    static_assert(missing != missing_member::copies, "onefold: an operation must be trivially copyable");
    static_assert(missing != missing_member::traits,
                  "onefold: an operation's facts belong in its traits: struct traits : onefold::fold_traits { static "
                  "constexpr bool commutative = false; };");
    static_assert(missing != missing_member::close,
                  "onefold: an operation whose traits name a total needs close(state) and combine(total, total): the "
                  "total");
    static_assert(
        missing != missing_member::optional,
        "onefold: an optional function returns what its contract says: absorbing a bool, end_strip and with_count "
        "the state, start the state (the total, where there is one), why_no_result a const char*");
    static_assert(missing != missing_member::state,
                  "onefold: an operation needs state: the type that lift and combine return");
    static_assert(missing != missing_member::copied_state, "onefold: a state must be trivially copyable");
    static_assert(missing != missing_member::state_size,
                  "onefold: a state has at most 64 MiB; keep large data outside and a reference in the operation");
    static_assert(missing != missing_member::large_packs,
                  "onefold: a state over packs is too large: the states of a row (512 bytes of elements) take at most "
                  "64 KiB; write the operation over one number type, where a state may have any size");
    static_assert(
        missing != missing_member::pushed_packs,
        "onefold: push(state&, element), which returns nothing, belongs to an operation over one number type; "
        "over packs push(state, element) returns the state");
    static_assert(missing != missing_member::lift,
                  "onefold: an operation over the element type needs lift(element) or lift(element, index): its state");
    static_assert(missing != missing_member::combine,
                  "onefold: an operation needs combine(state, state): the state of both");
    static_assert(missing != missing_member::identity,
                  "onefold: an operation needs identity(): the state s with combine(identity(), s) == s");
    static_assert(missing != missing_member::finish,
                  "onefold: an operation needs finish(state) or finish(state, n): the result");
  };
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
