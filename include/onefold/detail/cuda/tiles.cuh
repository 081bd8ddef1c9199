// Tiles: the elements of some outputs on their way into a block's shared memory, whatever lies between them.
#pragma once

#include "onefold/detail/cuda/outputs.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Warps of a block that reads tiles.
inline constexpr int tile_warps = 4;

/// How the outputs of a launch are cut into tiles: one page of an output, or whole outputs of up to a page.
struct tiling {
  bool copied;          ///< elements of an output are neighbors, and copied 16 bytes at a time; else one by one
  bool dense;           ///< the outputs of a tile are neighbors too: one copy for all
  bool across;          ///< gathered: neighboring threads take neighboring outputs
  bool even;            ///< all outputs of a tile begin at the same offset from a multiple of 16 bytes
  int at_once;          ///< outputs of a tile
  int pitch;            ///< bytes from an output to the next in shared memory
  std::int64_t groups;  ///< of at_once outputs
  std::int64_t tiles;   ///< groups times pages

  static constexpr int tile_bytes = 16 << 10;           ///< of elements
  static constexpr int buffer_bytes = tile_bytes + 32;  ///< where they do not begin at 16 bytes
};

/// The tiles of a block.
template <class F, class T>
struct tile_reader {
  static constexpr int size = static_cast<int>(sizeof(T));
  const outputs_arguments<F, T>& a;
  const tiling& how;

  struct tile {
    std::int64_t output, page;
    int outputs, count;  ///< how many outputs, and elements of each
    int skipped;         ///< bytes of the buffer before the first element of the first output
  };
  __device__ tile at(std::int64_t number) const {
    tile t;
    std::int64_t group = number;
    t.page = 0;
    if (a.pages > 1) {
      group = quotient_of(number, a.pages);
      t.page = number - group * a.pages;
    }
    t.output = group * how.at_once;
    t.outputs = static_cast<int>(min(a.outputs - t.output, std::int64_t{how.at_once}));
    t.count = a.count(t.page);
    t.skipped = how.copied ? beyond(element(t.output, t.page)) : 0;
    return t;
  }

  /// The first element of a page of an output that is copied.
  __device__ const T* element(std::int64_t output, std::int64_t page) const {
    return a.data + a.kept.offset(output) + page * page_elements(size);
  }
  /// The bytes of p beyond an address that 16 divides.
  __device__ static int beyond(const T* p) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(p) & 15); }

  /// Starts reading a tile into a buffer, by all threads.
  __device__ void start(const tile& t, char* buffer) const {
    if (!how.copied) return gather(t, reinterpret_cast<T*>(buffer));
    const std::uint32_t to = shared_place(buffer);
    if (how.dense || t.outputs == 1) {
      copy(to, element(t.output, t.page), t.outputs * t.count * size);
    } else {
      const int pieces = how.pitch / 16, all = t.outputs * pieces;
#pragma unroll 1
      for (int k = static_cast<int>(threadIdx.x); k < all; k += 32 * tile_warps) {
        const int i = k / pieces, piece = k - i * pieces;
        const T* const first = element(t.output + i, 0);
        copy_piece(to + static_cast<std::uint32_t>(i * how.pitch), first, t.count * size, 16 * piece);
      }
    }
  }

  /// Calls work(tile, buffer) for each tile of the block, by all threads, with the elements in `buffer`, while the next
  /// tile's are read into the other one.
  template <class Work>
  __device__ __forceinline__ void walk(char* buffers, const Work& work) const {
    tile now{}, next{};
    int side = 0;
#pragma unroll 1
    for (std::int64_t number = std::int64_t{blockIdx.x} - gridDim.x; number < how.tiles; number += gridDim.x) {
      if (number + gridDim.x < how.tiles) {
        next = at(number + gridDim.x);
        start(next, buffers + (side ^ 1) * tiling::buffer_bytes);
      }
      end_copies();
      if (number >= 0) {
        await_copies<1>();
        __syncthreads();
        work(now, buffers + side * tiling::buffer_bytes);
        __syncthreads();  // the buffer is free
      }
      now = next;
      side ^= 1;
    }
  }

  /// Starts copying `bytes` bytes from `first` on, as far beyond `to` as they are beyond a multiple of 16 bytes.
  __device__ static void copy(std::uint32_t to, const T* first, int bytes) {
    const int skipped = beyond(first), all = skipped + bytes, begin = (skipped + 15) & ~15, end = all & ~15;
    const char* const from = reinterpret_cast<const char*>(first) - skipped;
    const int thread = static_cast<int>(threadIdx.x);
#pragma unroll 4
    for (int k = begin + 16 * thread; k < end; k += 512 * tile_warps)
      copy_ahead<16>(to + static_cast<std::uint32_t>(k), from + k);
    if (thread == 0 && skipped < begin) copy_part(to, from, skipped, min(begin, all));
    if (thread == 32 && end >= begin && end < all) copy_part(to, from, end, all);
  }

  /// Copies the bytes [begin, end) from `from` on, within 16 of them. Not inlined: only the first and the last piece of
  /// an output are not whole.
  __device__ __noinline__ static void copy_part(std::uint32_t to, const char* from, int begin, int end) {
    constexpr int unit = size < 8 ? size : 8;  // 16 bytes at once need an address that 16 divides
#pragma unroll 1
    for (int k = begin; k < end; k += unit) {
      const std::uint32_t place = to + static_cast<std::uint32_t>(k);
      if constexpr (unit >= 4)
        copy_ahead<unit>(place, from + k);
      else
        copy_small<unit>(place, from + k);
    }
  }

  /// Where the elements of output i of a tile that was read begin in its buffer, in elements.
  __device__ int place(const tile& t, int i) const {
    return (i * how.pitch + (how.even ? t.skipped : skipped_before(t.output + i, t.page))) / size;
  }

 private:
  __device__ __noinline__ int skipped_before(std::int64_t output, std::int64_t page) const {
    return beyond(element(output, page));
  }
  /// Copies the 16 bytes from `at` on, or those of them that are elements: of `bytes` at `first`, counted from the
  /// multiple of 16 bytes before it.
  __device__ static void copy_piece(std::uint32_t to, const T* first, int bytes, int at) {
    const int skipped = beyond(first), all = skipped + bytes;
    const char* const from = reinterpret_cast<const char*>(first) - skipped;
    if (at >= skipped && at + 16 <= all) [[likely]]
      copy_ahead<16>(to + static_cast<std::uint32_t>(at), from + at);
    else
      copy_part(to, from, max(at, skipped), min(at + 16, all));
  }
  __device__ void gather(const tile& t, T* to) const {
    const int all = t.outputs * t.count;
    constexpr int batch = 4, step = 32 * tile_warps;
    for (int k = static_cast<int>(threadIdx.x); k < all; k += step * batch) {
      words<T> x[batch];
      spot at[batch];
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        if (k + step * b >= all) break;
        at[b] = spot_of(a, how.across, t.output, t.page, t.outputs, t.count, k + step * b);
        x[b] = words<T>::of(a.data[at[b].offset]);
      }
#pragma unroll
      for (int b = 0; b < batch; ++b)
        if (k + step * b < all) memcpy(to + at[b].place, x[b].w, sizeof(T));
    }
  }
  /// Where a gathered element lies in the data, and in the buffer.
  struct spot {
    std::int64_t offset;
    int place;
  };
  /// Of element e of a tile, in the order in which threads take them. Not inlined: it is long.
  __device__ __noinline__ static spot spot_of(const outputs_arguments<F, T>& a, bool across, std::int64_t output,
                                              std::int64_t page, int outputs, int count, int e) {
    const int i = across ? e % outputs : e / count, j = across ? e / outputs : e - i * count;
    return {a.kept.offset(output + i) + a.reduced.offset(page * page_elements(size) + j), i * count + j};
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
