// States whose values are packs: their members, and one more element for each lane.
#pragma once

#include "onefold/detail/level.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The members of a state as an array: a pack state is a struct of packs and nothing else.
template <class S, class V>
struct members {
  static constexpr int count = sizeof(S) / sizeof(V);
  static_assert(sizeof(S) == count * sizeof(V), "onefold: a state over V holds values of type V only");
  V m[count];
  ONEFOLD_INLINE static members of(const S& s) { return __builtin_bit_cast(members, s); }
  ONEFOLD_INLINE S state() const { return __builtin_bit_cast(S, *this); }
};

/// The states of lanes with an element more each: pushed, or lifted and combined.
template <class F, class S, class V>
ONEFOLD_INLINE constexpr S push_pack(const F& f, const S& s, const V& x) {
  if constexpr (requires { f.push(s, x); })
    return f.push(s, x);
  else
    return f.combine(s, f.lift(x));
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
