// Runs over parts of arrays: the nodes of the trees that they are made of, in memory of any kind.
#pragma once

#include <cstring>
#include <span>

#include "host_data.hpp"
#include "session_base.hpp"

namespace onefold::cuda {

/// A session that folds nodes of arrays.
class node_session : public session_base {
 public:
  /// As accelerator::start_nodes.
  void start_nodes(const void* op, std::span<const node_run> runs) {
    const profiled range("onefold reduce nodes");
    const current_device here(device_);
    was_clean_ = clean_;
    clean_ = false;
    started_ = runs.size();
    if (runs.empty()) return;
    const memory_kind where = memory_kind_of(runs.front().data, device_);
    device_launch how = launch_of(op);
    if (where != memory_kind::device) {
      if (where == memory_kind::pageable)
        for (const node_run& r : runs) require_readable(r.data, r.n * host_.element_size);
      return run_host_data(*scratch_, host_, fold_, how, runs, where == memory_kind::pinned);
    }
    scratch_->states.grow(static_cast<std::int64_t>(state_bytes()));
    how.stream = cudaStreamLegacy;
    how.out = scratch_->states.device();
    for (const node_run& r : runs) {
      how.data = r.data;
      how.n = r.n;
      how.first = r.index;
      check(static_cast<cudaError_t>(fold_.launch(fold_, how)), "the launch of a kernel");
      how.out = static_cast<char*>(how.out) + host_.state_size;
      how.follows = true;
    }
  }

  /// As accelerator::finish_nodes.
  void finish_nodes(void* states) {
    const current_device here(device_);
    check(cudaStreamSynchronize(cudaStreamLegacy), "a kernel");
    if (started_ > 0) std::memcpy(states, scratch_->states.host(), state_bytes());
    clean_ = was_clean_;
  }

 protected:
  using session_base::session_base;

 private:
  std::size_t state_bytes() const { return started_ * host_.state_size; }

  std::size_t started_ = 0;  ///< nodes
  bool was_clean_ = true;    ///< before they were started
};

}  // namespace onefold::cuda
