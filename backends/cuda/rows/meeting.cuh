// How the threads of a warp meet: the states of lines, and their largest elements.
#pragma once

#include "onefold/detail/cuda/meet.cuh"
#include "rows/pieces.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Of two states a thread keeps `a`, or `b` with the bit in its lane number, joined with what its partner does not
/// keep: the one without the bit has the left one.
template <class F, class E, class L>
__device__ __forceinline__ L exchanged(const F& f, const L& a, const L& b, int bit) {
  const bool right = lane_id() & bit;
  return meet<E>(f, selected(right, b, a), from_xor(selected(right, a, b), bit), bit, true);
}

/// How the states of a line's threads meet, two by two: in step i those whose lane numbers differ in bit(i) alone.
struct meeting_steps {
  int first, after, count;  ///< bits first, first / 2, ..., 1, and then after, after / 2, ...: `count` in all

  __device__ __forceinline__ int bit(int step) const {
    const int b = first >> step;
    return b > 0 ? b : after >> (step - (32 - __clz(first)));
  }
};

/// The totals of `Held` lines, a power of two, from the states of their threads: while a thread holds several lines, it
/// gives half of them away for half of its partner's. A thread has that of line line_of_thread then; where the fold is
/// not symmetric, of the line's threads with this line only the first.
template <class F, class E, int Held, class L>
__device__ __forceinline__ L totals_of(const F& f, const L (&t)[Held], const meeting_steps& steps, int step = 0) {
  if constexpr (Held == 1) {
    L one = t[0];
#pragma unroll
    for (int i = 0; i < 5; ++i)
      if (step + i < steps.count) one = f.combine(one, from_xor(one, steps.bit(step + i)));
    return one;
  } else {
    constexpr int half = Held / 2;
    L u[half];
#pragma unroll
    for (int i = 0; i < half; ++i) u[i] = exchanged<F, E>(f, t[i], t[half + i], steps.bit(step));
    return totals_of<F, E, half>(f, u, steps, step + 1);
  }
}
/// The bits by which threads then differ that have different lines.
template <int Held>
__device__ __forceinline__ int bits_of_lines(const meeting_steps& steps) {
  int bits = 0;
#pragma unroll
  for (int step = 0; 1 << step < Held; ++step) bits |= steps.bit(step);
  return bits;
}
/// The number of the line that this thread has.
template <int Held>
__device__ __forceinline__ int line_of_thread(const meeting_steps& steps) {
  int line = 0;
#pragma unroll
  for (int step = 0; 1 << step < Held; ++step)
    if (lane_id() & steps.bit(step)) line += Held >> (step + 1);
  return line;
}
/// The first thread that has a line, of the `width` threads of such lines that this one is among.
template <int Held>
__device__ __forceinline__ int thread_of_line(const meeting_steps& steps, int line, int width) {
  int lane = lane_id() & ~(width - 1);
#pragma unroll
  for (int step = 0; 1 << step < Held; ++step)
    if (line & (Held >> (step + 1))) lane |= steps.bit(step);
  return lane;
}

/// The largest element that the `width` threads of a line hold.
template <class Strip>
__device__ __forceinline__ typename Strip::V largest_of(const Strip& x, int width) {
  auto m = x.largest();
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2)
    if (bit < width) m = largest_or_nan(m, from_xor(m, bit));
  return m;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
