// Several devices of an accelerator that reduce an array together.
#pragma once

#include <cstdint>
#include <deque>

#include "choose.hpp"
#include "run/page_device.hpp"
#include "run/partial_state.hpp"

namespace onefold::detail {

/// Borders, in pages, of the parts among which that many pages of `page_bytes` bytes are divided: at most `parts` of
/// them, of at least 16 MiB each but for the last, and each of few nodes.
std::vector<std::int64_t> device_borders(std::int64_t pages, std::int64_t page_bytes, int parts);

/// The devices of a choice. The caller guards the floating-point environment, and has checked the arguments.
class device_team {
 public:
  /// Opens all of them. Throws what the accelerator says.
  explicit device_team(const choice& c);

  /// The state of n > 0 elements, valid until the next call. Those in host memory, or in managed memory, are divided:
  /// each device copies and folds a part, driven by a thread of its own. Those in device memory are folded where they
  /// are. Throws invalid_argument if that is another device.
  const void* fold(const void* op, const void* data, std::int64_t n);

 private:
  page_device& owner(int device);

  const choice& c_;
  std::deque<page_device> devices_;
  fold_memory room_;
  aligned_bytes total_;
};

}  // namespace onefold::detail
