// Strips of arrays at any address, read by aligned words: instead of the elements, the lanes move.
//
// Words are read in rows that begin at multiples of 128 bytes, `turned` elements before those of the array. So a
// thread's words belong to the same lanes in every row: what is number q of such a row is of lane q - turned. Where
// that is negative, the lane is one of the last, and its element of a row comes one row later: such a lane is *late*.
#pragma once

#include "arrays/direct.cuh"
#include "arrays/speculative_pick.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How many elements after a multiple of 128 bytes an array begins.
template <class T>
__device__ int turned_by(const T* data) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(data) % 128 / sizeof(T));
}

/// A thread's part of a strip. Lane j is where lane j + turned of an aligned strip would be.
template <class F, class T>
struct turned_strip {
  using page = warp_lanes<F, T>;
  using words = word_fold<F, T>;
  using word = typename words::word;
  using L = lane_state<F, T>;
  static constexpr int K = page::K, lanes = page::lanes, rows = strip_rows + 1;
  static_assert(K == words::K);

  const F& f;
  const T* p;  ///< the thread's word of the first row
  int at;      ///< the number of its first element in the strip

  __device__ turned_strip(const F& fold, const T* strip, int turned)
      : f(fold), p(strip + K * lane_id() - turned), at(K * lane_id() - turned) {}

  __device__ static const char* bytes(const T* at) { return reinterpret_cast<const char*>(at); }
  __device__ static auto element(const word& x, int c) { return page::element(x.part(c)); }

  /// The states of a full strip, from the rows and what `push` is to fold with.
  template <class Push>
  __device__ __forceinline__ L whole_lane(const word (&x)[rows], int c, const Push& push) const {
    const bool late = at + c < 0;
    L s = f.lift(element(x[0], c));
    s = selected(late, L(f.lift(element(x[1], c))), L(push(s, element(x[1], c))));
#pragma unroll
    for (int r = 2; r < strip_rows; ++r) s = push(s, element(x[r], c));
    return selected(late, L(push(s, element(x[strip_rows], c))), s);
  }

  /// A full strip in the midst of the array: `turned` elements precede it, and K - 1 follow.
  __device__ __forceinline__ typename page::states whole() const {
    word x[rows];
    if (at > -K) x[0] = word::load(bytes(p));
#pragma unroll
    for (int r = 1; r < strip_rows; ++r) x[r] = word::load(bytes(p + r * lanes));
    if (at < 0) x[strip_rows] = word::load(bytes(p + strip_rows * lanes));
    typename page::states t;
    if constexpr (speculative_pick<F>::exists) {
      std::uint32_t largest = 0;
      bool is_valid = true;
#pragma unroll
      for (int c = 0; c < K; ++c) {
        t.s[c] = whole_lane(x, c, speculative_pick<F>::push);
#pragma unroll
        for (int r = 0; r < rows; ++r) {
          const bool counts = r == 0 ? at + c >= 0 : r < strip_rows || at + c < 0;
          largest = max(largest, counts ? speculative_pick<F>::size(element(x[r], c)) : 0);
        }
      }
#pragma unroll
      for (int c = 0; c < K; ++c) is_valid &= speculative_pick<F>::is_valid(t.s[c], largest);
      if (is_valid) [[likely]]
        return t;
    }
#pragma unroll
    for (int c = 0; c < K; ++c)
      t.s[c] = end_full_strip(f, whole_lane(x, c, [&](const L& s, auto y) { return L(f.push(s, y)); }));
    return t;
  }

  /// As whole() where an end of the array is near: `left` elements begin at the strip's first, which is the array's
  /// if `head`.
  __device__ __forceinline__ typename page::states part(bool head, int left) const {
    const int end = left - at;  // counted from p, as i
    const auto exists = [&](int i) { return i < end && (!head || at + i >= 0); };
    word x[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r)
      if (exists(r * lanes) && exists(r * lanes + K - 1) && (r < strip_rows || at < 0))
        x[r] = word::load(bytes(p + r * lanes));
    // Of the words that one of the ends cuts, a thread has at most these two.
    const word_places how{bytes(head ? p - at : p), bytes(p + end), true, true};
    const words edges{f, how};
    const int cut = end & (lanes - 1), row = (end - cut) / lanes;
    if (cut < K && cut > 0 && row >= 0 && row < rows) {
      const word y = edges.edge(bytes(p + row * lanes));
#pragma unroll
      for (int r = 0; r < rows; ++r) x[r] = words::pick(r == row, y, x[r]);
    }
    if (head && at < 0 && at > -K) x[0] = edges.edge(bytes(p));
    typename page::states t;
#pragma unroll
    for (int c = 0; c < K; ++c) {
      const bool late = at + c < 0;
      L s = f.template identity<typename page::value>();
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const auto y = element(x[r], c);
        const bool here = r * lanes + c < end && (r == 0 ? !late : r < strip_rows || late);
        if (r == 0)
          s = selected(here, L(f.lift(y)), s);
        else if (r == 1)
          s = selected(here, selected(late, L(f.lift(y)), L(f.push(s, y))), s);
        else
          s = selected(here, L(f.push(s, y)), s);
      }
      t.s[c] = selected(c + (late ? lanes : 0) < end, L(end_strip(f, s)), s);
    }
    return t;
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
