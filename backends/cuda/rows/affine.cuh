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

/// Of a line that is divided by a number.
template <class V>
__device__ __forceinline__ affine_outcome<V> divided_by(double d) {
  return {V{}, static_cast<V>(1 / d)};
}
/// A norm, or epsilon where that is larger.
__device__ __forceinline__ double at_least(double norm, double epsilon) { return norm < epsilon ? epsilon : norm; }

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
    // over_count makes short lines slower here (H200).
    return divided_by<V>(a.operation == row_operation::rms_norm
                             ? math::square_root(s.s / static_cast<double>(n) + a.epsilon)
                             : at_least(math::square_root(s.s), a.epsilon));
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
    return divided_by<V>(at_least(s.s, a.epsilon));
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
    return divided_by<V>(at_least(s.m, a.epsilon));
  }
};

template <class Statistic>
struct affine_statistic : Statistic {
  using typename Statistic::V, typename Statistic::S, typename Statistic::L, typename Statistic::F;
  using outcome = affine_outcome<V>;
  using line_total = outcome;  ///< what is the same for all pages of a line
  static constexpr bool shifts = false;
  static constexpr bool is_one_number = sizeof(L) <= 8;  ///< what a lane has
  __device__ __forceinline__ static S page_state(const L& total, V) {
    if constexpr (has_total<F>)
      return F::close(total);
    else
      return total;
  }
  __device__ __forceinline__ static S combine(const S& a, const S& b) { return F::combine(a, b); }
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
  using base::K, typename base::place;
  using V = line_value<T>;
  using outcome = affine_outcome<V>;
  /// What the rows of several lines share: weights and biases.
  struct weights {
    piece<T, K> weight, bias;
  };

  /// What makes the results of a page, where lines are read twice.
  template <class A>
  __device__ __forceinline__ static outcome of_page(const A& a, std::int64_t line, std::int64_t, std::int64_t) {
    return static_cast<const outcome*>(a.totals)[line];
  }
  template <bool Full, class A, class Line>
  __device__ __forceinline__ weights weights_of(const A& a, const Line& out, std::int64_t first, int at, int n) const {
    weights s{};
    if (a.weight) s.weight = this->template loaded<Full>(place::parameters(a.weight, out, first), at, n);
    if (a.bias) s.bias = this->template loaded<Full>(place::parameters(a.bias, out, first), at, n);
    return s;
  }
  template <class A>
  __device__ __forceinline__ static piece<T, K> results(const A& a, const piece<T, K>& x, const outcome& o,
                                                        const weights& s) {
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

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
