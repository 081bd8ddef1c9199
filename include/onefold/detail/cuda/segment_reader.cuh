// The elements of segments on their way into shared memory: each warp reads tiles of its own, chunk by chunk.
#pragma once

#include "onefold/detail/cuda/tiles.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What a warp copies at once, up to a strip of elements: whole segments; or a strip of a page, of a segment that is
/// longer.
struct segment_chunk {
  std::int64_t segment;  ///< the first one
  std::int64_t later;    ///< of a page: its number in its segment
  int segments;          ///< how many, 0: a strip
  int elements;          ///< in all; -1: nothing is left
  int strip, of_page;    ///< of a strip: its number in the page, and how many elements the page has
  bool is_whole;         ///< of a page: whether it is a segment
  std::int64_t tile;
};

/// What a warp needs to know of the segments that come next: on its way into shared memory, like their elements, so
/// that nothing waits for it before it is looked at.
struct alignas(16) segment_prospect {
  static constexpr int most = 128;    ///< segments of a chunk; of offsets of 8 bytes half as many
  segment_tile tiles[2];              ///< the next two
  alignas(8) char ends[2][4 * most];  ///< where segments end, as stored: of the next chunk, and the next tile's first
  std::uint32_t longer[36];           ///< for the fold: longer segments of a chunk
  std::uint16_t past[2][1 + most];    ///< where the segments of a chunk end in it, after a 0; of two chunks in turns
};

/// Elements of a chunk, of elements of `size` bytes.
constexpr int most_of_chunk(int size) { return strip_rows * lanes_of(size); }
/// Bytes of a chunk in shared memory: up to 15 before it, and a row after it that may be looked at.
inline constexpr int chunk_bytes = 512 * (strip_rows + 1) + 16;

template <class F, class T>
struct segment_reader {
  static constexpr int size = static_cast<int>(sizeof(T));
  static constexpr int most = most_of_chunk(size);
  static constexpr int page = static_cast<int>(page_elements(size));

  const outputs_arguments<F, T>& a;
  segment_prospect& ahead;
  std::int64_t tile, step, tiles;  ///< the tile, how far apart those of a warp are, how many there are
  std::int64_t at = 0;             ///< the next element
  std::int64_t segment = 0;        ///< the next segment
  int left = 0;                    ///< whole segments of the tile
  int ready = 0, next_ready = 0;   ///< how many ends were asked for: of the next chunk, and of the next tile's first
  int wanted = 32;                 ///< how many to ask for: most chunks have as many segments as the one before
  bool begins = false;             ///< whether a first page follows them
  int of_page = 0, strip = 0;      ///< the page that is being read: its elements, its next strip
  bool is_whole = false;
  std::int64_t later = 0;
  int side = 1;  ///< of ahead: the next tile is 1 - side, and the ends of the next chunk are at `side`

  /// For the warp with this number, of this many. Starts to read ahead; the caller waits for the copies.
  __device__ segment_reader(const outputs_arguments<F, T>& arguments, segment_prospect& memory, std::int64_t warp,
                            std::int64_t warps)
      : a(arguments), ahead(memory), tile(warp - warps), step(warps), tiles(a.segments.count(a.outputs, page)) {
    if (lane_id() < 2) ahead.past[lane_id()][0] = 0;
    copy_tile(tile + step, 0);
    copy_tile(tile + 2 * step, 1);
    end_copies();
    await_copies<0>();
    __syncwarp();
    if (tile + step < tiles) next_ready = copy_ends(ahead.tiles[0].segment, ahead.tiles[0].whole, 0);
  }

  /// The next chunk, whose elements begin at `first` of the array, and whose segments end at ahead.past[list]. What it
  /// starts to copy must be there when it is called again.
  __device__ __forceinline__ segment_chunk advance(std::int64_t& first, int list) {
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
      find_segments(c, list);
      if (c.segments > 0) {
        at += c.elements;
        take(c.segments);
        return c;
      }
      begin_page(min(end_of_segment(0), page), 0, true);
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
    constexpr int word = size < 16 ? 16 / size : 1;
    const T* const begin = a.data + first;
    const int skip = tile_reader<F, T>::beyond(begin);
    if (first >= word && first + count + word <= a.n) [[likely]] {
      const int thread = 16 * lane_id(), left = count > 0 ? skip + count * size - thread : 0;
      const char* const from = reinterpret_cast<const char*>(begin) - skip + thread;
      if (left > 0) copy_ahead<16>(buffer + static_cast<std::uint32_t>(thread), from);
      copy_rows<1>(buffer + static_cast<std::uint32_t>(thread), from, left);
    } else {
      start_at_border(a.data, a.n, first, count, buffer);
    }
    return skip / size;
  }

 private:
  __device__ bool are_rows() const { return a.segments.of_row > 0; }
  /// As start, at the beginning or the end of an array of n elements: whole words of 16 bytes as far as they are of it.
  /// Static, for the reader is in registers.
  __device__ __noinline__ static void start_at_border(const T* data, std::int64_t n, std::int64_t first, int count,
                                                      std::uint32_t buffer) {
    count = static_cast<int>(min(std::int64_t{count}, n - first));  // offsets that were not checked may lead beyond
    if (count <= 0) return;
    const T* const begin = data + first;
    const int skip = tile_reader<F, T>::beyond(begin), all = skip + count * size;
    const char* const from = reinterpret_cast<const char*>(begin) - skip;
    const char* const array = reinterpret_cast<const char*>(data);
    const int whole_from = from >= array ? 0 : 16;
    const int whole_past = from + ((all + 15) & ~15) <= array + n * size ? all : all & ~15;
    const int thread = 16 * lane_id(), left = whole_past - thread;
    if (thread >= whole_from && left > 0) copy_ahead<16>(buffer + static_cast<std::uint32_t>(thread), from + thread);
    copy_rows<1>(buffer + static_cast<std::uint32_t>(thread), from + thread, left);
    if (lane_id() == 0 && whole_from > 0) tile_reader<F, T>::copy_part(buffer, from, skip, min(all, 16));
    if (lane_id() == 0 && whole_past < all && whole_past >= whole_from)
      tile_reader<F, T>::copy_part(buffer, from, whole_past, all);
  }
  /// Copies a row of 512 bytes, as far as there are `left`, and those after it; at least two at once, for the test
  /// whether there are more is the same for all threads.
  template <int Row>
  __device__ __forceinline__ static void copy_rows(std::uint32_t to, const char* from, int left) {
    if (left > 512 * Row) copy_ahead<16, 512 * Row>(to, from);
    if constexpr (Row < strip_rows)
      if (Row % 2 == 0 || left + 16 * lane_id() > 512 * (Row + 1)) copy_rows<Row + 1>(to, from, left);
  }
  /// The whole segments of the next chunk: as many as are known of, and as its elements hold. More than 32 end with a
  /// whole group of 32, which takes as long as a part of one, unless nothing follows.
  __device__ __forceinline__ void find_segments(segment_chunk& c, int list) {
    const int all = min(left, are_rows() ? segment_prospect::most : ready);
    std::uint16_t* to = ahead.past[list] + 1 + lane_id();
#pragma unroll 1
    for (int group = 0; group < all; group += 32, to += 32) {
      const int i = group + lane_id(), past = end_of_segment(i);
      const unsigned longer = ~__ballot_sync(whole_warp, i < all && past <= most);
      const int here = __clz(static_cast<int>(__brev(longer)));
      if (here == 0 || (group > 0 && here < min(32, all - group))) break;
      if (lane_id() < here) *to = static_cast<std::uint16_t>(past);
      c.elements = __shfl_sync(whole_warp, past, here - 1);
      c.segments += here;
      if (here < 32) break;
    }
  }
  /// Where segment i of the next ones ends, from the next element on. Offsets that were not checked may decrease:
  /// nothing is read but what was copied.
  __device__ __forceinline__ int end_of_segment(int i) const {
    if (are_rows()) return (i + 1) * a.segments.of_row;
    const char* const ends = ahead.ends[side];
    if (!a.segments.wide) {
      const auto narrow = static_cast<std::uint32_t>(at), end = reinterpret_cast<const std::uint32_t*>(ends)[i];
      const auto limit = static_cast<std::uint32_t>(min(a.n, std::int64_t{0xffffffff}));
      return static_cast<int>(min(max(min(end, limit), narrow) - narrow, 1u << 30));
    }
    const std::uint64_t stored = reinterpret_cast<const std::uint64_t*>(ends)[i & (segment_prospect::most / 2 - 1)];
    const auto end = static_cast<std::int64_t>(min(stored, static_cast<std::uint64_t>(a.n)));
    return static_cast<int>(min(max(end - at, std::int64_t{0}), std::int64_t{1} << 30));
  }
  __device__ void copy_tile(std::int64_t of, int to) const {
    constexpr int words = sizeof(segment_tile) / 4;
    if (!are_rows() && of < tiles && lane_id() < words)
      copy_ahead<4>(shared_place(&ahead.tiles[to]) + static_cast<std::uint32_t>(4 * lane_id()),
                    reinterpret_cast<const char*>(a.segments.tiles + of) + 4 * lane_id());
  }
  /// Asks for the ends of the next segments, from `first` on, of which there are `count`. Returns how many come.
  __device__ __forceinline__ int copy_ends(std::int64_t first, int count, int to) const {
    if (are_rows()) return 0;
    const bool wide = a.segments.wide;
    count = min(count, min(wanted, wide ? segment_prospect::most / 2 : segment_prospect::most));
    const auto* from = static_cast<const char*>(a.segments.offsets) + (wide ? 8 : 4) * (first + 1 + lane_id());
    std::uint32_t place = shared_place(ahead.ends[to]) + static_cast<std::uint32_t>((wide ? 8 : 4) * lane_id());
#pragma unroll 1
    for (int i = lane_id(); i < count; i += 32) {
      if (wide)
        copy_ahead<8>(place, from);
      else
        copy_ahead<4>(place, from);
      from += wide ? 256 : 128;
      place += wide ? 256 : 128;
    }
    return count;
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
    ready = next_ready;
    __syncwarp();  // all have seen the tile
    copy_tile(tile + 2 * step, side);
    if (tile + step < tiles) next_ready = copy_ends(next.segment, next.whole, side ^ 1);
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
    wanted = min(2 * ((segments + 31) & ~31), segment_prospect::most);
    if (left > 0) ready = copy_ends(segment, left, side);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
