// The laboratory's oracle of sums and means.
#pragma once

#include "lab/reference.hpp"
#include "onefold/exact.hpp"

namespace onefold::cli {

/// The exact sum or mean of an array. The condition number is the sum of |x| over |sum of x|, or 1 where all elements
/// are 0.
class sum_reference final : public exact_reference {
 public:
  sum_reference(bool mean, dtype type) : type_(type), mean_(mean) {}

  void push(std::span<const std::byte> elements, progress_counter& counted) override;
  double value() const override;
  scalar rounded(dtype result) const override;
  double magnitude() const override { return magnitude_.value<double>(); }
  double condition() const override;
  double bound(accuracy a) const override;

 private:
  double finite_error_of(const scalar& result) const override;
  double mean_of(const exact_sum<double>& s) const;

  dtype type_;
  std::int64_t count_ = 0;  ///< of elements; 64-bit integers are pushed in two parts
  bool mean_;
  exact_sum<double> sum_, magnitude_;
};

}  // namespace onefold::cli
