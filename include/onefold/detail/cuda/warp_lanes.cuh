// Folds pages of numbers by one warp: a thread loads neighbors at once and keeps a state for each (page.cuh).
#pragma once

#include <bit>

#include "onefold/detail/cuda/words.cuh"
#include "onefold/detail/finish.hpp"
#include "onefold/detail/pack.hpp"
#include "onefold/detail/scalar_page.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

// Where a page's elements come from: a pointer to them as stored; or a source, which computes them (map_fold.cuh).

/// Where warp_lanes finds the elements of a page.
template <class T>
__device__ const storage_t<T>* stored_elements(const T* x) {
  return reinterpret_cast<const storage_t<T>*>(x);
}
template <class Source>
__device__ const Source& stored_elements(const Source& x) {
  return x;
}

/// Element i, as stored.
template <class Stored>
__device__ Stored stored_at(const Stored* p, int i) {
  return p[i];
}
template <class Source>
__device__ auto stored_at(const Source& x, int i) {
  return __builtin_bit_cast(typename Source::stored, x[i]);
}

/// Elements i to i + K.
template <int K, class Stored>
__device__ neighbors<Stored, K> neighbors_at(const Stored* p, int i) {
  return neighbors<Stored, K>::load(p + i);
}
template <int K, class Source>
__device__ auto neighbors_at(const Source& x, int i) {
  return x.template neighbors_at<K>(i);
}

/// A fold of one comparison an element, that is right unless a NaN takes part or the extreme is a zero of unknown sign:
/// where it exists, it is tried first.
template <class F>
struct speculative_pick {
  static constexpr bool exists = false;
};

/// A state; where it is known (Known) to be that of this many elements, a fold that counts need not carry their number.
template <bool Known, class F, class L>
__device__ L known_count(const F& f, const L& s, int elements) {
  if constexpr (Known && requires {
                  { f.with_count(s, elements) } -> returns_as<L>;
                })
    return f.with_count(s, elements);
  else
    return s;
}

/// Folds over lanes of numbers: a thread loads K neighbors at once and keeps a state for each.
template <class F, class T>
struct warp_lanes {
  using stored = storage_t<T>;
  using value = lane_value<F, T>;
  using L = lane_state<F, T>;
  using S = tree_state<F, T>;
  static constexpr int lanes = lanes_of(sizeof(T));
  static constexpr int strip = strip_rows * lanes;  ///< elements of a strip

  // 16 bytes a load, fewer where the states of this many elements would not fit the registers: 64 bytes of them, or 128
  // where a row is then loaded at once.
  static constexpr int most = 16 / static_cast<int>(sizeof(T));
  static constexpr int by_state = static_cast<int>(std::bit_floor(64 / sizeof(L)));
  static constexpr int K = by_state >= most ? most : by_state;
  static constexpr int groups = lanes / (32 * K);  ///< a row is loaded in this many parts
  static_assert(groups >= 1 && groups * 32 * K == lanes);

  struct states {
    L s[K];
  };

  /// An element as lift and push take it.
  __device__ static std::conditional_t<folds_packs<F, value>, value, T> element(stored x) {
    if constexpr (!folds_packs<F, value>) {
      return __builtin_bit_cast(T, x);
    } else if constexpr (of_library<F> && requires { F::template project<value>(x); }) {
      return F::template project<value>(x);
    } else if constexpr (__is_same(T, f16)) {
      return float_from_half(x);
    } else {
      return widen<value, T>(x);
    }
  }

  /// One strip of one group; p is this thread's first element of it.
  template <class Elements>
  __device__ static states whole_strip(const F& f, const Elements& p) {
    neighbors<stored, K> x[strip_rows];
#pragma unroll
    for (int r = 0; r < strip_rows; ++r) x[r] = neighbors_at<K>(p, r * lanes);
    states t;
    if constexpr (speculative_pick<F>::exists) {
      std::uint32_t largest = 0;
      bool is_valid = true;
#pragma unroll
      for (int c = 0; c < K; ++c) {
        t.s[c] = f.lift(x[0].e[c]);
#pragma unroll
        for (int r = 0; r < strip_rows; ++r) {
          if (r > 0) t.s[c] = speculative_pick<F>::push(t.s[c], x[r].e[c]);
          largest = max(largest, speculative_pick<F>::size(x[r].e[c]));
        }
      }
#pragma unroll
      for (int c = 0; c < K; ++c) is_valid &= speculative_pick<F>::is_valid(t.s[c], largest);
      if (is_valid) [[likely]]
        return t;
    }
#pragma unroll
    for (int c = 0; c < K; ++c) {
      t.s[c] = f.lift(element(x[0].e[c]));
#pragma unroll
      for (int r = 1; r < strip_rows; ++r) t.s[c] = push_at(f, t.s[c], element(x[r].e[c]), 0);
      t.s[c] = end_full_strip(f, t.s[c]);
    }
    return t;
  }

  /// As whole_strip where `left` elements begin at p, fewer than the strip's; aligned: rows may be loaded whole.
  template <class Elements>
  __device__ static states part_strip(const F& f, const Elements& p, int left, bool aligned) {
    const int rows = left < K ? 0 : min(strip_rows, (left - K) / lanes + 1);  // where all neighbors are there
    states t;
#pragma unroll
    for (int c = 0; c < K; ++c) t.s[c] = f.template identity<value>();
    int r = 0;
    if (aligned) {
      neighbors<stored, K> x[strip_rows];
#pragma unroll
      for (int i = 0; i < strip_rows; ++i)
        if (i < rows) x[i] = neighbors_at<K>(p, i * lanes);
#pragma unroll
      for (int i = 0; i < strip_rows; ++i)
        if (i < rows)
#pragma unroll
          for (int c = 0; c < K; ++c) t.s[c] = i == 0 ? f.lift(element(x[0].e[c])) : f.push(t.s[c], element(x[i].e[c]));
      r = rows;
    }
#pragma unroll 1
    for (; r < strip_rows && r * lanes < left; ++r) {
#pragma unroll
      for (int c = 0; c < K; ++c)
        if (r * lanes + c < left) {
          const value x = element(stored_at(p, r * lanes + c));
          t.s[c] = r == 0 ? f.lift(x) : f.push(t.s[c], x);
        }
    }
#pragma unroll
    for (int c = 0; c < K; ++c)
      if (c < left) t.s[c] = end_strip(f, t.s[c]);
    return t;
  }

  /// Where this thread's first element of strip `s` of group `g` stands in the page.
  __device__ static int place(int s, int g) { return s * strip + g * 32 * K + lane_id() * K; }

  __device__ static states both(const F& f, const states& a, const states& b) {
    states r;
#pragma unroll
    for (int c = 0; c < K; ++c) r.s[c] = f.combine(a.s[c], b.s[c]);
    return r;
  }

  /// The four strips of group g.
  template <class Elements>
  __device__ static states whole_column(const F& f, const Elements& data, int g) {
    const states a = whole_strip(f, data + place(0, g));
    const states b = both(f, a, whole_strip(f, data + place(1, g)));
    const states c = whole_strip(f, data + place(2, g));
    return both(f, b, both(f, c, whole_strip(f, data + place(3, g))));
  }
  template <class Elements>
  __device__ static states part_column(const F& f, const Elements& data, int g, int count, bool aligned) {
    states a, b;
#pragma unroll 1
    for (int s = 0; s < page_strips; ++s) {
      const states t = part_strip(f, data + place(s, g), count - place(s, g), aligned);
      if (s == 0)
        a = t;
      else if (s == 2)
        b = t;
      else if (s == 1)
        a = both(f, a, t);
      else
        a = both(f, a, both(f, b, t));
    }
    return a;
  }

  /// Group g once W groups are left; `column` folds one.
  template <int W, class Column>
  __device__ static states group(const F& f, int g, const Column& column) {
    if constexpr (W == groups) {
      return column(g);
    } else {
      const states a = group<2 * W>(f, g, column);
      return both(f, a, group<2 * W>(f, g + W, column));
    }
  }

  /// a o b, where this thread has `mine` and its partner, whose lane number has the other `bit`, `its`.
  __device__ static L ordered(const F& f, const L& mine, const L& its, int bit) {
    const bool right = lane_id() & bit;
    return f.combine(selected(right, its, mine), selected(right, mine, its));
  }

  /// The total of 32 K lanes, lane j by lane j + half. At first a thread gives half of its lanes away for half of its
  /// partner's, until it holds one.
  template <bool Whole, int Held>
  __device__ static L halve(const F& f, const L (&s)[Held]) {
    if constexpr (Held == 1) {
      L t = s[0];
      int elements = page_rows * groups * K;
      const auto with = [&](int bit) {
        t = ordered(f, t, known_count<Whole>(f, from_xor(t, bit), elements), bit);
        elements *= 2;
      };
#pragma unroll
      for (int bit = 16 / K; bit > 0; bit /= 2) with(bit);
#pragma unroll
      for (int bit = 16; bit > 16 / K; bit /= 2) with(bit);
      return t;
    } else {
      constexpr int half = Held / 2, bit = 16 * Held / K;
      const bool right = lane_id() & bit;
      L t[half];
#pragma unroll
      for (int c = 0; c < half; ++c) {
        const L keep = selected(right, s[half + c], s[c]), give = selected(right, s[c], s[half + c]);
        const L other = known_count<Whole>(f, from_xor(give, bit), page_rows * groups * K / Held);
        t[c] = ordered(f, keep, other, bit);
      }
      return halve<Whole, half>(f, t);
    }
  }

  // Not inlined: at most one page of an aligned array is partly filled.
  template <class Elements>
  __device__ __noinline__ static S part_page(const F& f, const Elements& p, int count, bool aligned) {
    const states t = group<1>(f, 0, [&](int g) { return part_column(f, p, g, count, aligned); });
    return to_tree<F, T>(f, halve<false, K>(f, t.s));
  }

  /// A full page.
  template <class Elements>
  __device__ static S whole_page(const F& f, const Elements& p) {
    const states t = group<1>(f, 0, [&](int g) { return whole_column(f, p, g); });
    return to_tree<F, T>(f, halve<true, K>(f, t.s));
  }

  const F& f;
  __device__ explicit warp_lanes(const F& fold) : f(fold) {}

  template <class Elements>
  __device__ S fold(const Elements& data, int count, std::int64_t, bool aligned) {
    const auto p = stored_elements(data);
    if (!aligned || count != page_elements(sizeof(T))) return part_page(f, p, count, aligned);
    return whole_page(f, p);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
