// Operations of a user's own: include this where reduce or plan is called with one.
//
// The folds are compiled here, in the user's file, with the user's instruction set, and run by any backend.
// Compile the file with -ffp-contract=off (the CMake target onefold::custom does), so that a multiplication and an
// addition are not fused on one machine and separate on another.
#pragma once

#include "onefold/detail/make_recipe.hpp"
#include "onefold/reduce.hpp"

namespace onefold::detail {

template <class Op, class T>
struct custom {
  static_assert(std::is_trivially_copyable_v<Op>, "onefold: an operation must be trivially copyable");
  static_assert(
      requires(const Op& op) { identity_of<Op, lane_value<Op, T>>(op); },
      "onefold: an operation needs identity(): the state s with combine(identity(), s) == s");
  using state = tree_state<Op, T>;
  using result = decltype(finished(std::declval<const Op&>(), std::declval<const state&>()));
  static constexpr bool takes_init = can_start<Op, T, result>;
  static constexpr recipe made = make_recipe<Op, T, type_list<result>>("an operation of the caller's own", true);
};

}  // namespace onefold::detail
