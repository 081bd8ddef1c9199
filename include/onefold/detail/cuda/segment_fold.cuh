// How a warp folds segments that lie in shared memory: short ones by a thread each, longer ones by all threads.
#pragma once

#include "onefold/detail/cuda/segment_by_thread.cuh"
#include "onefold/detail/cuda/segment_by_warp.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How a warp folds segments of up to a strip from shared memory, one for each thread.
template <class F, class T>
struct segment_fold {
  using by_thread = segment_by_thread<F, T>;
  using L = lane_state<F, T>;

  const F& f;

  /// The state of this thread's segment of n elements, of up to a strip, at x[place]; of those without elements one
  /// that is not looked at.
  __device__ __forceinline__ L batch(const T* x, int place, int n, std::uint32_t* list) const {
    const int longest = warp_max(n);
    if (longest <= 0) return L{};
    const by_thread alone{f};
    int limit = by_thread::of_thread;
    if constexpr (by_thread::by_words)  // those that would wait for one bank after all
      if (longest > 31 && __all_sync(whole_warp, n % 16 == 0) &&
          __any_sync(whole_warp, !by_thread::is_aligned(x + place)))
        limit = 31;
    if (longest <= limit) return alone.segment(x + place, n, longest);
    const int own = n <= limit ? n : 0, most = warp_max(own);
    L mine{};
    if (most > 0) mine = alone.segment(x + place, own, most);
    segment_by_warp<F, T>{f}.segments(x, n > limit, place, n, list, mine);
    return mine;
  }

 private:
  __device__ static int warp_max(int x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(whole_warp, x);
#else
#pragma unroll
    for (int bit = 16; bit > 0; bit /= 2) x = max(x, __shfl_xor_sync(whole_warp, x, bit));
    return x;
#endif
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
