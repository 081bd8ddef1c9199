// Count, mean, variance, skewness and kurtosis in one pass, as an operation that also merges: central_moments.
//
// It is a user-defined operation that ships with the library: reduce, plans, axes, segments, keys, scans, partials
// and accumulators take it, with the same bits however the elements are divided. Files that include this header are
// compiled as <onefold/custom.hpp> says, .cu files as <onefold/cuda.cuh> says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "onefold/custom.hpp"
#include "onefold/detail/pack.hpp"
#include "onefold/detail/verb.hpp"
#include "onefold/map_reduce.hpp"
#include "onefold/math.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// The result of central_moments: how many elements, their mean, and the sums of the second to fourth powers of their
/// distances from it. With an infinity or NaN among the elements the sums are NaN, and the mean is what op::mean is.
///
/// Its functions compute in f64, and return NaN where a formula has no value: all elements are equal, or too few.
struct central_moments_result {
  std::int64_t n;  ///< how many elements
  double mean;     ///< their mean
  double m2;       ///< the sum of squared distances from it
  double m3;       ///< that of cubes
  double m4;       ///< that of fourth powers

  /// The population variance m2 / n.
  ONEFOLD_INLINE constexpr double variance() const { return detail::math::canonical_nan(m2 / count()); }
  /// The sample variance m2 / (n - 1); NaN for n < 2.
  ONEFOLD_INLINE constexpr double sample_variance() const {
    return n < 2 ? __builtin_nan("") : detail::math::canonical_nan(m2 / (count() - 1));
  }
  /// The population skewness g1 = (m3 / n) / (m2 / n)^1.5.
  ONEFOLD_INLINE constexpr double skewness() const {
    const double v = variance();
    return detail::math::canonical_nan(m3 / count() / v /
                                       onefold::sqrt(v));  // not by powers of m2, which overflow and vanish earlier
  }
  /// The sample skewness G1 = g1 sqrt(n (n - 1)) / (n - 2) (Joanes & Gill 1998); NaN for n < 3.
  ONEFOLD_INLINE constexpr double sample_skewness() const {
    const double k = count();
    return n < 3 ? __builtin_nan("") : detail::math::canonical_nan(skewness() * onefold::sqrt(k * (k - 1)) / (k - 2));
  }
  /// The population excess kurtosis g2 = (m4 / n) / (m2 / n)^2 - 3, which is 0 for a normal distribution.
  ONEFOLD_INLINE constexpr double excess_kurtosis() const {
    const double v = variance();
    return detail::math::canonical_nan(m4 / count() / v / v - 3);
  }
  /// The sample excess kurtosis G2 = (n - 1) ((n + 1) g2 + 6) / ((n - 2) (n - 3)) (Joanes & Gill 1998); NaN for n < 4.
  ONEFOLD_INLINE constexpr double sample_excess_kurtosis() const {
    const double k = count();
    return n < 4 ? __builtin_nan("")
                 : detail::math::canonical_nan((k - 1) / ((k - 2) * (k - 3)) * ((k + 1) * excess_kurtosis() + 6));
  }
  /// Whether all members are equal.
  friend constexpr bool operator==(const central_moments_result&, const central_moments_result&) = default;

 private:
  ONEFOLD_INLINE constexpr double count() const { return static_cast<double>(n); }
};

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The operation central_moments over packs.
///
/// Up to 8 neighbors of a lane are added up as powers of distances from the first of them, without a division; then the
/// sums become those of distances from their mean, and merge by the pairwise formulas of Pébay 2008 ("Formulas for
/// robust, one-pass parallel computation of covariances and arbitrary-order statistical moments", SAND2008-6212). A
/// mean is kept as an element and the distance from it, so that elements far from zero lose nothing.
struct central_moments_of_packs {
  struct traits : fold_traits {
    using value = double;
  };

  /// Of n elements around `shift`. While a strip is added up, s1 to s4 are the sums of powers of distances from it;
  /// then s1 is the mean's distance from it, and s2 to s4 are sums of powers of distances from the mean.
  template <class V>
  struct state {
    V n, shift, s1, s2, s3, s4;
  };

  template <class V>
  static ONEFOLD_INLINE constexpr state<V> identity() {
    return {V{}, V{}, V{}, V{}, V{}, V{}};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> lift(V x) {
    // Distances from an infinity or NaN say nothing: such an element has one, from 0, and no powers.
    const V shift = x - x == V{} ? x : V{}, s1 = x - shift, none = s1 - s1;
    return {splat<V>(1), shift, s1, none, none, none};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> push(state<V> a, V x) {
    const V d = x - a.shift, d2 = d * d;
    return {a.n + splat<V>(1), a.shift, a.s1 + d, a.s2 + d2, a.s3 + d2 * d, a.s4 + d2 * d2};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> end_strip(state<V> a) {
    const V step = a.s1 / (a.n == V{} ? splat<V>(1) : a.n);
    const V twice = step + step, s2 = a.s2 - a.s1 * step;
    return {a.n,
            a.shift,
            step,
            s2 < V{} ? V{} : s2,  // of subnormal squares
            a.s3 - step * (3 * a.s2 - twice * a.s1),
            a.s4 - step * (4 * a.s3 - step * (6 * a.s2 - (twice + step) * a.s1))};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> with_count(state<V> a, int elements) {
    a.n = splat<V>(elements);
    return end_strip(a);
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> combine(state<V> a, state<V> b) {
    // Without elements on one side, what follows leaves the other side's sums as they are, infinite ones too.
    const auto no_a = a.n == V{}, no_b = b.n == V{};
    const V n = a.n + b.n, each = splat<V>(1) / (n == V{} ? splat<V>(1) : n);
    const V p = a.n * each, q = b.n * each;  // the shares of the elements
    const V shift = no_a ? b.shift : a.shift;
    const V d = no_a ? V{} : no_b ? V{} : (b.shift - shift) + (b.s1 - a.s1);  // from a's mean to b's
    const V d2 = d * d, spread = d2 * (a.n * q), away = p - q;
    const V qa2 = no_b ? V{} : q * a.s2, qa3 = no_b ? V{} : q * a.s3;
    const V pb2 = no_a ? V{} : p * b.s2, pb3 = no_a ? V{} : p * b.s3;
    // An infinite mean stays, unless the other one is infinite too, of the other sign.
    const V s1 = a.s1 + (a.s1 - a.s1 == V{} ? d * q : b.s1);
    const V s2 = (a.s2 + b.s2) + spread;
    const V s3 = (a.s3 + b.s3) + d * (spread * away + 3 * (pb2 - qa2));
    const V s4 =
        (a.s4 + b.s4) + (d2 * (spread * (away * away + p * q) + 6 * (p * pb2 + q * qa2)) + 4 * d * (pb3 - qa3));
    return {n, shift, no_a ? b.s1 : no_b ? a.s1 : s1, s2, s3, s4};
  }
  static constexpr central_moments_result finish(const state<double>& a, std::int64_t n) {
    const double mean = a.n == 0 ? __builtin_nan("") : a.shift + a.s1;
    return {n, round_to<double>(mean), round_to<double>(a.s2), round_to<double>(a.s3), round_to<double>(a.s4)};
  }
};

/// The same with the states of one lane, which have the same bits.
struct central_moments_of_lanes {
  using packs = central_moments_of_packs;
  using state = packs::state<double>;

  static constexpr state identity() { return packs::identity<double>(); }
  static constexpr state lift(double x) { return packs::lift(x); }
  static constexpr state push(const state& s, double x) { return packs::push(s, x); }
  static constexpr state end_strip(const state& s) { return packs::end_strip(s); }
  static constexpr state combine(const state& a, const state& b) { return packs::combine(a, b); }
  static constexpr central_moments_result finish(const state& s, std::int64_t n) { return packs::finish(s, n); }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {
namespace op {

/// Count, mean and the sums of powers of distances from it, up to the fourth, in f64 for every element type, as a
/// central_moments_result. Empty: the mean is NaN, the sums are 0.
#ifdef __CUDACC__  // an operation in a .cu file has states of one lane
struct central_moments : detail::central_moments_of_lanes {};
#else
struct central_moments : detail::central_moments_of_packs {};
#endif

}  // namespace op
}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// Whether Data can be reduced, but not to central moments; says what to write instead.
template <class Data>
inline constexpr bool has_no_moments = false;
template <reducible Data>
inline constexpr bool has_no_moments<Data> = [] {
  using E = typename source_traits<Data>::element_type;
  return !element<canonical_t<E>> || std::is_same_v<E, bool> || std::is_same_v<E, std::byte>;
}();
template <class Data>
void explain_moments() {
  static_assert(!has_no_moments<Data>,
                "onefold: central_moments takes floating-point numbers and integers: of other elements it takes what a "
                "function returns, central_moments(x, f)");
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// How many elements there are, their mean, and the sums of powers of distances from it, with variance, skewness and
/// kurtosis, as a central_moments_result: of whatever `reduce` takes, in one pass. Throws onefold::error as `reduce`
/// does with a user-defined operation; of no elements the mean is NaN and the sums are 0.
template <verb_argument Data>
auto central_moments(const Data& data, const options& how = {}) {
  if constexpr (detail::has_no_moments<Data>)
    return detail::explain_moments<Data>();
  else
    return detail::reduced<op::central_moments>(data, how);
}
/// The same over some axes.
template <axes_argument Data>
auto central_moments(const Data& data, const axis_list& axes, const options& how = {}) {
  if constexpr (detail::has_no_moments<Data>)
    return detail::explain_moments<Data>();
  else
    return detail::reduced<op::central_moments>(data, axes, how);
}
/// The same of what a function returns for each element, or of a member: `central_moments(orders, &order::price)`.
template <detail::function_argument Data, detail::function_of_elements<Data> F>
auto central_moments(const Data& data, F f, const options& how = {}) {
  return onefold::central_moments(mapped(std::move(f), data), how);
}
/// The same over some axes.
template <detail::function_argument Data, detail::function_of_elements<Data> F>
auto central_moments(const Data& data, F f, const axis_list& axes, const options& how = {}) {
  return onefold::central_moments(mapped(std::move(f), data), axes, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
