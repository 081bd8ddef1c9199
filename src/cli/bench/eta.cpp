#include "bench/eta.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace onefold::cli {

void eta::begin(const std::string& name) {
  const std::lock_guard hold(mutex_);
  name_ = name;
}

void eta::end(double expected_seconds) {
  const std::lock_guard hold(mutex_);
  ++ended_;
  done_ += expected_seconds;
}

std::string eta::line(double seconds) const {
  const std::lock_guard hold(mutex_);
  std::string text = fmt::format("row {} of {}, {}", std::min(ended_ + 1, rows_), rows_, name_);
  if (done_ > 0) text += fmt::format(", about {:.0f} s left", seconds / done_ * std::max(0.0, expected_ - done_));
  return text;
}

}  // namespace onefold::cli
