// moments, variance, standard deviation: one pass over shifted sums, merged by Chan's formula; at accuracy exact, of
// exact sums.
#pragma once

#include "onefold/catalog/moments.hpp"
#include "onefold/detail/fold_traits.hpp"
#include "onefold/detail/folds/exact_powers.hpp"
#include "onefold/detail/folds/fold_for.hpp"
#include "onefold/detail/folds/sum.hpp"
#include "onefold/detail/numbers.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Moments in f64 for every element type: the deviations of f32 elements from another one are then exact but for
/// rare exponents, and 2^53 elements can be counted.
///
/// Within a page a lane adds up deviations d and d^2 from a shift, its first element; merging lanes moves the right
/// one's sums to the left one's shift, without a division (three of which would cost half the speed). A page's
/// sums become a mean and M2 = sum of (x - mean)^2, which merge by the formula of Chan, Golub & LeVeque
/// (1983, eq. 2.1). An outlier as a shift costs at most a page's length in ulps.
template <class T>
struct speculative_moments;

template <class T>
struct moments_fold : library_fold {
  static constexpr bool rare = is_integer<T>;
  using element = T;
  using speculative = std::conditional_t<is_float<T>, speculative_moments<T>, moments_fold>;
  using value = double;
  /// s = sum of (x - shift), q = sum of (x - shift)^2.
  template <class V>
  struct state {
    V n, shift, s, q;
  };
  struct total {
    double n, mean, m2;
  };

  template <class V>
  static ONEFOLD_INLINE constexpr state<V> identity() {
    return {V{}, V{}, V{}, V{}};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> lift(V x) {
    if constexpr (is_integer<T>) {
      return {splat<V>(1), x, V{}, V{}};
    } else {
      // Distances from an infinity or NaN say nothing: such an element has one, from 0, and its lane keeps that sum.
      const V shift = x - x == V{} ? x : V{}, s = x - shift;
      return {splat<V>(1), shift, s, s};
    }
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> push(state<V> a, V x) {
    const V d = minus(x, a.shift);
    return {a.n + splat<V>(1), a.shift, a.s + d, a.q + d * d};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> with_count(state<V> a, int elements) {
    return {splat<V>(elements), a.shift, a.s, a.q};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> combine(state<V> a, state<V> b) {
    const V shift = a.n == V{} ? b.shift : a.shift;
    const V d = b.n == V{} ? V{} : b.shift - shift;
    const V moved = b.n * d;
    return {a.n + b.n, shift, a.s + plus(b.s, moved), a.q + plus(b.q, (d * plus(b.s, b.s) + d * moved))};
  }
  static constexpr total close(state<double> a) {
    if (a.n == 0) return {0, 0, 0};
    const double step = a.s / a.n, m2 = a.q - a.s * step;
    return {a.n, a.shift + step, !is_finite(step) ? special_value<double>(not_a_number) : m2 < 0 ? 0 : m2};
  }
  static constexpr total combine(total a, total b) {
    if (b.n == 0) return a;
    if (a.n == 0) return b;
    const double n = a.n + b.n, delta = b.mean - a.mean, share = b.n / n;
    // An infinite mean stays, unless the other one is infinite too, of the other sign.
    const double mean = a.mean + (is_finite(a.mean) ? delta * share : b.mean);
    return {n, mean, (a.m2 + b.m2) + (delta * delta) * (a.n * share)};
  }
  static constexpr moments_result moments(total a) {
    return {static_cast<std::int64_t>(a.n), round_to<double>(a.mean), round_to<double>(a.m2)};
  }
  template <class R>
  static constexpr R finish(total a, std::int64_t) {
    return moments(a);
  }
};

/// The moments of a page that are right unless an element is infinite or NaN: then `is_valid` is false and the page is
/// folded again. Looking at each shift takes an eighth more time (EPYC, AVX-512, f64 in the first-level cache).
template <class T>
struct speculative_moments : moments_fold<T> {
  template <class V>
  using state = typename moments_fold<T>::template state<V>;
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> lift(V x) {
    return {splat<V>(1), x, x - x, x - x};
  }
  static constexpr bool is_valid(state<double> a) { return is_finite(a.s); }
};

/// A variance (population, or sample: divided by n - 1), or its square root.
template <class T, bool Sample, bool Root>
struct variance_fold : moments_fold<T> {
  using kernel = moments_fold<T>;
  template <class R>
  static constexpr R finish(typename kernel::total a, std::int64_t) {
    const moments_result m = kernel::moments(a);
    const double v = Sample ? m.sample_variance() : m.variance();
    if constexpr (Root)
      return round_to<R>(__builtin_sqrt(v));
    else
      return round_to<R>(v);
  }
};

template <class T, accuracy A>
struct fold_for<op::moments, T, A> {
  using type = std::conditional_t<A == accuracy::exact, exact_moments_fold<T>, moments_fold<T>>;
};
template <class T, accuracy A, bool Sample, bool Root>
using chosen_variance =
    std::conditional_t<A == accuracy::exact, exact_variance_fold<T, Sample, Root>, variance_fold<T, Sample, Root>>;
template <class T, accuracy A>
struct fold_for<op::variance, T, A> {
  using type = chosen_variance<T, A, false, false>;
};
template <class T, accuracy A>
struct fold_for<op::sample_variance, T, A> {
  using type = chosen_variance<T, A, true, false>;
};
template <class T, accuracy A>
struct fold_for<op::stddev, T, A> {
  using type = chosen_variance<T, A, false, true>;
};
template <class T, accuracy A>
struct fold_for<op::sample_stddev, T, A> {
  using type = chosen_variance<T, A, true, true>;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
