// Ctrl-C as a request to stop and to keep what there is.
#pragma once

#include <atomic>

namespace onefold::cli {

/// While it lives, the first SIGINT sets a flag; a second one ends the process as usual. One at a time.
class interrupt {
 public:
  interrupt();
  ~interrupt();
  interrupt(const interrupt&) = delete;
  interrupt& operator=(const interrupt&) = delete;

  /// The flag.
  static const std::atomic<bool>& wanted();
};

}  // namespace onefold::cli
