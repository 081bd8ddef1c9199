// Exact sums on a device: warps add strips, each in its own way, to the long integers of their block; blocks add those
// to the launch's, and the last one rounds.
#pragma once

#include "exact/outcome.cuh"
#include "exact/powers.cuh"
#include "exact/windows.cuh"

#include <algorithm>

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What an exact launch is told.
template <class T, class Total>
struct exact_arguments {
  const T* data;
  std::int64_t n;
  const std::int64_t* device_n;
  exact_scratch<Total>* scratch;
  destination to;

  __device__ std::int64_t count() const { return device_n ? min(max(*device_n, std::int64_t{0}), n) : n; }
};

/// Blocks of a multiprocessor.
inline constexpr int exact_blocks = 2;

/// Adds `elements` in place of a.data. An Adder has the types `element`, `total` (what the sums are at the end) and
/// `block` (the same in shared memory), its number of `warps` in a block, the `bytes` of shared memory that each has
/// for its strip, and
///
///   add(strip)   adds the elements of a strip, by all threads of the warp
///   finish()     adds to the block's sums what the warp has kept
///
/// and where it `may_bin`, uses_bins(): it takes its next strip in registers instead.
template <class Adder, class T, class Elements>
__device__ __forceinline__ void fold_exact_of(const exact_arguments<T, typename Adder::total>& a,
                                              const Elements& elements, bool aligned) {
  using strip = exact_strip<T>;
  ONEFOLD_DYNAMIC_MEMORY(memory);
  __shared__ typename Adder::block block;
  __shared__ typename Adder::total all;
  block.clear();
  await_stream();
  __syncthreads();

  const std::int64_t n = a.count(), strips = (n + strip::elements - 1) / strip::elements;
  const int warp = static_cast<int>(threadIdx.x / 32);
  const std::int64_t step = std::int64_t{gridDim.x} * Adder::warps;
  uint4* const own = memory + warp * (Adder::bytes / 16);
  const strip current{own + lane_id()};
  exact_load<T> next;
  Adder mine(block, own);
  std::int64_t s = std::int64_t{blockIdx.x} * Adder::warps + warp;
  const auto start_next = [&] {
    if (s < strips) next.start(elements + s * strip::elements, n - s * strip::elements, aligned);
  };
  start_next();
  while (s < strips) {
    s += step;
    if constexpr (Adder::may_bin)
      if (mine.uses_bins()) {
        const exact_load<T> now = next;
        start_next();
        mine.add(now);
        continue;
      }
    current.put(next);
    start_next();
    mine.add(current);
  }
  release_stream();
  mine.finish();
  __syncthreads();

  if (!collect(block, *a.scratch, all)) return;
  write_exact<T>(all, n, a.to, memory);
}

template <class Adder, class T = typename Adder::element>
__global__ void __launch_bounds__(32 * Adder::warps, exact_blocks)
    fold_exact(const __grid_constant__ exact_arguments<T, typename Adder::total> a) {
  fold_exact_of<Adder>(a, stored_elements(a.data), reinterpret_cast<std::uintptr_t>(a.data) % 16 == 0);
}

/// Launches a kernel that takes the arguments of an exact launch, and `more`.
template <class Adder, class... Parameters, class... More>
int launch_exact_by(const device_launch& how, void (*kernel)(Parameters...), const More&... more) {
  using T = typename Adder::element;
  using Total = typename Adder::total;
  const std::int64_t strips = (how.n + exact_strip<T>::elements - 1) / exact_strip<T>::elements;
  const exact_arguments<T, Total> a{static_cast<const T*>(how.data), how.n, how.device_n,
                                    static_cast<exact_scratch<Total>*>(how.slots), destination_of(how)};
  constexpr int warps = Adder::warps, shared = warps * Adder::bytes;
  static_assert(sizeof(exact_room<Total>) <= shared);
  const auto blocks = static_cast<unsigned>(
      std::clamp<std::int64_t>((strips + warps - 1) / warps, 1, std::int64_t{exact_blocks} * how.processors));
  return launch(how, blocks, 32 * warps, shared, kernel, a, more...);
}

/// Calls launch<Adder>() with what adds elements T to Total, an exact sum or exact powers.
template <class Total, class T, class Launch>
int with_exact_adder(const device_launch& how, const Launch& launch) {
  if constexpr (__is_same(Total, superaccumulator))
    return how.in_integers ? launch.template operator()<exact_in_integers<T>>()
                           : launch.template operator()<exact_in_windows<T>>();
  else if constexpr (is_integer<T>)
    return launch.template operator()<powers_of_integers<T>>();
  else
    return how.in_integers ? launch.template operator()<powers_in_integers<T>>()
                           : launch.template operator()<powers_in_windows<T>>();
}

/// Adds n elements T at how.data to Total.
template <class Total, class T>
int launch_exact(const device_launch& how) {
  return with_exact_adder<Total, T>(how, [&]<class Adder>() { return launch_exact_by<Adder>(how, fold_exact<Adder>); });
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
