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
    return {static_cast<V>(s.mean), static_cast<V>(1 / math::square_root(s.m2 / static_cast<double>(n) + a.epsilon))};
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
    if (a.operation == row_operation::rms_norm)
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

template <class Statistic>
struct affine_statistic : Statistic {
  using typename Statistic::V, typename Statistic::S, typename Statistic::L, typename Statistic::F;
  using outcome = affine_outcome<V>;
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
  __device__ __forceinline__ static void write(const A& a, std::int64_t line, std::int64_t n, const S& s) {
    if (!a.mean && !a.scale) return;
    const outcome o = Statistic::of(a, n, s);
    const auto number = [&](V x) { return n > 0 && x == x ? x : piece<V, 4>::nan(); };
    a.write_statistics(line, number(o.a), number(o.r));
  }
};

/// Up to `Rows` rows of a line in a warp.
template <class Statistic, class T, template <class, int> class Place, int Rows>
struct affine_strip {
  using statistic = affine_statistic<Statistic>;
  using V = line_value<T>;
  using F = typename statistic::F;
  using L = typename statistic::L;
  static constexpr int lanes = lanes_of(sizeof(typename statistic::element));
  using place = Place<T, lanes / 32>;
  static constexpr int K = place::K, rows = Rows;
  place where;
  piece<T, K> x[Rows];

  template <class Line>
  __device__ __forceinline__ void load(const Line& p, int n) {
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      if (Rows > 1 && r > 0 && r * lanes >= n) continue;
      x[r] = where.template load<false>(p, r * lanes, n);
    }
  }
  template <class A>
  __device__ __forceinline__ void fold(const A&, V, int n, L (&s)[K]) {
#pragma unroll
    for (int k = 0; k < K; ++k) s[k] = F::lift(statistic::value(x[0][k]));
#pragma unroll
    for (int r = 1; r < Rows; ++r) {
      if (r * lanes >= n) continue;
#pragma unroll
      for (int k = 0; k < K; ++k) {
        V v = x[r][k];
        // An element that is not there leaves a lane as it is where it equals the shift, the lane's first one.
        if constexpr (statistic::counts) v = r * lanes + where.lane(k) < n ? v : x[0][k];
        s[k] = F::push(s[k], statistic::value(v));
      }
    }
    if constexpr (statistic::counts)
#pragma unroll
      for (int k = 0; k < K; ++k)
        s[k] = F::with_count(s[k], min(max((n - where.lane(k) + lanes - 1) / lanes, 0), Rows));
  }
  template <class A, class Line>
  __device__ __forceinline__ void store(const A& a, const Line& out, int n, const affine_outcome<V>& o,
                                        std::int64_t first) const {
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      if (r > 0 && r * lanes >= n) continue;
      V y[K];
#pragma unroll
      for (int k = 0; k < K; ++k) y[k] = (x[r][k] - o.a) * o.r;
      if (a.weight) {
        const piece<T, K> w = where.template load<false>(place::parameters(a.weight, out, first), r * lanes, n);
#pragma unroll
        for (int k = 0; k < K; ++k) y[k] = y[k] * w[k];
      }
      if (a.bias) {
        const piece<T, K> b = where.template load<false>(place::parameters(a.bias, out, first), r * lanes, n);
#pragma unroll
        for (int k = 0; k < K; ++k) y[k] = y[k] + b[k];
      }
      where.store(out, r * lanes, n, piece<T, K>::of(y));
    }
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
