// A device of an accelerator that folds pages of arrays to the nodes of their trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "choose.hpp"
#include "modules.hpp"
#include "onefold/detail/partial.hpp"
#include "run/aligned_bytes.hpp"
#include "run/node_list.hpp"

namespace onefold::detail {

/// What an accelerator is opened for, on a device (-1: the current one).
accelerator_work work_of(const choice& c, int device);

/// The choice for elements of a partial that are in device memory.
choice choice_on_device(const partial_kind& what, const recipe& r, const memory_location& where, int device);

/// A device with the nodes that it folds. One thread at a time may use it; different ones work concurrently, and one
/// thread may start several before it waits for the first.
class page_device {
 public:
  /// Opens a device for nodes of at most n elements. Throws what the accelerator says.
  page_device(const choice& c, int device, std::int64_t n);
  ~page_device();
  page_device(const page_device&) = delete;
  page_device& operator=(const page_device&) = delete;

  /// The number of the device.
  int device() const { return device_; }

  /// Forgets all nodes.
  void clear();
  /// Adds nodes: the pages [first, last) of a slice, as fold_pages folds them. All slices are in memory of one kind.
  void add(const slice& whole, std::int64_t first, std::int64_t last, bool continues);
  /// Adds full pages of a partial: where its order does not matter as one state, which is a node's only if they are
  /// one.
  void add_full(const slice& whole, std::int64_t pages, bool order_independent);
  /// How many nodes there are.
  std::size_t size() const { return nodes_.size(); }

  /// Folds the nodes, of which there are some; does not wait where they are in device memory.
  void start(const void* op);
  /// Waits for them.
  void finish();

  /// Calls take(level, index, state) for the nodes [first, last), which are folded, in order.
  template <class Take>
  void give(std::size_t first, std::size_t last, const Take& take) const {
    for (std::size_t i = first; i < last; ++i)
      take(nodes_[i].level, nodes_[i].index, states_.data() + i * recipe_.state_size);
  }

 private:
  const recipe& recipe_;
  const accelerator& accelerator_;
  void* handle_ = nullptr;
  int device_ = -1;
  std::vector<node_list::node> nodes_;
  std::vector<node_run> runs_;
  aligned_bytes states_;
};

/// The raw elements at both ends of what a partial takes from device memory, which the host reads.
class copied_ends {
 public:
  explicit copied_ends(const accelerator& by) : by_(&by), copies_(alignof(std::max_align_t)) {}

  /// Copies `bytes` bytes from p and `more` from q on; where they are then. Throws what the accelerator says.
  std::pair<const std::byte*, const std::byte*> copy(const std::byte* p, std::size_t bytes, const std::byte* q,
                                                     std::size_t more);

 private:
  const accelerator* by_;
  aligned_bytes copies_;
};

/// Throws invalid_argument where the backend that is asked for cannot read the device memory that is there.
void require_reads(const options& how, const memory_location& where);

/// Throws where this process has lost its accelerators to fork().
void require_accelerator(backend b);

/// Throws invalid_argument where elements in memory of a device are not aligned to their size, which it needs.
void require_aligned_on_device(const accelerator& by, dtype element, const void* data);
/// The same for another alignment, in bytes; `what` is not aligned, for the message.
void require_aligned_on_device(const accelerator& by, std::int64_t align, const void* data, const std::string& what);

}  // namespace onefold::detail
