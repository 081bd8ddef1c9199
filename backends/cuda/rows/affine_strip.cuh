// Strips of lines for (x - a) r: in registers, or in shared memory.
#pragma once

#include "rows/affine.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Rows of a thread in registers, or in shared memory, which leaves registers to more threads.
template <class T, int K, int Rows, bool InShared>
struct held_rows {
  piece<T, K> x[Rows];
  __device__ __forceinline__ const piece<T, K>& operator[](int r) const { return x[r]; }
  __device__ __forceinline__ void set(int r, const piece<T, K>& y) { x[r] = y; }
};
template <class T, int K, int Rows>
struct held_rows<T, K, Rows, true> {
  using vector = typename vector_of<K * sizeof(T)>::type;
  vector* warp;  ///< room for Rows times 32
  __device__ __forceinline__ piece<T, K> operator[](int r) const {
    const vector v = warp[32 * r + lane_id()];
    piece<T, K> y;
    memcpy(y.w, &v, sizeof v);
    return y;
  }
  __device__ __forceinline__ void set(int r, const piece<T, K>& y) {
    vector v;
    memcpy(&v, y.w, sizeof v);
    warp[32 * r + lane_id()] = v;
  }
};

/// Moments of lanes that have equally many elements: threads need not tell each other how many.
struct even_moments {
  double n, shift, s, q;
};
__device__ __forceinline__ even_moments from_xor(const even_moments& a, int mask) {
  struct sums {
    double shift, s, q;
  };
  const sums its = from_xor(sums{a.shift, a.s, a.q}, mask);
  return {a.n, its.shift, its.s, its.q};
}
struct even_moments_fold {
  /// As moments_fold combines them.
  __device__ __forceinline__ static even_moments combine(const even_moments& a, const even_moments& b) {
    const double d = b.shift - a.shift, moved = a.n * d;
    return {a.n + a.n, a.shift, a.s + (b.s + moved), a.q + (b.q + (d * (b.s + b.s) + d * moved))};
  }
};

/// Up to `Rows` rows of a line in a warp.
template <class Statistic, class T, template <class, int> class Place, int Rows, bool InShared = false>
struct affine_strip : affine_rows<T, Place, lanes_of(sizeof(typename Statistic::element))> {
  using results = affine_rows<T, Place, lanes_of(sizeof(typename Statistic::element))>;
  using results::K, results::lanes, results::where, typename results::place, typename results::V;
  using statistic = affine_statistic<Statistic>;
  using F = typename statistic::F;
  using L = typename statistic::L;
  using even_state = even_moments;  ///< of lanes with equally many elements
  using even_fold = even_moments_fold;
  static constexpr int rows = Rows;
  static constexpr bool in_shared = InShared;
  held_rows<T, K, Rows, InShared> x;

  /// Loads the elements of a line at p into memory of the warp.
  template <class Line>
  __device__ __forceinline__ void load_into(void* memory, const Line& p, int n) requires InShared {
    x.warp = static_cast<decltype(x.warp)>(memory);
    if (this->template is_full<Rows>(n)) {
#pragma unroll
      for (int r = 0; r < Rows; ++r) place::copy_words(p, r * lanes, n, static_cast<char*>(memory));
      end_copies();
      await_copies<0>();
      return;
    }
#pragma unroll
    for (int r = 0; r < Rows; ++r)
      if (r == 0 || r * lanes < n) x.set(r, where.template load<false>(p, r * lanes, n));
  }
  /// Loads the elements of a line at p.
  template <class Line>
  __device__ __forceinline__ void load(const Line& p, int n) {
    load_rows(p, n, [&](int r) { return where.template load<false>(p, r * lanes, n); });
  }
  /// The same, where whole words come from a copy in shared memory.
  template <class Line>
  __device__ __forceinline__ void load_copied(const T* copy, const Line& p, int n) {
    load_rows(copy, n, [&](int r) {
      piece<T, K> row = where.template load_words<false>(copy, r * lanes, n);
      where.add_edge(p, r * lanes, n, row);
      return row;
    });
  }
  template <class A>
  __device__ __forceinline__ void fold(const A&, V, int n, L (&s)[K]) {
    if (this->template is_full<Rows>(n))
      fold_rows<true>(n, s);
    else
      fold_rows<false>(n, s);
  }
  /// Whether all lanes have equally many of n elements: asked where all lines of a warp have as many.
  __device__ __forceinline__ bool is_even(int n) const {
    int width = 32;
    if constexpr (requires { where.width; }) width = where.width;
    return statistic::counts && n > 0 && n % (K * width) == 0;
  }
  /// The totals of such lanes.
  __device__ __forceinline__ void even(int n, const L (&s)[K], even_moments (&e)[K]) const {
#pragma unroll
    for (int k = 0; k < K; ++k) e[k] = {static_cast<double>(Rows == 1 ? 1 : n / lanes), s[k].shift, s[k].s, s[k].q};
  }
  __device__ __forceinline__ static typename statistic::S state_of(const L& total) {
    return statistic::page_state(total, {});
  }
  __device__ __forceinline__ static typename statistic::S state_of(const even_moments& total) {
    // As moments_fold closes them.
    const double step = over_count(total.s, total.n), m2 = total.q - total.s * step;
    return {total.n, total.shift + step, step - step != 0 ? __builtin_nan("") : m2 < 0 ? 0 : m2};
  }
  /// The state of a page of n elements from its lanes' totals.
  __device__ __forceinline__ typename statistic::S state(int n, const L (&s)[K], V) const {
    using E = typename statistic::element;
    if constexpr (statistic::counts && !place::selects)
      if (is_even(n)) {
        even_moments e[K];
        even(n, s, e);
        return state_of(where.template total<even_moments_fold, E>(even_moments_fold{}, e));
      }
    return state_of(where.template total<F, E>(F{}, s));
  }
  /// What this thread has of the total of a line of n elements, before the steps of the meeting.
  template <class A>
  __device__ __forceinline__ L part(const A& a, int n) {
    L s[K];
    fold(a, V{}, n, s);
    return where.template part<F, typename statistic::element>(F{}, s);
  }
  template <class A>
  __device__ __forceinline__ even_moments even_part(const A& a, int n) {
    using E = typename statistic::element;
    if constexpr (Rows > 1) {
      L s[K];
      fold(a, V{}, n, s);
      even_moments e[K];
      even(n, s, e);
      return where.template part<even_moments_fold, E>(even_moments_fold{}, e);
    } else {
      static_assert(
          requires { where.width; }, "lanes k and k + K / 2 of a thread are the first to meet");
      even_moments e[K / 2];
      bool finite = true;
#pragma unroll
      for (int k = 0; k < K / 2; ++k) {
        const double first = statistic::value(x[0][k]), d = statistic::value(x[0][k + K / 2]) - first;
        finite = finite && d - d == 0;
        e[k] = {2, first, d, d * d};
      }
      if (!finite) [[unlikely]]
#pragma unroll
        for (int k = 0; k < K / 2; ++k) {
          const L two = F::combine(F::lift(statistic::value(x[0][k])), F::lift(statistic::value(x[0][k + K / 2])));
          e[k] = {2, two.shift, two.s, two.q};
        }
      return where.template part<even_moments_fold, E>(even_moments_fold{}, e);
    }
  }

  template <class A, class Line>
  __device__ __forceinline__ void store(const A& a, const Line& out, int n, const affine_outcome<V>& o,
                                        std::int64_t first) const {
    if (this->template is_full<Rows>(n))
      store_rows<true>(a, out, n, o, first);
    else
      store_rows<false>(a, out, n, o, first);
  }

 private:
  /// Rows that are complete come from `full`, others from one(r).
  template <class Line, class One>
  __device__ __forceinline__ void load_rows(const Line& full, int n, const One& one) {
    if (this->template is_full<Rows>(n)) {
#pragma unroll
      for (int r = 0; r < Rows; ++r) x.set(r, where.load_full(full, r * lanes));
      return;
    }
#pragma unroll
    for (int r = 0; r < Rows; ++r)
      if (r == 0 || r * lanes < n) x.set(r, one(r));
  }
  template <bool Full>
  __device__ __forceinline__ void fold_rows(int n, L (&s)[K]) const {
#pragma unroll
    for (int k = 0; k < K; ++k) s[k] = F::lift(statistic::value(x[0][k]));
#pragma unroll
    for (int r = 1; r < Rows; ++r) {
      if (!Full && r * lanes >= n) continue;
      const piece<T, K> row = x[r];
#pragma unroll
      for (int k = 0; k < K; ++k) {
        V v = row[k];
        // An element that is not there leaves a lane as it is where it equals the shift, the lane's first one.
        if constexpr (statistic::counts && !Full) v = r * lanes + where.lane(k) < n ? v : x[0][k];
        s[k] = F::push(s[k], statistic::value(v));
      }
    }
    if constexpr (statistic::counts)
#pragma unroll
      for (int k = 0; k < K; ++k) s[k] = F::with_count(s[k], Full ? Rows : elements_of_lane(k, n));
  }
  __device__ __forceinline__ int elements_of_lane(int k, int n) const {
    return min(max((n - where.lane(k) + lanes - 1) / lanes, 0), Rows);
  }
  template <bool Full, class A, class Line>
  __device__ __forceinline__ void store_rows(const A& a, const Line& out, int n, const affine_outcome<V>& o,
                                             std::int64_t first) const {
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      if (!Full && r > 0 && r * lanes >= n) continue;
      const auto parameter = [&](const T* all) {
        return this->template loaded<Full>(place::parameters(all, out, first), r * lanes, n);
      };
      this->template store_row<Full>(
          out, r * lanes, n,
          results::results_by(
              a, x[r], o, [&] { return parameter(a.weight); }, [&] { return parameter(a.bias); }));
    }
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
