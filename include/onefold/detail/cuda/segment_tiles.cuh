// Segments on a device: which pages of which segments each tile has. docs/shapes.md.
//
// Nothing is known of the offsets before a launch. So the pages of all segments, one for a segment without elements,
// are put in a row: page p of segment i at the key offsets[i] - offsets[0] + i + p * (elements of a page). Keys
// increase from page to page, and a tile has those of as many keys as a page has elements: at most this many segments,
// fewer than twice as many elements, and one page at most of a segment of several.
#pragma once

#include "onefold/detail/cuda/stream.cuh"
#include "onefold/detail/cuda/words.cuh"
#include "onefold/device.hpp"
#include "onefold/order.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A tile: a later page of the segment before `segment`, or none; whole segments of up to a page; the first page of the
/// segment after them, or none. Its elements follow each other.
struct alignas(16) segment_tile {
  std::int64_t first;     ///< the first element's place in the array
  std::int64_t segment;   ///< the first whole segment, or where it would be
  std::int64_t later;     ///< the number of the later page; 0: there is none
  std::int32_t count;     ///< elements
  std::int32_t whole;     ///< whole segments
  std::int32_t of_later;  ///< elements of the later page
  std::int32_t begins;    ///< whether there is a first page, of the last elements
};

/// a / b, for a >= 0 and b > 0: a division of 64 bits takes 70 instructions.
__device__ inline std::int64_t quotient_of(std::int64_t a, std::int64_t b) {
  return ((a | b) >> 32) == 0 ? static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b) : a / b;
}

/// The segments of a launch. What their offsets say is taken only as far as there are elements.
struct segment_table {
  const void* offsets;  ///< null: the outputs are no segments, or rows
  bool wide;            ///< offsets of 8 bytes, else 4
  std::int64_t elements;
  segment_tile* tiles;
  const std::int64_t* device_count;  ///< null, or how many segments there are
  std::int32_t of_row = 0;   ///< elements of each segment where all have as many: offsets and tiles are not needed then
  std::int32_t of_tile = 0;  ///< how many rows a tile has

  __device__ std::int64_t operator[](std::int64_t i) const { return element(stored(i)); }
  /// The element that an offset stands for.
  __device__ std::int64_t element(std::uint64_t offset) const {
    return static_cast<std::int64_t>(min(offset, static_cast<std::uint64_t>(elements)));
  }
  /// What the offset says: nothing waits for it here.
  __device__ std::uint64_t stored(std::int64_t i) const {
    return wide ? static_cast<const std::uint64_t*>(offsets)[i]
                : std::uint64_t{static_cast<const std::uint32_t*>(offsets)[i]};
  }

  /// How many segments there are, of at most this many.
  __device__ std::int64_t present(std::int64_t most) const { return device_count ? min(*device_count, most) : most; }
  /// How many tiles they have, of elements of which a page has `page`.
  __device__ std::int64_t count(std::int64_t most, std::int64_t page) const {
    if (of_row > 0) return quotient_of(most + of_tile - 1, of_tile);
    const std::int64_t segments = present(most);
    return ((*this)[segments] - (*this)[0] + segments + page - 1) / page;
  }
  /// At most this many, for any offsets.
  static std::int64_t most(std::int64_t segments, std::int64_t elements, std::int64_t page) {
    return (elements + segments + page - 1) / page;
  }
};

inline constexpr int find_tiles_threads = 64;  ///< each finds where a tile begins, and the last one only that

/// Finds all tiles.
template <int Page>
__global__ void __launch_bounds__(find_tiles_threads)
    find_tiles(const __grid_constant__ segment_table of, std::int64_t most) {
  constexpr int ways = 8;  // whose keys are looked at at once
  /// A page of a segment, and the segment's offsets.
  struct page_of {
    std::int64_t segment, page, begin, end;
  };
  __shared__ page_of first[find_tiles_threads];
  await_stream();
  const std::int64_t segments = of.present(most), base = of[0], tiles = of.count(segments, Page);
  const double mean = static_cast<double>(segments) / static_cast<double>(of[segments] - base + segments);
  constexpr int at_once = find_tiles_threads - 1;
#pragma unroll 1
  for (std::int64_t of_block = std::int64_t{blockIdx.x} * at_once; of_block < tiles;
       of_block += std::int64_t{gridDim.x} * at_once) {
    const std::int64_t tile = min(of_block + static_cast<int>(threadIdx.x), tiles), key = tile * Page;
    std::int64_t low = 0, past = segments;  // the first page of segment `low` has no key above
    // Looks at some segments at once, in ascending order.
    const auto narrow = [&](const std::int64_t(&at)[ways - 1]) {
      std::uint64_t begin[ways - 1];
#pragma unroll
      for (int i = 0; i < ways - 1; ++i) begin[i] = of.stored(at[i]);
#pragma unroll
      for (int i = 0; i < ways - 1; ++i) {
        const bool passed = of.element(begin[i]) - base + at[i] <= key;
        low = passed ? max(low, at[i]) : low;
        past = passed ? past : min(past, at[i]);
      }
    };
    // Where it would be if all segments were equal, right beside it, and around it.
    const auto middle = static_cast<std::int64_t>(static_cast<double>(key) * mean);
    constexpr int far[ways - 1] = {-4096, -32, -1, 0, 1, 32, 4096};
    std::int64_t at[ways - 1];
#pragma unroll
    for (int i = 0; i < ways - 1; ++i) at[i] = min(max(middle + far[i], std::int64_t{0}), segments - 1);
    narrow(at);
#pragma unroll 1
    while (past - low > 1) {
      const std::int64_t step = (past - low + ways - 1) / ways;
#pragma unroll
      for (int i = 0; i < ways - 1; ++i) at[i] = min(low + (i + 1) * step, past - 1);
      narrow(at);
    }
    // The first page with that key or one above: of this segment, or the next one's.
    page_of here{low, 0, of[low], of[low + 1]};
    here.page = (key - (here.begin - base + low) + Page - 1) / Page;
    if (here.page > 0 && here.page * Page >= here.end - here.begin)
      here = {low + 1, 0, here.end, low + 1 < segments ? max(of[low + 2], here.end) : here.end};
    first[threadIdx.x] = here;
    __syncthreads();
    if (threadIdx.x < at_once && of_block + static_cast<int>(threadIdx.x) < tiles) {
      const page_of next = first[threadIdx.x + 1];
      segment_tile t{};
      t.first = here.begin + here.page * Page;
      t.count = static_cast<std::int32_t>(next.begin + next.page * Page - t.first);
      t.segment = here.segment + (here.page > 0 ? 1 : 0);
      t.whole = static_cast<std::int32_t>(min(max(next.segment - t.segment, std::int64_t{0}), std::int64_t{Page}));
      t.begins = next.page > 0 && next.segment >= t.segment;
      if (here.page > 0 && (next.segment > here.segment || next.page > here.page)) {
        t.later = here.page;
        t.of_later = static_cast<std::int32_t>(min(here.end - t.first, std::int64_t{Page}));
      }
      of.tiles[tile] = t;
    }
    __syncthreads();
  }
  release_stream();
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
