// Selected elements, moved together, so that those of each output are a segment.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "onefold/selection.hpp"

namespace onefold::cuda {

/// Moves the selected elements of a shape's outputs, or of segments, to neighboring places in device memory: output
/// after output, and in the order of each. All work is enqueued on a stream; what is not said otherwise is in device
/// memory. `memory` has bytes() bytes.
class selector {
 public:
  selector(const problem& shape, const selection& by, std::int64_t element_size);
  /// Of segments, whose elements are `n` from number `first` of their array on; data and selection begin with that.
  selector(const device_segments& segments, std::int64_t first, std::int64_t n, const list_selection& by,
           std::int64_t element_size);

  /// How many elements there are, selected or not.
  std::int64_t elements() const { return shape_.outputs * shape_.n; }
  /// Bytes of device memory that a run needs, and one for so many elements and outputs.
  std::int64_t bytes() const { return bytes(elements(), outputs_.count, element_size_); }
  static std::int64_t bytes(std::int64_t elements, std::int64_t outputs, std::int64_t element_size);
  /// How far the mask reaches, in bytes.
  element_reach mask_reach() const { return mask_reach_of(by_); }

  /// Moves them to the beginning of `memory`, and returns the segments that the outputs are then. `mask` is null
  /// without one.
  device_segments launch(const void* data, const void* mask, void* memory, cudaStream_t stream) const;

  /// After launch: where indices count the selected elements of each output, makes them count all.
  void launch_indices(const void* data, const void* mask, void* memory, std::int64_t* indices,
                      cudaStream_t stream) const;

 private:
  void require_countable() const;

  problem shape_;
  selection by_;
  std::int64_t element_size_;
  std::int64_t first_;
  device_segments outputs_;  ///< of a shape their number alone
};

}  // namespace onefold::cuda
