// The loop that everybody writes first, as a warning.
#pragma once

#include <cstdint>
#include <span>

#include "onefold/dynamic.hpp"

namespace onefold::cli {

/// ((x0 + x1) + x2) + ..., in the library's native accumulator type, divided by n for a mean; the same of the squares,
/// and (sum of squares - sum^2 / n) / n for a variance.
class left_fold {
 public:
  left_fold(int operation, dtype type) : operation_(operation), type_(type) {}

  /// Adds the next elements.
  void push(std::span<const std::byte> elements);
  /// A number of the type that the library's result has.
  scalar value() const;

 private:
  int operation_;
  dtype type_;
  std::int64_t count_ = 0;
  std::uint64_t sum_ = 0, squares_ = 0;  ///< bits of numbers of the accumulator type
};

}  // namespace onefold::cli
