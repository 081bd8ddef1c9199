// exact_moments: sums of elements and of their squares without rounding; mean, variances, deviations and norm of them,
// each rounded once.
#pragma once

#include <cstdint>
#include <span>

#include "onefold/detail/exact/variance.hpp"
#include "onefold/exact.hpp"

namespace onefold {

/// The exact first two moments of any number of f16, bf16, f32 or f64 elements. Pushed or merged in whatever order: the
/// values are the same. Values are rounded once to R, to nearest, ties to even; an infinity or NaN among the elements
/// makes variances NaN. By the calling thread, with integers (docs/accuracy.md).
template <class T>
class exact_moments {
 public:
  /// Adds one element.
  void push(T x) {
    sum_.push(x);
    detail::add_product(squares_, x, x);
  }
  /// Adds all elements of a chunk.
  void push(std::span<const T> chunk) {
    for (const T x : chunk) push(x);
  }
  /// Adds others, as if their elements had been pushed here.
  void merge(const exact_moments& other) {
    const exact_moments copy = other;  // it may be this one
    sum_.merge(copy.sum_);
    detail::merge(squares_, copy.squares_);
  }

  /// How many elements there are.
  std::int64_t count() const { return sum_.count(); }
  /// The exact sum of the elements.
  const exact_sum<T>& sum() const { return sum_; }

  /// The mean. Throws empty_input for no elements, as all below.
  template <class R = default_result<T, op::mean>>
  R mean() const {
    return sum_.template mean<R>();
  }
  /// The population variance.
  template <class R = default_result<T, op::variance>>
  R variance() const {
    return detail::round<R>(over(count())).value;
  }
  /// The sample variance, divided by n - 1; NaN for one element.
  template <class R = default_result<T, op::variance>>
  R sample_variance() const {
    return detail::round<R>(over(count() - 1)).value;
  }
  /// The correctly rounded square root of the population variance (not of the rounded one).
  template <class R = default_result<T, op::variance>>
  R stddev() const {
    return detail::round_root<R>(over(count())).value;
  }
  /// The correctly rounded square root of the sample variance; NaN for one element.
  template <class R = default_result<T, op::variance>>
  R sample_stddev() const {
    return detail::round_root<R>(over(count() - 1)).value;
  }

 private:
  detail::quotient over(std::int64_t divisor) const {
    if (count() == 0)
      throw error(error_code::empty_input, "the variance of no elements has no value: the exact_moments are empty");
    if (divisor == 0) return {.limb = {}, .deposits = 0, .special = detail::not_a_number};
    return detail::variance_of(sum_.sum_, squares_, count(), divisor);
  }

  exact_sum<T> sum_;
  detail::product_accumulator squares_{};
};

}  // namespace onefold
