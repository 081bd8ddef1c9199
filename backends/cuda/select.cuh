// The kernels that move selected elements together: they count those of chunks, add up, and move, each chunk by a
// block.
#pragma once

#include "add_up.cuh"
#include "onefold/detail/cuda/outputs.cuh"
#include "onefold/selection.hpp"

namespace onefold::cuda {
namespace {

using detail::device_axes;
using detail::lane_id;
using detail::whole_warp;

constexpr int threads = 256, of_thread = 16, warps = threads / 32;
constexpr std::int64_t chunk = threads * of_thread;  ///< places that a block looks at

/// Where the outputs are whose elements are selected.
struct selected_outputs {
  const void* borders;        ///< null: all have n elements; of segments the offsets, one more than there are
  bool wide;                  ///< offsets of 8 bytes, else of 4
  std::int64_t first;         ///< what they count from
  std::int64_t most;          ///< outputs, at most
  const std::int64_t* count;  ///< null, or how many there are
  std::int64_t* offsets;      ///< what the kernels find: how many elements are selected before each, and in all

  __device__ std::int64_t present() const { return count ? max(min(*count, most), std::int64_t{0}) : most; }
};

/// What the kernels know. A place is the number of an element of the shape, output after output; or of the elements
/// that segments may have.
struct selection_arguments {
  device_axes kept, reduced;            ///< of the data
  device_axes mask_kept, mask_reduced;  ///< of the mask
  std::int64_t n, all;                  ///< of an output of the shape, and of all of them
  const char* data;
  const unsigned char* mask;
  mask_kind kind;
  std::int64_t offset;     ///< of the first bit
  std::uint64_t infinity;  ///< not_nan: its bits, of element_size bytes
  int element_size;
  selected_outputs outputs;
  std::int64_t* before;  ///< of each chunk: how many are selected, and later how many are before it

  /// The output that a place belongs to.
  __device__ std::int64_t output(std::int64_t place) const { return place < n ? 0 : detail::quotient_of(place, n); }
  __device__ const char* element(std::int64_t place, std::int64_t output) const {
    return data + (kept.offset(output) + reduced.offset(place - output * n)) * element_size;
  }
  /// Where an output begins; of the number after the last one, where it ends. Whatever the offsets of segments are, it
  /// is a place, or the end of all.
  __device__ std::int64_t begin(std::int64_t output) const {
    if (!outputs.borders) return output * n;
    const std::int64_t at = outputs.wide ? static_cast<const std::int64_t*>(outputs.borders)[output]
                                         : std::int64_t{static_cast<const std::uint32_t*>(outputs.borders)[output]};
    return max(min(at - outputs.first, all), std::int64_t{0});
  }
  /// The first output, up to the number after the last one, that does not begin before a place; one more if all do. For
  /// a whole warp.
  __device__ std::int64_t first_from(std::int64_t place) const {
    if (!outputs.borders) return detail::quotient_of(place + n - 1, n);
    std::int64_t low = 0, past = outputs.present() + 1;
#pragma unroll 1
    while (low < past) {  // of 32 parts, which are those whose last output begins before the place?
      const std::int64_t part = (past - low + 31) / 32, last = low + part * (lane_id() + 1) - 1;
      const int parts = __popc(__ballot_sync(whole_warp, last < past && begin(last) < place));
      low = min(low + parts * part, past);
      past = min(low + part - 1, past);
    }
    return low;
  }
  __device__ bool is_selected(std::int64_t place) const {
    const std::int64_t o = output(place);
    if (kind == mask_kind::not_nan) {
      const char* const x = element(place, o);
      std::uint64_t bits = 0;
      if (element_size == 8)
        bits = *reinterpret_cast<const std::uint64_t*>(x);
      else if (element_size == 4)
        bits = *reinterpret_cast<const std::uint32_t*>(x);
      else
        bits = *reinterpret_cast<const std::uint16_t*>(x);
      const std::uint64_t sign = std::uint64_t{1} << (8 * element_size - 1);
      return (bits & ~sign) <= infinity;
    }
    const std::int64_t at = mask_kept.offset(o) + mask_reduced.offset(place - o * n);
    if (kind == mask_kind::bytes) return mask[at] != 0;
    return mask[(at + offset) >> 3] >> ((at + offset) & 7) & 1;
  }
};

/// Counts the selected elements of each chunk.
__global__ void __launch_bounds__(threads) count(const __grid_constant__ selection_arguments p) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  int mine = 0;
#pragma unroll 1
  for (int k = 0; k < of_thread; ++k) {
    const std::int64_t place = blockIdx.x * chunk + k * threads + threadIdx.x;
    mine += __popc(__ballot_sync(whole_warp, place < p.all && p.is_selected(place)));
  }
  if (lane_id() == 0) atomicAdd(&found, mine);
  __syncthreads();
  if (threadIdx.x == 0) p.before[blockIdx.x] = found;
}

/// Of each chunk: how many are before it. By one block.
__global__ void __launch_bounds__(1024) add_up(std::int64_t* before, std::int64_t chunks) {
  add_up_block(before, chunks);
}

/// The selected ones among the places of a chunk: a word for 32 of them, and how many are before each word.
struct chunk_words {
  static constexpr int count = of_thread * warps;
  unsigned words[count + 1];  ///< the last one stands for the end
  int before[count + 1];

  /// For a warp, once all words are there.
  __device__ void add_up() {
    static_assert(count == 4 * 32);
    const int first = 4 * lane_id();
    int mine = 0;
    for (int i = 0; i < 4; ++i) mine += __popc(words[first + i]);
    int below = sum_below(mine);
    for (int i = 0; i < 4; ++i) {
      before[first + i] = below;
      below += __popc(words[first + i]);
    }
    if (lane_id() == 31) {
      before[count] = below;
      words[count] = 0;
    }
  }
  /// How many are before a place of the chunk, or its end.
  __device__ int rank(int place) const {
    return before[place / 32] + __popc(words[place / 32] & ((1u << place % 32) - 1));
  }
};

/// Copies the selected elements of each chunk, in `units` parts of type Unit each, and finds how many are before each
/// output that begins there.
template <class Unit>
__global__ void __launch_bounds__(threads) move(const __grid_constant__ selection_arguments p, Unit* to, int units) {
  __shared__ chunk_words selected;
  const int warp = static_cast<int>(threadIdx.x / 32);
  const std::int64_t first = blockIdx.x * chunk;
#pragma unroll 1
  for (int k = 0; k < of_thread; ++k) {
    const std::int64_t place = first + k * threads + threadIdx.x;
    const unsigned those = __ballot_sync(whole_warp, place < p.all && p.is_selected(place));
    if (lane_id() == 0) selected.words[k * warps + warp] = those;
  }
  __syncthreads();
  if (warp == 0) selected.add_up();
  __syncthreads();
  const std::int64_t before = p.before[blockIdx.x];
  const bool is_last = first + chunk >= p.all;
  const std::int64_t past = is_last ? p.all + 1 : first + chunk, borders = p.outputs.present() + 1;
#pragma unroll 1
  for (std::int64_t o = p.first_from(first) + threadIdx.x; o < borders; o += threads) {
    const std::int64_t begin = p.begin(o);
    if (begin >= past) break;
    // Offsets may decrease, which nothing checks here, but must not lead out of the words.
    p.outputs.offsets[o] = before + selected.rank(static_cast<int>(max(begin - first, std::int64_t{0})));
  }
#pragma unroll 1
  for (int k = 0; k < of_thread; ++k) {
    const int number = k * threads + static_cast<int>(threadIdx.x);
    if (!(selected.words[number / 32] >> lane_id() & 1)) continue;
    const std::int64_t place = first + number, rank = before + selected.rank(number);
    const auto* const from = reinterpret_cast<const Unit*>(p.element(place, p.output(place)));
    for (int i = 0; i < units; ++i) to[rank * units + i] = from[i];
  }
}

/// Indices of selected elements become those of all elements of their outputs. A warp finds one.
__global__ void __launch_bounds__(threads)
    find_indices(const __grid_constant__ selection_arguments p, std::int64_t* indices) {
  const std::int64_t outputs = p.outputs.present(), chunks = (p.all + chunk - 1) / chunk;
#pragma unroll 1
  for (std::int64_t o = std::int64_t{blockIdx.x} * warps + threadIdx.x / 32; o < outputs;
       o += std::int64_t{gridDim.x} * warps) {
    const std::int64_t first = p.outputs.offsets[o], begin = p.begin(o);
    if (p.outputs.offsets[o + 1] == first) continue;
    const std::int64_t rank = first + indices[o];
    std::int64_t low = 0, past = chunks;  // the last chunk with no more before it
#pragma unroll 1
    while (past - low > 1) {
      const std::int64_t middle = low + (past - low) / 2;
      (p.before[middle] <= rank ? low : past) = middle;
    }
    auto left = static_cast<int>(rank - p.before[low]);
    std::int64_t place = low * chunk;
    if (begin > place) {  // in the same chunk
      place = begin;
      left = static_cast<int>(rank - first);
    }
    unsigned those = 0;
#pragma unroll 1
    while (place < p.all) {
      const std::int64_t mine = place + lane_id();
      those = __ballot_sync(whole_warp, mine < p.all && p.is_selected(mine));
      if (left < __popc(those)) break;
      left -= __popc(those);
      place += 32;
    }
    for (; left > 0; --left) those &= those - 1;
    __syncwarp();  // all have read the index
    if (lane_id() == 0) indices[o] = place + __ffs(static_cast<int>(those)) - 1 - begin;
  }
}

}  // namespace
}  // namespace onefold::cuda
