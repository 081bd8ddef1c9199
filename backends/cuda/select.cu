#include "select.hpp"

#include <algorithm>
#include <bit>

#include "errors.hpp"
#include "onefold/detail/cuda/outputs.cuh"

namespace onefold::cuda {
namespace {

using detail::device_axes;
using detail::lane_id;
using detail::whole_warp;

constexpr int threads = 256, of_thread = 16, warps = threads / 32;
constexpr std::int64_t chunk = threads * of_thread;  ///< places that a block looks at

/// What the kernels know. A place is the number of an element of the shape, output after output.
struct places {
  device_axes kept, reduced;            ///< of the data
  device_axes mask_kept, mask_reduced;  ///< of the mask
  std::int64_t n, all;                  ///< of an output, and of all of them
  const char* data;
  const unsigned char* mask;
  mask_kind kind;
  std::int64_t offset;     ///< of the first bit
  std::uint64_t infinity;  ///< not_nan: its bits, of element_size bytes
  int element_size;
  std::int64_t* offsets;  ///< of the segments
  std::int64_t* before;   ///< of each chunk: how many are selected, and later how many are before it

  /// The output that a place belongs to.
  __device__ std::int64_t output(std::int64_t place) const { return place < n ? 0 : detail::quotient_of(place, n); }
  __device__ const char* element(std::int64_t place, std::int64_t output) const {
    return data + (kept.offset(output) + reduced.offset(place - output * n)) * element_size;
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
__global__ void __launch_bounds__(threads) count(const __grid_constant__ places p) {
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

/// This thread's number among those of a warp, added up with those of the threads below it.
template <class N>
__device__ N sum_below(N mine) {
  N sum = mine;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const N below = __shfl_up_sync(whole_warp, sum, d);
    if (lane_id() >= d) sum += below;
  }
  return sum - mine;
}

/// Of each chunk: how many are before it. By one block.
__global__ void __launch_bounds__(1024) add_up(std::int64_t* before, std::int64_t chunks) {
  __shared__ std::int64_t of_warp[32];
  const int warp = static_cast<int>(threadIdx.x / 32);
  std::int64_t carried = 0;
#pragma unroll 1
  for (std::int64_t first = 0; first < chunks; first += 1024) {
    const std::int64_t i = first + threadIdx.x, mine = i < chunks ? before[i] : 0;
    const std::int64_t below = sum_below(mine);
    if (lane_id() == 31) of_warp[warp] = below + mine;
    __syncthreads();
    const std::int64_t warps_below = sum_below(of_warp[lane_id()]);
    const std::int64_t of_block = __shfl_sync(whole_warp, warps_below + of_warp[lane_id()], 31);
    const std::int64_t of_warps_below = __shfl_sync(whole_warp, warps_below, warp);
    if (i < chunks) before[i] = carried + of_warps_below + below;
    carried += of_block;
    __syncthreads();
  }
}

/// Copies the selected elements of each chunk, in `units` parts of type Unit each, and notes where outputs begin.
template <class Unit>
__global__ void __launch_bounds__(threads) move(const __grid_constant__ places p, Unit* to, int units) {
  __shared__ int counts[of_thread][warps];
  const int warp = static_cast<int>(threadIdx.x / 32);
  unsigned mine = 0;  // bit k: whether this thread's element of that round is selected
#pragma unroll 1
  for (int k = 0; k < of_thread; ++k) {
    const std::int64_t place = blockIdx.x * chunk + k * threads + threadIdx.x;
    const bool selected = place < p.all && p.is_selected(place);
    mine |= static_cast<unsigned>(selected) << k;
    const unsigned those = __ballot_sync(whole_warp, selected);
    if (lane_id() == 0) counts[k][warp] = __popc(those);
  }
  __syncthreads();
  if (warp == 0) {  // each thread has four neighbours of the table
    static_assert(of_thread * warps == 4 * 32);
    int* const four = &counts[0][0] + 4 * lane_id();
    int below = sum_below(four[0] + four[1] + four[2] + four[3]);
    for (int i = 0; i < 4; ++i) {
      const int here = four[i];
      four[i] = below;
      below += here;
    }
  }
  __syncthreads();
  const std::int64_t before = p.before[blockIdx.x];
#pragma unroll 1
  for (int k = 0; k < of_thread; ++k) {
    const std::int64_t place = blockIdx.x * chunk + k * threads + threadIdx.x;
    const bool selected = mine >> k & 1;
    const unsigned those = __ballot_sync(whole_warp, selected);
    if (place >= p.all) continue;
    const std::int64_t rank = before + counts[k][warp] + __popc(those & ((1u << lane_id()) - 1));
    const std::int64_t output = p.output(place);
    if (place == output * p.n) p.offsets[output] = rank;
    if (place == p.all - 1) p.offsets[output + 1] = rank + selected;
    if (!selected) continue;
    const auto* const from = reinterpret_cast<const Unit*>(p.element(place, output));
    for (int i = 0; i < units; ++i) to[rank * units + i] = from[i];
  }
}

/// Indices of selected elements become those of all elements of their outputs. A warp finds one.
__global__ void __launch_bounds__(threads) find_indices(const __grid_constant__ places p, std::int64_t* indices) {
  const std::int64_t outputs = p.all / p.n, chunks = (p.all + chunk - 1) / chunk;
#pragma unroll 1
  for (std::int64_t o = std::int64_t{blockIdx.x} * warps + threadIdx.x / 32; o < outputs;
       o += std::int64_t{gridDim.x} * warps) {
    const std::int64_t first = p.offsets[o];
    if (p.offsets[o + 1] == first) continue;
    const std::int64_t rank = first + indices[o];
    std::int64_t low = 0, past = chunks;  // the last chunk with no more before it
#pragma unroll 1
    while (past - low > 1) {
      const std::int64_t middle = low + (past - low) / 2;
      (p.before[middle] <= rank ? low : past) = middle;
    }
    auto left = static_cast<int>(rank - p.before[low]);
    std::int64_t place = low * chunk;
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
    if (lane_id() == 0) indices[o] = place + __ffs(static_cast<int>(those)) - 1 - o * p.n;
  }
}

device_axes axes_of(const axis* axes, std::int32_t count) {
  device_axes to{count, {}};
  std::copy_n(axes, count, to.of);
  return to;
}

constexpr std::int64_t rounded_up(std::int64_t bytes) { return (bytes + 255) / 256 * 256; }
std::int64_t chunks_of(std::int64_t elements) { return (elements + chunk - 1) / chunk; }

/// The bits of an infinity.
std::uint64_t infinity_of(dtype type) {
  switch (type) {
    case dtype::f16:
      return 0x7c00;
    case dtype::bf16:
      return 0x7f80;
    case dtype::f32:
      return 0x7f800000;
    default:
      return 0x7ff0000000000000;
  }
}

/// In memory: the elements, the offsets, and what is before each chunk.
places places_of(const problem& shape, const selection& by, std::int64_t element_size, const void* data,
                 const void* mask, void* memory) {
  const std::int64_t all = shape.outputs * shape.n;
  auto* const offsets =
      reinterpret_cast<std::int64_t*>(static_cast<char*>(memory) + rounded_up(all * element_size + 16));
  const problem& m = by.places;
  return {axes_of(shape.kept, shape.kept_axes),
          axes_of(shape.reduced, shape.reduced_axes),
          axes_of(m.kept, m.kept_axes),
          axes_of(m.reduced, m.reduced_axes),
          shape.n,
          all,
          static_cast<const char*>(data),
          static_cast<const unsigned char*>(mask),
          by.kind,
          by.offset,
          infinity_of(by.element),
          static_cast<int>(element_size),
          offsets,
          offsets + shape.outputs + 1};
}

template <class Unit>
void launch_move(const places& p, unsigned blocks, void* to, cudaStream_t stream) {
  move<Unit>
      <<<blocks, threads, 0, stream>>>(p, static_cast<Unit*>(to), p.element_size / static_cast<int>(sizeof(Unit)));
}

}  // namespace

selector::selector(const problem& shape, const selection& by, std::int64_t element_size)
    : shape_(shape), by_(by), element_size_(element_size) {
  if (chunks_of(elements()) > 0x7fffffff)
    throw error(error_code::unsupported, "backend cuda selects from at most 2^43 elements");
}

std::int64_t selector::bytes() const {
  return rounded_up(elements() * element_size_ + 16) + 8 * (shape_.outputs + 1 + chunks_of(elements()));
}

void* selector::selected(void* memory) const { return memory; }

device_segments selector::launch(const void* data, const void* mask, void* memory, cudaStream_t stream) const {
  const places p = places_of(shape_, by_, element_size_, data, mask, memory);
  const std::int64_t chunks = chunks_of(p.all);
  if (chunks == 0) {
    check(cudaMemsetAsync(p.offsets, 0, static_cast<std::size_t>(8 * (shape_.outputs + 1)), stream), "a memset");
  } else {
    const auto blocks = static_cast<unsigned>(chunks);
    count<<<blocks, threads, 0, stream>>>(p);
    add_up<<<1, 1024, 0, stream>>>(p.before, chunks);
    // The largest parts that elements consist of, wherever they are.
    const auto part =
        std::countr_zero(reinterpret_cast<std::uintptr_t>(data) | static_cast<std::uintptr_t>(element_size_));
    if (part >= 3)
      launch_move<std::uint64_t>(p, blocks, memory, stream);
    else if (part == 2)
      launch_move<std::uint32_t>(p, blocks, memory, stream);
    else if (part == 1)
      launch_move<std::uint16_t>(p, blocks, memory, stream);
    else
      launch_move<unsigned char>(p, blocks, memory, stream);
  }
  check(cudaGetLastError(), "the launch of a kernel");
  return {p.all, p.all, p.offsets, shape_.outputs, true};
}

void selector::launch_indices(const void* data, const void* mask, void* memory, std::int64_t* indices,
                              cudaStream_t stream) const {
  const places p = places_of(shape_, by_, element_size_, data, mask, memory);
  if (p.all == 0) return;
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>((shape_.outputs + warps - 1) / warps, 1 << 16));
  find_indices<<<blocks, threads, 0, stream>>>(p, indices);
  check(cudaGetLastError(), "the launch of a kernel");
}

}  // namespace onefold::cuda
