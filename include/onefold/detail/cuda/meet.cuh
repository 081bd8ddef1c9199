// How the states of two threads meet.
#pragma once

#include "onefold/detail/cuda/words.cuh"
#include "onefold/detail/finish.hpp"
#include "onefold/detail/pack.hpp"
#include "onefold/detail/scalar_page.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// a o b, where the thread's own state is the left one unless `right`; b's lane is missing where `there` is false: then
/// the left one stays.
template <class T, class F, class L>
__device__ __forceinline__ L joined_as(const F& f, const L& mine, const L& its, bool right, bool there) {
  const L left = selected(right, its, mine);
  if constexpr (is_symmetric<F, T>)
    return selected(there, f.combine(mine, its), left);
  else
    return selected(there, f.combine(left, selected(right, mine, its)), left);
}
/// The same, where the thread whose lane number has the other `bit` holds `its`: the one without it is the left one.
template <class T, class F, class L>
__device__ __forceinline__ L meet(const F& f, const L& mine, const L& its, int bit, bool there) {
  return joined_as<T>(f, mine, its, (lane_id() & bit) != 0, there);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
