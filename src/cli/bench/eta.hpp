// How far a benchmark has come, and how long the rest will take.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>

namespace onefold::cli {

/// Counts rows, each with the seconds that it is expected to take; what was wrong with the expectations so far is taken
/// into account. Any thread may ask.
class eta {
 public:
  eta(std::size_t rows, double expected_seconds) : rows_(rows), expected_(expected_seconds) {}

  /// A row begins.
  void begin(const std::string& name);
  /// It has ended; it was expected to take this long.
  void end(double expected_seconds);

  /// "row 3 of 15, sum of 1024 f32 on openmp, about 12 s left" after this many seconds.
  std::string line(double seconds) const;

 private:
  mutable std::mutex mutex_;
  std::size_t rows_, ended_ = 0;
  double expected_, done_ = 0;
  std::string name_;
};

}  // namespace onefold::cli
