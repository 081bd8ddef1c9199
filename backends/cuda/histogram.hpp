// Counting in bins on a device: what a launch needs.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>

#include "onefold/bin_request.hpp"

namespace onefold::cuda {

/// Bins, as launches see them.
struct device_bins {
  dtype element;                ///< of the data
  const std::uint64_t* limits;  ///< as in bin_request, but in device memory
  std::uint64_t first, last;    ///< the first limit, and the key that is the last one
  std::int64_t bins;            ///< at most most_bins
  bin_guess guess;
  int processors;       ///< multiprocessors of the device
  int shared_bytes;     ///< shared memory that a block can have
  std::int64_t* slots;  ///< in device memory, slots_of() of them, for counts
};

inline constexpr std::int64_t most_bins = 0x7fffffff;

/// How many slots there are: one for each bin; of elements of 8 bits one for each value, by its bits.
inline std::int64_t slots_of(dtype element, std::int64_t bins) { return size_of(element) == 1 ? 256 : bins; }

/// Counts of bins from those of slots, in host memory: the same, or those of values added up.
inline void copy_bins(const bin_request& what, const std::int64_t* slots, std::int64_t* counts) {
  if (size_of(what.element) > 1) {
    std::copy_n(slots, what.bins, counts);
    return;
  }
  std::fill_n(counts, what.bins, 0);
  const unsigned sign = what.element == dtype::i8 ? 0x80 : 0;
  for (unsigned bits = 0; bits < 256; ++bits)
    if (const std::uint64_t key = bits ^ sign; key >= what.limits[0] && key <= what.last)
      counts[std::upper_bound(what.limits, what.limits + what.bins, key) - what.limits - 1] += slots[bits];
}

/// What counts are added to: 0, or what the slots hold.
enum class counting { anew, on };

/// Enqueues the counting of n > 0 elements at `data`, in device memory and aligned to their size.
cudaError_t enqueue_counting(const device_bins& bins, const void* data, std::int64_t n, counting from,
                             cudaStream_t stream);

}  // namespace onefold::cuda
