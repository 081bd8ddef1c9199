// Ctrl-C as a request to stop and to keep what there is.
#pragma once

#include <csignal>

#include <atomic>
#include <span>
#include <utility>
#include <vector>

namespace onefold::cli {

/// The signal of Ctrl-C.
inline constexpr int interrupting_signals[] = {SIGINT};
/// The same, and that of kill: for work that a batch system may end.
inline constexpr int ending_signals[] = {SIGINT, SIGTERM};

/// While it lives, the first of some signals sets a flag; a second one ends the process as usual. One at a time.
class interrupt {
 public:
  explicit interrupt(std::span<const int> signals = interrupting_signals);
  ~interrupt();
  interrupt(const interrupt&) = delete;
  interrupt& operator=(const interrupt&) = delete;

  /// The flag.
  static const std::atomic<bool>& wanted();

 private:
  std::vector<std::pair<int, struct sigaction>> before_;
};

}  // namespace onefold::cli
