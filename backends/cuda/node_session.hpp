// Runs over parts of an array: the nodes of the tree that they are made of, in memory of any kind.
#pragma once

#include <cstring>
#include <span>

#include "host_data.hpp"
#include "session_base.hpp"

namespace onefold::cuda {

/// A session that folds nodes of arrays.
class node_session : public session_base {
 public:
  /// The states of nodes of an array, data[0] of which is element `index`.
  void run_nodes(const void* op, const void* data, std::int64_t index, std::span<const node_run> runs, void* states) {
    if (runs.empty()) return;
    const profiled range("onefold reduce nodes");
    const current_device here(device_);
    const char* const first = static_cast<const char*>(data) + runs.front().begin * host_.element_size;
    const memory_kind where = memory_kind_of(first, device_);
    device_launch how = launch_of(op);
    const bool was_clean = clean_;
    clean_ = false;
    if (where == memory_kind::device) {
      const auto bytes = static_cast<std::size_t>(host_.state_size) * runs.size();
      scratch_->states.grow(static_cast<std::int64_t>(bytes));
      how.stream = cudaStreamLegacy;
      how.out = scratch_->states.device();
      for (const node_run& r : runs) {
        how.data = static_cast<const char*>(data) + r.begin * host_.element_size;
        how.n = r.n;
        how.first = index + r.begin;
        check(static_cast<cudaError_t>(fold_.launch(how)), "the launch of a kernel");
        how.out = static_cast<char*>(how.out) + host_.state_size;
        how.follows = true;
      }
      check(cudaStreamSynchronize(cudaStreamLegacy), "a kernel");
      std::memcpy(states, scratch_->states.host(), bytes);
    } else {
      const node_run& last = runs.back();
      if (where == memory_kind::pageable)
        require_readable(first, (last.begin + last.n - runs.front().begin) * host_.element_size);
      run_host_data(*scratch_, host_, fold_, how, data, index, runs, where == memory_kind::pinned, states);
    }
    clean_ = was_clean;
  }

 protected:
  using session_base::session_base;
};

}  // namespace onefold::cuda
