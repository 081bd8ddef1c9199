// The laboratory's oracle of sums of squares, norms, variances and standard deviations.
#pragma once

#include "lab/reference.hpp"
#include "onefold/detail/exact/moments.hpp"

namespace onefold::cli {

/// Which of them.
struct power {
  bool deviations;  ///< of x from the mean, not of x: a variance
  bool sample;      ///< divided by n - 1
  bool root;        ///< a norm or standard deviation
};

/// That of an operation of the catalog.
power power_of(int operation);

/// The exact sums of an array's elements and of their squares, and what is made of them. The condition number of a
/// variance is the norm of x over that of x - mean (Chan, Golub & LeVeque 1983); sums of squares have 1.
class power_reference final : public exact_reference {
 public:
  power_reference(power which, dtype type) : which_(which), type_(type) {}

  void push(std::span<const std::byte> elements, progress_counter& counted) override;
  double value() const override { return rounded_to<double>(); }
  scalar rounded(dtype result) const override;
  double magnitude() const override;
  double condition() const override;
  double bound(accuracy a) const override;

 private:
  template <class R>
  R rounded_to() const {
    return detail::unrounded_of(square_, which_.root).template rounded_to<R>();
  }
  double finite_error_of(const scalar& result) const override;
  /// How far a variance or sum of squares may be off before it is rounded to the result's type.
  double bound_of_square() const;

  power which_;
  dtype type_;
  std::int64_t count_ = 0, divisor_ = 0;
  detail::power_sums powers_{};
  detail::quotient square_{};  ///< the value, or that whose root it is
};

}  // namespace onefold::cli
