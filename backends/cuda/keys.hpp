// Groups of elements with equal keys on a device: where each group's elements begin, and in which order they are.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "onefold/detail/bit_layout.hpp"
#include "onefold/selection.hpp"
#include "onefold/types.hpp"
#include "scratch.hpp"

namespace onefold::cuda {

// Keys become ranks: unsigned numbers in the order of the keys, the same for keys that compare equal. Ranks have the
// layout of unsigned integers.
using detail::bit_layout;
using detail::bit_layout_of;

/// What a search for runs has found.
struct findings {
  std::int64_t count;            ///< of runs
  unsigned long long from_nan;   ///< how far the first NaN is from the end; 0: there is none
  unsigned long long differing;  ///< the bits in which ranks differ from the first one
  unsigned int descends;         ///< whether a rank is less than the one before it
};

/// What enqueued runs leave in device memory.
struct run_outputs {
  void* keys = nullptr;           ///< the first key of each run
  std::int64_t room = 0;          ///< for that many
  std::int64_t* count = nullptr;  ///< how many runs there are
};

/// Groups of keys.
struct key_runs {
  std::int64_t count;
  const std::uint32_t* order;  ///< in device memory: the elements' numbers in the order of the keys; null: as they are
};

/// Groups up to `most` keys of a type. `memory`: device memory of bytes() bytes, in which the groups' offsets stay
/// until it is used again.
class grouper {
 public:
  grouper(std::int64_t most, dtype keys) : most_(most), keys_(keys), wide_(most > 0xffffffffll) {}
  std::int64_t bytes() const;
  dtype key_type() const { return keys_; }

  /// Groups n keys, n > 0, in device memory, and waits: runs of equal ones, or all equal ones in ascending order; keys
  /// that do not ascend are sorted in `sorting`. Throws invalid_argument for a key that is a NaN; unsupported for more
  /// than 2^32 keys that have to be sorted.
  key_runs group(const void* keys, std::int64_t n, bool runs, void* memory, device_memory& sorting) const;

  /// The groups as segments of n elements in their order.
  device_segments segments(const key_runs& made, std::int64_t n, void* memory) const;

  /// Enqueues copies of the groups' first keys to device memory.
  void gather_keys(const void* keys, const key_runs& made, void* memory, void* to) const;

  /// Enqueues a search for the runs of n keys, n > 0; keys that are NaN are runs as far as their bits are equal.
  /// Returns the runs as segments, of which to.room are the most.
  device_segments enqueue_runs(const void* keys, std::int64_t n, void* memory, const run_outputs& to,
                               cudaStream_t stream) const;

 private:
  struct layout;
  void* offsets(void* memory) const;
  template <class Word>
  void find(const Word* keys, std::int64_t n, const bit_layout& by, bool examines, void* memory, const run_outputs& to,
            cudaStream_t stream) const;
  template <class Word>
  const std::uint32_t* sort(const Word* keys, std::int64_t n, std::uint64_t differing, void* memory,
                            device_memory& sorting) const;

  std::int64_t most_;
  dtype keys_;
  bool wide_;
};

/// Enqueues copies of n elements of `size` bytes, in an order, to device memory.
void gather_elements(const void* from, std::int64_t size, const std::uint32_t* order, std::int64_t n, void* to);

/// Enqueues copies of the mask of n elements, in an order, to device memory: a byte for each.
void gather_mask(const list_selection& by, const std::uint32_t* order, std::int64_t n, unsigned char* to);

}  // namespace onefold::cuda
