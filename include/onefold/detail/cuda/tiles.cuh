// Tiles: the elements of some outputs on their way into a block's shared memory, whatever lies between them.
#pragma once

#include "onefold/detail/cuda/outputs.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Copies 16 bytes, or as many of them as there are, and does not wait.
__device__ inline void copy_ahead(std::uint32_t to, const void* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}
__device__ inline void end_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits until at most `Groups` of this thread's latest groups of copies are in flight.
template <int Groups>
__device__ void await_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Groups) : "memory");
}

/// Warps of a block that reads tiles.
inline constexpr int tile_warps = 4;

/// How the outputs of a launch are cut into tiles: one page of an output, or whole outputs of up to a page.
struct tiling {
  bool copied;          ///< elements of an output are neighbours, and copied 16 bytes at a time; else one by one
  bool dense;           ///< the outputs of a tile are neighbours too: one copy for all
  bool across;          ///< gathered: neighbouring threads take neighbouring outputs
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
    const auto to = static_cast<std::uint32_t>(__cvta_generic_to_shared(buffer));
    if (how.dense || t.outputs == 1) {
      copy(to, element(t.output, t.page), t.outputs * t.count * size);
    } else {
      const int pieces = how.pitch / 16, all = t.outputs * pieces;
#pragma unroll 1
      for (int k = static_cast<int>(threadIdx.x); k < all; k += 32 * tile_warps) {
        const int i = k / pieces, piece = k - i * pieces;
        const T* const first = element(t.output + i, 0);
        const int skipped = beyond(first), left = skipped + t.count * size - 16 * piece;
        if (left > 0)
          copy_ahead(to + static_cast<std::uint32_t>(i * how.pitch + 16 * piece),
                     reinterpret_cast<const char*>(first) - skipped + 16 * piece, min(left, 16));
      }
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
  __device__ static void copy(std::uint32_t to, const T* first, int bytes) {
    const int skipped = beyond(first), all = skipped + bytes;
    const char* const from = reinterpret_cast<const char*>(first) - skipped;
#pragma unroll 4
    for (int k = 16 * static_cast<int>(threadIdx.x); k < all; k += 512 * tile_warps)
      copy_ahead(to + static_cast<std::uint32_t>(k), from + k, min(all - k, 16));
  }
  __device__ void gather(const tile& t, T* to) const {
    const std::int64_t first = t.page * page_elements(size);
    const int all = t.outputs * t.count;
    constexpr int batch = 4, step = 32 * tile_warps;
    for (int k = static_cast<int>(threadIdx.x); k < all; k += step * batch) {
      words<T> x[batch];
      int place[batch];
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        const int e = k + step * b;
        if (e >= all) break;
        const int i = how.across ? e % t.outputs : e / t.count, j = how.across ? e / t.outputs : e - i * t.count;
        place[b] = i * t.count + j;
        x[b] = words<T>::of(a.data[a.kept.offset(t.output + i) + a.reduced.offset(first + j)]);
      }
#pragma unroll
      for (int b = 0; b < batch; ++b)
        if (k + step * b < all) memcpy(to + place[b], x[b].w, sizeof(T));
    }
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
