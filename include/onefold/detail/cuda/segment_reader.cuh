// The elements of segments on their way into shared memory: each warp reads tiles of its own, chunk by chunk.
#pragma once

#include "onefold/detail/cuda/tiles.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What a warp copies at once, up to a strip of elements: whole segments, one for each thread; or a strip of a page,
/// of a segment that is longer.
struct segment_chunk {
  std::int64_t segment;  ///< the first one
  std::int64_t later;    ///< of a page: its number in its segment
  int segments;          ///< how many, 0: a strip
  int elements;          ///< in all; -1: nothing is left
  int place, n;          ///< of this thread's segment: where its elements begin, and how many; 0 where there is none
  int strip, of_page;    ///< of a strip: its number in the page, and how many elements the page has
  bool is_whole;         ///< of a page: whether it is a segment
  std::int64_t tile;
};

/// What a warp needs to know of the segments that come next: on its way into shared memory, like their elements, so
/// that nothing waits for it before it is looked at.
struct alignas(16) segment_prospect {
  segment_tile tiles[2];  ///< the next two
  std::uint64_t ends[2]
                    [32];  ///< where segments end, as stored: those of the next chunk, and the next tile's first ones
};

template <class F, class T>
struct segment_reader {
  static constexpr int size = static_cast<int>(sizeof(T));
  static constexpr int most = strip_rows * lanes_of(size);  ///< elements of a chunk
  static constexpr int page = static_cast<int>(page_elements(size));
  /// Bytes of a chunk in shared memory: up to 15 before it, and a row behind it that may be looked at.
  static constexpr int buffer = 512 * (strip_rows + 1) + 16;

  const outputs_arguments<F, T>& a;
  segment_prospect& ahead;
  std::int64_t tile, step, tiles;  ///< the tile, how far apart those of a warp are, how many there are
  std::int64_t at = 0;             ///< the next element
  std::int64_t segment = 0;        ///< the next segment
  int left = 0;                    ///< whole segments of the tile
  bool begins = false;             ///< whether a first page follows them
  int of_page = 0, strip = 0;      ///< the page that is being read: its elements, its next strip
  bool is_whole = false;
  std::int64_t later = 0;
  int side = 1;  ///< of ahead: the next tile is 1 - side, and the ends of the next chunk are at `side`

  /// For the warp with this number, of so many. Starts to read ahead; the caller waits for the copies.
  __device__ segment_reader(const outputs_arguments<F, T>& arguments, segment_prospect& memory, std::int64_t warp,
                            std::int64_t warps)
      : a(arguments), ahead(memory), tile(warp - warps), step(warps), tiles(a.segments.count(a.outputs, page)) {
    for (auto& ends : ahead.ends) ends[lane_id()] = 0;  // offsets of 4 bytes leave half of it
    copy_tile(tile + step, 0);
    copy_tile(tile + 2 * step, 1);
    end_copies();
    await_copies<0>();
    __syncwarp();
    if (tile + step < tiles) copy_ends(ahead.tiles[0].segment, ahead.tiles[0].whole, 0);
  }

  /// The next chunk, whose elements begin at `first` of the array. What it starts to copy must be there when it is
  /// called again.
  __device__ __forceinline__ segment_chunk advance(std::int64_t& first) {
    segment_chunk c{};
    while (of_page == 0 && left == 0 && !begins) {
      if (tile + step >= tiles) {
        c.elements = -1;
        return c;
      }
      begin_tile();
      if (of_page > 0 || left > 0 || begins) break;
      end_copies();  // a tile without pages
      await_copies<0>();
      __syncwarp();
    }
    c.tile = tile;
    c.segment = segment;
    first = at;
    if (of_page == 0 && left > 0) {
      const int past = end_of_segment();
      const unsigned longer = ~__ballot_sync(whole_warp, lane_id() < left && past <= most);
      c.segments = __clz(static_cast<int>(__brev(longer)));
      if (c.segments > 0) {
        const int before = __shfl_up_sync(whole_warp, past, 1);
        const bool there = lane_id() < c.segments;
        c.place = there && lane_id() > 0 ? before : 0;
        c.n = there ? max(past - c.place, 0) : 0;
        c.elements = __shfl_sync(whole_warp, past, c.segments - 1);
        at += c.elements;
        take(c.segments);
        return c;
      }
      begin_page(min(__shfl_sync(whole_warp, past, 0), page), 0, true);
    } else if (of_page == 0) {
      begins = false;
      begin_page(page, 0, false);
    }
    c.strip = strip;
    c.of_page = of_page;
    c.is_whole = is_whole;
    c.later = later;
    c.elements = min(of_page - strip * most, most);
    at += c.elements;
    ++strip;
    if (strip * most >= of_page) {
      of_page = 0;
      if (is_whole) take(1);
    }
    return c;
  }

  /// Starts copying the chunk that begins at element `first` of the array into a buffer. Returns the place of that
  /// element there, in elements.
  __device__ __forceinline__ int start(std::int64_t first, int count, std::uint32_t buffer) const {
    count = static_cast<int>(min(std::int64_t{count}, a.n - first));  // offsets that were not checked may lead beyond
    const T* const begin = a.data + first;
    const int skip = tile_reader<F, T>::beyond(begin), all = skip + count * size;
    const char* const from = reinterpret_cast<const char*>(begin) - skip;
    // Whole words of 16 bytes, as far as they are of the array.
    const char* const array = reinterpret_cast<const char*>(a.data);
    const int whole_from = from >= array ? 0 : 16;
    const int whole_past = from + ((all + 15) & ~15) <= array + a.n * size ? all : all & ~15;
    const int thread = 16 * lane_id();
    if (count > 0) {
#pragma unroll
      for (int i = 0; i <= strip_rows; ++i)
        if ((i > 0 || thread >= whole_from) && thread + 512 * i < whole_past)
          copy_ahead<16>(buffer + static_cast<std::uint32_t>(thread + 512 * i), from + thread + 512 * i);
      if (lane_id() == 0 && whole_from > 0) tile_reader<F, T>::copy_part(buffer, from, skip, min(all, 16));
      if (lane_id() == 0 && whole_past < all && whole_past >= whole_from)
        tile_reader<F, T>::copy_part(buffer, from, whole_past, all);
    }
    return skip / size;
  }

 private:
  __device__ bool are_rows() const { return a.segments.of_row > 0; }
  /// Where this thread's segment of the next ones ends, from the next element on.
  __device__ __forceinline__ int end_of_segment() const {
    if (are_rows()) return (lane_id() + 1) * a.segments.of_row;
    const auto end = static_cast<std::int64_t>(min(ahead.ends[side][lane_id()], static_cast<std::uint64_t>(a.n)));
    // Offsets that were not checked may decrease: nothing is read but what was copied.
    return static_cast<int>(min(max(end - at, std::int64_t{0}), std::int64_t{1} << 30));
  }
  __device__ void copy_tile(std::int64_t of, int to) const {
    constexpr int words = sizeof(segment_tile) / 4;
    if (!are_rows() && of < tiles && lane_id() < words)
      copy_ahead<4>(shared_place(&ahead.tiles[to]) + static_cast<std::uint32_t>(4 * lane_id()),
                    reinterpret_cast<const char*>(a.segments.tiles + of) + 4 * lane_id());
  }
  /// The ends of the segments from `first` on, of which there are `count`.
  __device__ void copy_ends(std::int64_t first, int count, int to) const {
    if (are_rows() || lane_id() >= count) return;
    const std::int64_t i = first + lane_id() + 1;
    const auto* const from = static_cast<const char*>(a.segments.offsets);
    const std::uint32_t place = shared_place(&ahead.ends[to][lane_id()]);
    if (a.segments.wide) {
      copy_ahead<8>(place, from + 8 * i);
    } else {
      copy_ahead<4>(place, from + 4 * i);
    }
  }
  __device__ void begin_tile() {
    tile += step;
    if (are_rows()) {
      segment = tile * a.segments.of_tile;
      at = segment * a.segments.of_row;
      left = static_cast<int>(min(a.outputs - segment, std::int64_t{a.segments.of_tile}));
      return;
    }
    side ^= 1;
    const segment_tile now = ahead.tiles[side], next = ahead.tiles[side ^ 1];
    at = now.first;
    segment = now.segment;
    left = now.whole;
    begins = now.begins != 0;
    __syncwarp();  // all have seen the tile
    copy_tile(tile + 2 * step, side);
    if (tile + step < tiles) copy_ends(next.segment, next.whole, side ^ 1);
    if (now.of_later > 0) begin_page(now.of_later, now.later, false);
  }
  __device__ void begin_page(int elements, std::int64_t number, bool whole) {
    of_page = elements;
    strip = 0;
    later = number;
    is_whole = whole;
  }
  __device__ void take(int segments) {
    segment += segments;
    left -= segments;
    if (left > 0) copy_ends(segment, left, side);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
