// The kernels that find the places of selected elements of lines: a warp looks at a part of a line, or at several short
// lines.
#pragma once

#include "add_up.cuh"
#include "onefold/detail/cuda/launch.cuh"
#include "onefold/detail/cuda/outputs.cuh"
#include "onefold/selection.hpp"

namespace onefold::cuda {
namespace {

/// Elements of a part of a line.
constexpr std::int64_t places_of_part = 2048;
/// Warps of a block, and elements of a thread that are loaded together.
constexpr int place_warps = 8, places_at_once = 4;

/// What the kernels know; elements are words of type Unit.
template <class Unit>
struct place_arguments {
  detail::device_axes from, from_along;  ///< where lines begin and how they go on: elements,
  detail::device_axes mask, mask_along;  ///< the mask,
  detail::device_axes to, to_along;      ///< and results
  std::int64_t first, lines, n, parts;
  const Unit* data;
  const unsigned char* bytes;  ///< of the mask
  Unit* out;                   ///< null: what is not selected has no result
  mask_kind kind;
  std::int64_t offset;  ///< of the first bit
  Unit sign, infinity;  ///< the bits of elements
  Unit fill;            ///< of results that are not selected
  std::int64_t* counts;
  std::uint32_t* places;
  std::int64_t* before;  ///< of each part: how many are selected, and later how many are before it in its line

  /// Whether a place of a line is, whose data and mask begin there.
  __device__ __forceinline__ bool selects(const Unit* x, std::int64_t of_mask, std::int64_t place) const {
    if (kind == mask_kind::not_nan) return static_cast<Unit>(x[from_along.offset(place)] & ~sign) <= infinity;
    const std::int64_t at = of_mask + mask_along.offset(place);
    if (kind == mask_kind::bytes) return bytes[at] != 0;
    return bytes[(at + offset) >> 3] >> ((at + offset) & 7) & 1;
  }
};

/// Counts the selected elements of each part, or finds their places. `width` threads, a power of two, have a line of at
/// most as many elements; 32 have a part of a longer one.
template <class Unit, bool Counts>
__global__ void __launch_bounds__(32 * place_warps)
    look_at_parts(const __grid_constant__ place_arguments<Unit> p, int width) {
  detail::await_stream();
  const int lane = detail::lane_id(), mine = lane & (width - 1), groups = 32 / width;
  const unsigned of_group = (width == 32 ? ~0u : (1u << width) - 1) << (lane - mine), below = (1u << lane) - 1;
  const std::int64_t units = p.lines * p.parts;
#pragma unroll 1
  for (std::int64_t first = (std::int64_t{blockIdx.x} * place_warps + threadIdx.x / 32) * groups; first < units;
       first += std::int64_t{gridDim.x} * place_warps * groups) {
    const std::int64_t unit = first + lane / width;
    const bool is_there = unit < units;
    const std::int64_t line = p.parts > 1 ? detail::quotient_of(unit, p.parts) : is_there ? unit : first;
    const std::int64_t begin = (p.parts > 1 ? unit - line * p.parts : 0) * places_of_part;
    const std::int64_t end = min(p.n, begin + places_of_part);
    const Unit* const x = p.data + p.from.offset(p.first + line);
    const std::int64_t of_mask = p.mask.offset(p.first + line);
    Unit* const y = p.out ? p.out + p.to.offset(p.first + line) : nullptr;
    std::uint32_t* const places = p.places + line * p.n;
    std::int64_t rank = !Counts && p.parts > 1 ? p.before[unit] : 0;
#pragma unroll 1
    for (std::int64_t at = begin; at < end; at += places_at_once * width) {
      bool is[places_at_once];
#pragma unroll
      for (int k = 0; k < places_at_once; ++k) {
        const std::int64_t place = at + k * width + mine;
        is[k] = is_there && place < end && p.selects(x, of_mask, place);
      }
#pragma unroll
      for (int k = 0; k < places_at_once; ++k) {
        const std::int64_t place = at + k * width + mine;
        const unsigned those = __ballot_sync(detail::whole_warp, is[k]) & of_group;
        if constexpr (!Counts) {
          if (is[k])
            places[rank + __popc(those & below)] = static_cast<std::uint32_t>(place);
          else if (y && is_there && place < end)
            y[p.to_along.offset(place)] = p.fill;
        }
        rank += __popc(those);
      }
    }
    if (mine != 0 || !is_there) continue;
    if constexpr (Counts)
      p.before[unit] = rank;
    else if (p.parts == 1)
      p.counts[line] = rank;
  }
}

/// Of each part of a line: how many are before it there; and how many the line has. By a block for each line.
__global__ void __launch_bounds__(1024)
    add_up_parts(std::int64_t* before, std::int64_t parts, std::int64_t lines, std::int64_t* counts) {
  detail::await_stream();
#pragma unroll 1
  for (std::int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
    const std::int64_t all = add_up_block(before + line * parts, parts);
    if (threadIdx.x == 0) counts[line] = all;
  }
}

}  // namespace
}  // namespace onefold::cuda
