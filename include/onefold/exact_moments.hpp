// exact_moments: sums of elements and of their squares without rounding, built piece by piece; mean, variances,
// deviations and norm of them, each rounded once.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "onefold/detail/exact/moments.hpp"
#include "onefold/exact.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// The exact sums of any number of f16, bf16, f32 or f64 elements and of their squares. Pushed or merged in whatever
/// order: the values are the same. Values are rounded once to R, to nearest, ties to even; an infinity or NaN among the
/// elements makes variances NaN. One thread at a time may use it. 1672 bytes, no memory besides.
template <class T>
class exact_moments {
  static_assert(detail::is_float<T>, "onefold: exact_moments are for f16, bf16, f32 and f64 elements");

 public:
  /// Those of no elements.
  constexpr exact_moments() = default;

  /// Adds one element. Throws overflow, as all that adds elements does, where there would be more than 2^63 - 1 of
  /// them.
  void push(T x) {
    count_ = detail::add_to_count(count_, 1);
    detail::add_powers(powers_, x);
  }
  /// Adds all elements of a chunk, at the speed of reduce with accuracy exact. `how` chooses what computes it: backend,
  /// threads, isa. Throws as reduce does, and invalid_argument for an initial value.
  void push(std::span<const T> chunk, const options& how = {}) {
    const std::int64_t count = detail::add_to_count(count_, static_cast<std::int64_t>(chunk.size()));
    const auto part = detail::exact_state<T, op::moments, detail::power_sums>(chunk, how);
    detail::merge(powers_, part);
    count_ = count;
  }
  /// Adds others, as if their elements had been pushed here.
  void merge(const exact_moments& other) {
    const exact_moments copy = other;  // it may be this one
    count_ = detail::add_to_count(count_, copy.count_);
    detail::merge(powers_, copy.powers_);
  }

  /// How many elements there are.
  std::int64_t count() const { return count_; }

  /// The mean. Throws empty_input for no elements, as the variances do.
  template <class R = default_result<T, op::mean>>
  R mean() const {
    require_elements("mean");
    return detail::round_mean<R>(powers_.sum, count_).value;
  }
  /// The population variance.
  template <class R = default_result<T, op::variance>>
  R variance() const {
    return over<R>(count(), false);
  }
  /// The sample variance, divided by n - 1; NaN for one element.
  template <class R = default_result<T, op::variance>>
  R sample_variance() const {
    return over<R>(count() - 1, false);
  }
  /// The correctly rounded square root of the population variance (not of the rounded one).
  template <class R = default_result<T, op::variance>>
  R stddev() const {
    return over<R>(count(), true);
  }
  /// The correctly rounded square root of the sample variance; NaN for one element.
  template <class R = default_result<T, op::variance>>
  R sample_stddev() const {
    return over<R>(count() - 1, true);
  }
  /// The sum of the elements' squares; of no elements 0.
  template <class R = default_result<T, op::sum_squares>>
  R sum_squares() const {
    return detail::unrounded_of(powers_.squares, false).template rounded_to<R>();
  }
  /// The Euclidean norm, the correctly rounded root of the exact sum of squares; of no elements 0.
  template <class R = default_result<T, op::norm2>>
  R norm2() const {
    return detail::unrounded_of(powers_.squares, true).template rounded_to<R>();
  }

 private:
  void require_elements(const char* what) const {
    if (count_ == 0)
      throw error(error_code::empty_input,
                  std::string("the ") + what + " of no elements has no value: the exact_moments are empty");
  }
  template <class R>
  R over(std::int64_t divisor, bool root) const {
    require_elements("variance");
    return detail::unrounded_variance(powers_, count_, divisor, root).template rounded_to<R>();
  }

  detail::power_sums powers_{};
  std::int64_t count_ = 0;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
