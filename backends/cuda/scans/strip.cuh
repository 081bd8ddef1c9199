// The prefixes of a strip in the registers of a warp. docs/scan.md.
#pragma once

#include "onefold/detail/cuda/warp_lanes.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A warp's strip: a thread has K neighboring lanes of each row, and of the last row of the strip before.
template <class F, class T>
struct strip_prefixes {
  using L = lane_state<F, T>;
  using lanes_of_warp = warp_lanes<F, T>;
  using stored = typename lanes_of_warp::stored;
  static constexpr int lanes = lanes_of(sizeof(T)), K = lanes / 32;

  const F& f;
  L v[strip_rows + 1][K];  ///< v[0] is the row before the strip

  __device__ explicit strip_prefixes(const F& fold) : f(fold) {}

  /// Each lane's strip so far, of elements in shared memory.
  __device__ __forceinline__ void read(const stored* strip) {
    L run[K];
#pragma unroll
    for (int r = 1; r <= strip_rows; ++r) {
      const auto x = *reinterpret_cast<const neighbors<stored, K>*>(strip + (r - 1) * lanes + lane_id() * K);
#pragma unroll
      for (int c = 0; c < K; ++c) {
        const auto e = lanes_of_warp::element(x.e[c]);
        run[c] = r == 1 ? f.lift(e) : f.push(run[c], e);
        v[r][c] = end_strip(f, run[c]);
      }
    }
  }
  /// For the first strip of a page: before it there is nothing.
  __device__ __forceinline__ void begin() {
#pragma unroll
    for (int c = 0; c < K; ++c) v[0][c] = identity_of<F, lane_value<F, T>>(f);
  }
  /// For a later strip: puts the strips before it in front, of which each lane has the first one, the first and the
  /// second one, and the third one.
  __device__ __forceinline__ void join(int strip, const L* first, const L* half, const L* third) {
    L s[K];
    own(strip == 1 ? first : half, s);
    if (strip == 3) {
      L t[K];
      own(third, t);
      put_in_front(t);
#pragma unroll
      for (int c = 0; c < K; ++c) v[0][c] = f.combine(s[c], t[c]);
    } else {
#pragma unroll
      for (int c = 0; c < K; ++c) v[0][c] = s[c];
    }
    put_in_front(s);
  }
  /// Joins the lanes: v becomes the states of the prefixes, those of the row before only in its last lane.
  __device__ __forceinline__ void halve() {
    across<16>();
    within<K / 2>();
  }

 private:
  __device__ static void own(const L* from, L (&to)[K]) {
    const auto x = *reinterpret_cast<const neighbors<L, K>*>(from + lane_id() * K);
#pragma unroll
    for (int c = 0; c < K; ++c) to[c] = x.e[c];
  }
  __device__ __forceinline__ void put_in_front(const L (&s)[K]) {
#pragma unroll
    for (int r = 1; r <= strip_rows; ++r)
#pragma unroll
      for (int c = 0; c < K; ++c) v[r][c] = f.combine(s[c], v[r][c]);
  }
  __device__ L joined(bool right, const L& earlier, const L& own) const {
    if constexpr (is_symmetric<F, T>)
      return f.combine(earlier, own);
    else
      return f.combine(selected(right, earlier, own), selected(right, own, earlier));
  }
  /// Lanes that are D threads apart. Whose state goes across the end of the warp sends that of the row before.
  template <int D>
  __device__ __forceinline__ void across() {
    if constexpr (D >= 1) {
      const bool goes_on = lane_id() >= 32 - D, right = (lane_id() & D) != 0;
      const int from = (lane_id() - D) & 31;
#pragma unroll
      for (int r = strip_rows; r >= 0; --r)
#pragma unroll
        for (int c = 0; c < K; ++c) {
          const L sent = r > 0 ? selected(goes_on, v[r > 0 ? r - 1 : 0][c], v[r][c]) : v[r][c];
          v[r][c] = joined(right, from_lane(sent, from), v[r][c]);
        }
      across<D / 2>();
    }
  }
  /// Lanes that are W apart, of one thread or of two neighbors.
  template <int W>
  __device__ __forceinline__ void within() {
    if constexpr (W >= 1) {
      const int from = (lane_id() - 1) & 31;
#pragma unroll
      for (int r = strip_rows; r >= 0; --r) {
        L earlier[W];
#pragma unroll
        for (int c = 0; c < W; ++c) {
          const L& own = v[r][K - W + c];
          earlier[c] = from_lane(r > 0 ? selected(lane_id() == 31, v[r > 0 ? r - 1 : 0][K - W + c], own) : own, from);
        }
#pragma unroll
        for (int c = K - 1; c >= W; --c) v[r][c] = joined((c & W) != 0, v[r][c - W], v[r][c]);
#pragma unroll
        for (int c = 0; c < W; ++c) v[r][c] = joined(false, earlier[c], v[r][c]);
      }
      within<W / 2>();
    }
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
