// Segments on a device: which pages of which segments each tile has. docs/shapes.md.
//
// Nothing is known of the offsets before a launch. So the pages of all segments, one for a segment without elements,
// are put in a row: page p of segment i at the key offsets[i] - offsets[0] + i + p * (elements of a page). Keys
// increase from page to page, and a tile has those of as many keys as a page has elements: at most so many segments,
// fewer than twice as many elements, and one page at most of a segment of several.
#pragma once

#include "onefold/detail/cuda/launch.cuh"
#include "onefold/detail/cuda/words.cuh"
#include "onefold/device.hpp"
#include "onefold/order.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A page of a segment.
struct alignas(16) segment_page {
  std::int64_t segment, page;
  std::int64_t begin, end;  ///< the offsets of the segment
};

/// The segments of a launch. What their offsets say is taken only as far as there are elements.
struct segment_table {
  const void* data;  ///< the offsets, or null: the outputs are no segments
  bool wide;         ///< 8 bytes each, else 4
  std::int64_t elements;
  segment_page* firsts;         ///< of each tile and of the end: its first page
  std::int64_t* long_segments;  ///< of each tile: the segment of several pages that begins there, or -1

  __device__ std::int64_t operator[](std::int64_t i) const {
    const std::uint64_t x =
        wide ? static_cast<const std::uint64_t*>(data)[i] : std::uint64_t{static_cast<const std::uint32_t*>(data)[i]};
    return static_cast<std::int64_t>(min(x, static_cast<std::uint64_t>(elements)));
  }

  /// How many tiles `segments` segments have, of elements of which a page has `page`.
  __device__ std::int64_t tiles(std::int64_t segments, std::int64_t page) const {
    return ((*this)[segments] - (*this)[0] + segments + page - 1) / page;
  }
  /// At most so many, for any offsets.
  static std::int64_t most_tiles(std::int64_t segments, std::int64_t elements, std::int64_t page) {
    return (elements + segments + page - 1) / page;
  }

  /// The page of segment `i`, or the first one of the segment after it, that is the first with a key of at least
  /// `past_first` above that of the segment's first page.
  __device__ segment_page page_from(std::int64_t i, std::int64_t segments, std::int64_t past_first,
                                    std::int64_t page) const {
    segment_page at{i, (past_first + page - 1) / page, (*this)[i], (*this)[i + 1]};
    if (at.page == 0 || at.page * page < at.end - at.begin) return at;
    return {i + 1, 0, at.end, i + 1 < segments ? max((*this)[i + 2], at.end) : at.end};
  }
};

/// Finds the first pages of all tiles, one a thread.
template <int Page>
__global__ void find_tiles(const __grid_constant__ segment_table of, std::int64_t segments) {
  constexpr int ways = 8;  // whose keys are looked at at once
  await_stream();
  const std::int64_t base = of[0], tiles = of.tiles(segments, Page);
  for (std::int64_t tile = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; tile <= tiles;
       tile += std::int64_t{gridDim.x} * blockDim.x) {
    const std::int64_t key = tile * Page;
    std::int64_t low = 0, past = segments;  // the first page of segment `low` has no key above
#pragma unroll 1
    while (past - low > 1) {
      const std::int64_t step = (past - low + ways - 1) / ways;
      int passed = 0;
#pragma unroll
      for (int i = 1; i < ways; ++i) {
        const std::int64_t at = low + i * step;
        passed += (of[min(at, segments)] - base + at <= key) & (at < past);
      }
      past = min(past, low + (passed + 1) * step);
      low += passed * step;
    }
    of.firsts[tile] = of.page_from(low, segments, key - (of[low] - base + low), Page);
  }
  release_stream();
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
