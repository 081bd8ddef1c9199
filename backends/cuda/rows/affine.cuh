// (x - a) r of a line, times weights and plus biases: layer_norm, rms_norm, standardize and normalize.
#pragma once

#include "onefold/detail/folds.hpp"
#include "onefold/detail/math/arithmetic.hpp"
#include "rows/arguments.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// a and r.
template <class V>
struct affine_outcome {
  V a, r;
};

/// x / n, rounded, for a count n: where n is a power of two, by a product, which is the same number and much faster.
__device__ __forceinline__ double over_count(double x, double n) {
  const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, n);
  if ((bits & 0xfffffffffffffu) != 0 || n == 0) return x / n;
  return x * __builtin_bit_cast(double, 0x7fe0000000000000u - bits);
}

/// A line's mean and deviation.
template <class T>
struct moments_statistic {
  using V = line_value<T>;
  using element = T;
  using F = kernel_t<fold_of<op::moments, T, accuracy::native>>;
  using L = lane_state<F, T>;
  using S = tree_state<F, T>;
  static constexpr bool counts = true;
  __device__ static double value(V x) { return x; }
  template <class A>
  __device__ __forceinline__ static affine_outcome<V> of(const A& a, std::int64_t n, const S& s) {
    return {static_cast<V>(s.mean),
            static_cast<V>(1 / math::square_root(over_count(s.m2, static_cast<double>(n)) + a.epsilon))};
  }
};

/// A line's sum of squares, for its mean or a norm.
template <class T>
struct squares_statistic {
  using V = line_value<T>;
  using element = T;
  using F = kernel_t<fold_of<op::sum_squares, T, accuracy::native>>;
  using L = lane_state<F, T>;
  using S = tree_state<F, T>;
  static constexpr bool counts = false;
  __device__ static double value(V x) { return x; }
  template <class A>
  __device__ __forceinline__ static affine_outcome<V> of(const A& a, std::int64_t n, const S& s) {
    if (a.operation == row_operation::rms_norm)  // over_count makes short lines slower here (H200)
      return {V{}, static_cast<V>(1 / math::square_root(s.s / static_cast<double>(n) + a.epsilon))};
    const double norm = math::square_root(s.s);
    return {V{}, static_cast<V>(1 / (norm < a.epsilon ? a.epsilon : norm))};
  }
};

template <class V>
__device__ __forceinline__ V absolute(V x) {
  if constexpr (sizeof(V) == 8)
    return __builtin_fabs(x);
  else
    return __builtin_fabsf(x);
}

/// The sum of a line's magnitudes.
template <class T>
struct magnitudes_statistic {
  using V = line_value<T>;
  using element = V;
  using F = kernel_t<fold_of<op::sum, V, accuracy::native>>;
  using L = lane_state<F, V>;
  using S = tree_state<F, V>;
  static constexpr bool counts = false;
  __device__ static V value(V x) { return absolute(x); }
  template <class A>
  __device__ __forceinline__ static affine_outcome<V> of(const A& a, std::int64_t, const S& s) {
    const double norm = s.s;
    return {V{}, static_cast<V>(1 / (norm < a.epsilon ? a.epsilon : norm))};
  }
};

/// A line's largest magnitude.
template <class T>
struct largest_statistic {
  using V = line_value<T>;
  using element = V;
  struct F : library_fold {
    static constexpr bool order_free = true;
    struct state {
      V m;
    };
    __device__ static state lift(V x) { return {x}; }
    __device__ static state push(state s, V x) { return {largest_or_nan(s.m, x)}; }
    __device__ static state combine(state s, state t) { return {largest_or_nan(s.m, t.m)}; }
  };
  using L = typename F::state;
  using S = L;
  static constexpr bool counts = false;
  __device__ static V value(V x) { return absolute(x); }
  template <class A>
  __device__ __forceinline__ static affine_outcome<V> of(const A& a, std::int64_t, const S& s) {
    const double norm = s.m;
    return {V{}, static_cast<V>(1 / (norm < a.epsilon ? a.epsilon : norm))};
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

template <class Statistic>
struct affine_statistic : Statistic {
  using typename Statistic::V, typename Statistic::S, typename Statistic::L, typename Statistic::F;
  using outcome = affine_outcome<V>;
  using line_total = outcome;  ///< what is the same for all pages of a line
  static constexpr bool shifts = false;
  __device__ __forceinline__ static S page_state(const L& total, V) {
    if constexpr (has_total<F>)
      return F::close(total);
    else
      return total;
  }
  __device__ __forceinline__ static S join(const S& a, const S& b) { return F::combine(a, b); }
  template <class A>
  __device__ __forceinline__ static outcome of(const A& a, std::int64_t n, const S& line, const S&) {
    return Statistic::of(a, n, line);
  }
  template <class A>
  __device__ __forceinline__ static line_total total_of(const A& a, std::int64_t n, const S& s) {
    return Statistic::of(a, n, s);
  }
  template <class A>
  __device__ __forceinline__ static void write(const A& a, std::int64_t line, std::int64_t n, const S& s) {
    if (!a.mean && !a.scale) return;
    const outcome o = Statistic::of(a, n, s);
    const auto number = [&](V x) { return n > 0 && x == x ? x : piece<V, 4>::nan(); };
    a.write_statistics(line, number(o.a), number(o.r));
  }
};

/// Results of rows of elements.
template <class T, template <class, int> class Place, int Lanes>
struct affine_rows : placed_rows<T, Place, Lanes> {
  using base = placed_rows<T, Place, Lanes>;
  using base::K, base::where, typename base::place;
  using V = line_value<T>;
  using outcome = affine_outcome<V>;
  /// What the rows of several lines share: weights and biases.
  struct shared {
    piece<T, K> weight, bias;
  };

  /// What makes the results of a page, where lines are read twice.
  template <class A>
  __device__ __forceinline__ static outcome of_page(const A& a, std::int64_t line, std::int64_t, std::int64_t) {
    return static_cast<const outcome*>(a.totals)[line];
  }
  template <bool Full, class A, class Line>
  __device__ __forceinline__ shared shared_of(const A& a, const Line& out, std::int64_t first, int at, int n) const {
    shared s{};
    if (a.weight) s.weight = this->template loaded<Full>(place::parameters(a.weight, out, first), at, n);
    if (a.bias) s.bias = this->template loaded<Full>(place::parameters(a.bias, out, first), at, n);
    return s;
  }
  template <class A>
  __device__ __forceinline__ static piece<T, K> results(const A& a, const piece<T, K>& x, const outcome& o,
                                                        const shared& s) {
    return results_by(
        a, x, o, [&] { return s.weight; }, [&] { return s.bias; });
  }

 protected:
  /// Loads weights and biases as it needs them.
  template <class A, class Weight, class Bias>
  __device__ __forceinline__ static piece<T, K> results_by(const A& a, const piece<T, K>& x, const outcome& o,
                                                           const Weight& weight, const Bias& bias) {
    V y[K];
#pragma unroll
    for (int k = 0; k < K; ++k) y[k] = (x[k] - o.a) * o.r;
    if (a.weight) {
      const piece<T, K> w = weight();
#pragma unroll
      for (int k = 0; k < K; ++k) y[k] = y[k] * w[k];
    }
    if (a.bias) {
      const piece<T, K> b = bias();
#pragma unroll
      for (int k = 0; k < K; ++k) y[k] = y[k] + b[k];
    }
    return piece<T, K>::of(y);
  }
};

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

/// Up to `Rows` rows of a line in a warp.
template <class Statistic, class T, template <class, int> class Place, int Rows, bool InShared = false>
struct affine_strip : affine_rows<T, Place, lanes_of(sizeof(typename Statistic::element))> {
  using results = affine_rows<T, Place, lanes_of(sizeof(typename Statistic::element))>;
  using results::K, results::lanes, results::where, typename results::place, typename results::V;
  using statistic = affine_statistic<Statistic>;
  using F = typename statistic::F;
  using L = typename statistic::L;
  static constexpr int rows = Rows;
  static constexpr bool in_shared = InShared;
  held_rows<T, K, Rows, InShared> x;

  /// Whether all rows are there: then nothing is asked of each element.
  __device__ __forceinline__ bool is_full(int n) const {
    return (Rows > 1 || place::is_words) && n == Rows * where.full_row();
  }

  /// Loads the elements of a line at p into memory of the warp.
  template <class Line>
  __device__ __forceinline__ void load_into(void* memory, const Line& p, int n) requires InShared {
    x.warp = static_cast<decltype(x.warp)>(memory);
    if (is_full(n)) {
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
  /// Loads the elements of a line at p. Whole words come from `words`, where `Copied` a copy in shared memory.
  template <bool Copied, class Words, class Line>
  __device__ __forceinline__ void load(const Words& words, const Line& p, int n) {
    if (is_full(n)) {
#pragma unroll
      for (int r = 0; r < Rows; ++r) x.set(r, where.load_full(words, r * lanes));
      return;
    }
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      if (Rows > 1 && r > 0 && r * lanes >= n) continue;
      if constexpr (Copied) {
        x.x[r] = where.template load_words<false>(words, r * lanes, n);
        where.add_edge(p, r * lanes, n, x.x[r]);
      } else {
        x.set(r, where.template load<false>(p, r * lanes, n));
      }
    }
  }
  template <class A>
  __device__ __forceinline__ void fold(const A&, V, int n, L (&s)[K]) {
    if (is_full(n))
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
    if (is_full(n))
      store_rows<true>(a, out, n, o, first);
    else
      store_rows<false>(a, out, n, o, first);
  }

 private:
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
