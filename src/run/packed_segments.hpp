// Selected elements of segments, moved together: segments again, of a list in which all elements count.
#pragma once

#include <cstdint>
#include <vector>

#include "choose.hpp"
#include "run/element_memory.hpp"
#include "run/segments.hpp"

namespace onefold::detail {

/// Packs the selected elements of segments, by several threads: they count those of blocks, then each moves its share.
/// The memory keeps its size from one call to the next.
class packed_segments {
 public:
  explicit packed_segments(const choice& c) : c_(c) {}

  /// Moves the selected elements together. The segments that are returned are valid until the next call. `handle` is
  /// the backend's.
  segment_list pack(const segment_list& from, void* handle, int pieces);

  /// After pack: throws empty_input for the first of this many segments of which nothing is selected.
  void require_elements(std::int64_t count) const;

  /// After pack and a reduction: where an index counts the selected elements of a segment, makes it count all.
  void restore_indices(const segment_list& from, void* handle, int pieces, void* results);

 private:
  struct counting;
  struct moving;
  struct restoring;

  const choice& c_;
  element_memory elements_;
  std::vector<char> rooms_;            ///< where each piece reads
  std::vector<std::int64_t> before_;   ///< of each block, and at the end: selected elements before it
  std::vector<std::int64_t> offsets_;  ///< of the packed segments
};

}  // namespace onefold::detail
