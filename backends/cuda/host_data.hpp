// Data in host memory: copied piece by piece into two device buffers while the device works on what is there.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "pieces.hpp"

namespace onefold::cuda {

class copying_team;

/// Host memory on its way to a device, in pieces.
class moved_pieces {
 public:
  /// Of up to `bytes` bytes each; `several`: whether there is more than one; `pinned`: the device can copy from them by
  /// itself.
  moved_pieces(scratch& s, std::int64_t bytes, bool several, bool pinned);
  ~moved_pieces();
  moved_pieces(const moved_pieces&) = delete;
  moved_pieces& operator=(const moved_pieces&) = delete;

  /// Where the device works.
  cudaStream_t stream() const { return moving_.folds; }
  /// Copies a piece to where launch(data), which enqueues on that stream, finds it.
  void move(const void* from, std::int64_t bytes, const std::function<void(const void*)>& launch);
  /// Waits for all work.
  void wait() const;

 private:
  scratch& scratch_;
  pipeline& moving_;
  std::unique_ptr<copying_team> team_;  ///< null for pinned memory
  std::int64_t moved_ = 0;
};

/// Reduces nodes of arrays in host memory (pinned: the device can copy from it by itself) to their states, which are
/// then at s.states.host(), one after the other. `launch` has everything but data, n, first, the stream and where the
/// outcome goes.
void run_host_data(scratch& s, const recipe& host, const device_fold& fold, device_launch launch,
                   std::span<const node_run> runs, bool pinned);

}  // namespace onefold::cuda
