// A device of an accelerator that folds pages of arrays to the nodes of their trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "choose.hpp"
#include "run/aligned_bytes.hpp"
#include "run/node_list.hpp"

namespace onefold::detail {

/// What an accelerator is opened for, on a device (-1: the current one).
accelerator_work work_of(const choice& c, int device);

/// A device with the nodes that it folded last. One thread at a time may use it; different ones work concurrently.
class page_device {
 public:
  /// Opens a device for nodes of at most n elements. Throws what the accelerator says.
  page_device(const choice& c, int device, std::int64_t n);
  ~page_device();
  page_device(const page_device&) = delete;
  page_device& operator=(const page_device&) = delete;

  /// The number of the device.
  int device() const { return device_; }

  /// Folds the pages [first, last) of a slice in memory that the device can read, or of the host, as fold_pages does.
  void fold(const void* op, const slice& whole, std::int64_t first, std::int64_t last, bool continues);
  /// Folds the whole slice to one state, which is a node's only if the slice is one.
  void fold_whole(const void* op, const slice& whole);

  /// Calls take(level, index, state) for the nodes that were folded last, in order.
  template <class Take>
  void give(const Take& take) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      take(nodes_[i].level, nodes_[i].index, states_.data() + i * recipe_.state_size);
  }

 private:
  void add(int level, std::int64_t index, std::int64_t from, std::int64_t n);
  void run(const void* op, const slice& whole);

  const recipe& recipe_;
  const accelerator& accelerator_;
  void* handle_ = nullptr;
  int device_ = -1;
  std::vector<node_list::node> nodes_;
  std::vector<node_run> runs_;
  aligned_bytes states_;
};

/// Throws where this process has lost its accelerators to fork().
void require_accelerator(backend b);

/// Throws invalid_argument where elements in memory of a device are not aligned to their size, which it needs.
void require_aligned_on_device(const accelerator& by, dtype element, const void* data);

}  // namespace onefold::detail
