// moments, variances, sums of squares and norms at accuracy exact: made of the exact sums of elements and of their
// squares, rounded once. Order-independent.
#pragma once

#include "onefold/detail/exact/moments.hpp"
#include "onefold/detail/fold_traits.hpp"
#include "onefold/detail/numbers.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The additive functions. Arrays are added by power_adder instead, which is faster, and on GPUs by the kernel of exact
/// sums: the state, 1664 bytes, is too large for a thread of theirs.
template <class T>
struct exact_powers : library_fold {
  using element = T;
  using value = std::conditional_t<is_integer<T>, T, double>;
  using state = power_sums;
  static constexpr bool exact = true;

  static constexpr state identity() { return {}; }
  static constexpr state lift(value x) { return push({}, x); }
  static constexpr state push(state s, value x) {
    add_powers(s, x);
    return s;
  }
  static constexpr state combine(state a, const state& b) {
    merge(a, b);
    return a;
  }
};

/// What becomes of the sums, for callers that round by other means than finish: all moments, or one number.
struct power_result {
  bool moments = false, squares = false, sample = false, root = false;
};

/// M is moments_result. M2 is n times the variance.
template <class T>
struct exact_moments_fold : exact_powers<T> {
  using kernel = exact_powers<T>;
  static constexpr power_result gives = {.moments = true};
  template <class M>
  static constexpr M finish(const power_sums& s, std::int64_t n) {
    return {n, round_mean<double>(s.sum, n).value, unrounded_variance(s, n, 1, false).template rounded_to<double>()};
  }
};

template <class T, bool Sample, bool Root>
struct exact_variance_fold : exact_powers<T> {
  using kernel = exact_powers<T>;
  static constexpr power_result gives = {.sample = Sample, .root = Root};
  template <class R>
  static constexpr R finish(const power_sums& s, std::int64_t n) {
    return unrounded_variance(s, n, Sample ? n - 1 : n, Root).template rounded_to<R>();
  }
};

template <class T, bool Root>
struct exact_squares_fold : exact_powers<T> {
  using kernel = exact_powers<T>;
  static constexpr power_result gives = {.squares = true, .root = Root};
  template <class R>
  static constexpr R finish(const power_sums& s, std::int64_t) {
    return unrounded_of(s.squares, Root).template rounded_to<R>();
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
