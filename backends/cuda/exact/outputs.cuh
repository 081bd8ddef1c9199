// Exact sums of many outputs: short ones by a warp each, in a window of its own, others by all of a block.
#pragma once

#include "exact/sums.cuh"
#include "onefold/detail/cuda/outputs.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Whether an Adder's warps can each add up an output in one window, without the sums of a block.
template <class Adder>
inline constexpr bool has_window = false;
template <class T>
inline constexpr bool has_window<exact_in_windows<T>> = true;

/// Where the elements of an output are.
template <class T>
struct exact_output {
  const storage_t<T>* data;
  std::int64_t n, strips;
  bool aligned;

  __device__ exact_output(const device_outputs<T>& a, std::int64_t output) {
    std::int64_t begin = 0;
    n = a.n;
    if (a.segments.offsets) {
      begin = a.segments[output];
      n = a.segments[output + 1] - begin;
    } else {
      begin = a.kept.offset(output);
    }
    strips = (n + exact_strip<T>::elements - 1) / exact_strip<T>::elements;
    data = reinterpret_cast<const storage_t<T>*>(a.data) + begin;
    aligned = reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
  }
  __device__ void start(exact_load<T>& load, std::int64_t strip) const {
    const std::int64_t first = strip * exact_strip<T>::elements;
    load.start(data + first, n - first, aligned);
  }
};

/// Adds up an output by all of a block.
template <class Adder, class T = typename Adder::element>
__device__ void add_up(const device_outputs<T>& a, std::int64_t output, typename Adder::block& block,
                       typename Adder::total& all, uint4* memory) {
  const bool together = a.reduced.count == 0 || (a.reduced.count == 1 && a.reduced.of[0].stride == 1);
  uint4* const own = memory + threadIdx.x / 32 * (Adder::bytes / 16);
  const exact_strip<T> current{own + lane_id()};
  block.clear();
  __syncthreads();
  const exact_output<T> of(a, output);
  Adder mine(block, own);
#pragma unroll 1
  for (std::int64_t s = threadIdx.x / 32; s < of.strips; s += Adder::warps) {
    exact_load<T> now;
    if (together)
      of.start(now, s);
    else
      now.gather([&](std::int64_t i) { return of.data[a.reduced.offset(i)]; }, s * exact_strip<T>::elements, of.n);
    if constexpr (Adder::may_bin)
      if (mine.uses_bins()) {
        mine.add(now);
        continue;
      }
    current.put(now);
    mine.add(current);
  }
  mine.finish();
  __syncthreads();
  collect(block, all);
  destination to = a.to;
  to.out = a.result(output);
  write_exact<T>(all, of.n, to, memory);
  __syncthreads();
}

/// Sums of outputs of few strips, by a warp: each thread keeps that of one, until they are rounded at once.
template <class T>
struct exact_rows {
  using R = element_result<op::sum, T>;
  /// Strips that a window holds.
  static constexpr int most_strips = exact_window<T, 2>::most / exact_strip<T>::count;

  const device_outputs<T>& a;
  uint4* own;  ///< the warp's shared memory

  /// Adds up to 32 outputs; `missed(output)` is called, by one thread, for those that no window holds.
  template <class Missed>
  __device__ void add(std::int64_t first, int count, const Missed& missed) const {
    const exact_strip<T> current{own + lane_id()};
    exact_load<T> next;
    int128 sum = 0;
    int unit = 0;
    bool is_there = false;
    exact_output<T>(a, first).start(next, 0);
#pragma unroll 1
    for (int i = 0; i < count; ++i) {
      const exact_output<T> of(a, first + i);
      exact_window<T, 2> window;
      bool fits = true;
#pragma unroll 1
      for (std::int64_t s = 0; s < of.strips; ++s) {
        __syncwarp();  // the strip before was read
        current.put(next);
        if (s + 1 < of.strips)
          of.start(next, s + 1);
        else if (i + 1 < count)
          exact_output<T>(a, first + i + 1).start(next, 0);
        if (s == 0)  // three binades to spare: the next strips may have larger elements
          window.open(min(__reduce_max_sync(whole_warp, current.largest()), exponent_field<T>::most - 1) +
                      (of.strips > 1 ? 3 : 0));
        fits = fits && window.template add<true>(current);
      }
      const int128 total = fits ? window.sum() : 0;
      if (lane_id() == i) {
        sum = total;
        unit = window.unit();
        is_there = fits;
      }
      if (!fits && lane_id() == 0) missed(first + i);
    }
    if (!is_there) return;
    *static_cast<R*>(a.result(first + lane_id())) = rounded(sum, unit, asks_for_mean<T>(a.to));
  }

 private:
  __device__ R rounded(int128 sum, int unit, bool mean) const {
    long_integer<5, 0> parts{};
#pragma unroll
    for (int i = 0; i < 3; ++i)
      parts.limb[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum >> (32 * i)) & low_word);
    parts.limb[3] = static_cast<std::int64_t>(sum >> 96);
    const magnitude<5, 0> m(parts);
    front f = mean ? quotient_front(m, static_cast<std::uint64_t>(a.n)) : front_of(m);
    f.exponent += unit;
    return round_front<R>(f).value;
  }
};

/// of_warp: how many outputs each warp adds up before the block does those that the warps have missed; 0: the block
/// adds up all, one after the other.
template <class Adder, class T = typename Adder::element>
__global__ void __launch_bounds__(32 * Adder::warps, exact_blocks)
    fold_exact_outputs(const __grid_constant__ device_outputs<T> a, int of_warp) {
  ONEFOLD_DYNAMIC_MEMORY(memory);
  __shared__ typename Adder::block block;
  __shared__ typename Adder::total all;
  __shared__ std::int64_t missed[has_window<Adder> ? 32 * Adder::warps : 1];
  __shared__ int count;
  await_stream();
  const std::int64_t outputs = a.present();
  const std::int64_t of_block = of_warp > 0 ? std::int64_t{of_warp} * Adder::warps : 1;
#pragma unroll 1
  for (std::int64_t first = blockIdx.x * of_block; first < outputs; first += gridDim.x * of_block) {
    if (threadIdx.x == 0) {
      missed[0] = first;
      count = of_warp > 0 ? 0 : 1;
    }
    __syncthreads();
    if constexpr (has_window<Adder>) {
      const int warp = static_cast<int>(threadIdx.x / 32);
      const exact_rows<T> rows{a, memory + warp * (Adder::bytes / 16)};
      const std::int64_t mine = first + warp * of_warp;
      if (of_warp > 0 && mine < outputs)
        rows.add(mine, static_cast<int>(min(outputs - mine, std::int64_t{of_warp})),
                 [&](std::int64_t output) { missed[atomicAdd(&count, 1)] = output; });
      __syncthreads();
    }
#pragma unroll 1
    for (int i = 0; i < count; ++i) add_up<Adder>(a, missed[i], block, all, memory);
    __syncthreads();  // all have seen the count
  }
  release_stream();
}

/// How many outputs a warp adds up by itself; 0: none.
template <class Adder, class T = typename Adder::element>
int outputs_of_warp(const device_outputs<T>& a, std::int64_t blocks) {
  if constexpr (has_window<Adder>) {
    const bool together = a.reduced.count == 0 || (a.reduced.count == 1 && a.reduced.of[0].stride == 1);
    const bool is_short = a.n > 0 && a.n <= std::int64_t{exact_rows<T>::most_strips} * exact_strip<T>::elements;
    if (together && is_short && !a.segments.offsets && a.to.finish && !a.to.has_init)
      return static_cast<int>(std::clamp<std::int64_t>(a.outputs / (blocks * Adder::warps), 1, 32));
  }
  return 0;
}

template <class Total, class T>
int launch_exact_outputs(const device_launch& how, const device_outputs<T>& a) {
  return with_exact_adder<Total, T>(how, [&]<class Adder>() -> int {
    const auto blocks = std::clamp<std::int64_t>(a.outputs, 1, std::int64_t{exact_blocks} * how.processors);
    return launch(how, static_cast<unsigned>(blocks), 32 * Adder::warps, Adder::warps * Adder::bytes,
                  fold_exact_outputs<Adder>, a, outputs_of_warp<Adder>(a, blocks));
  });
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
