// The kernels that bring selected elements of lines together, and take their results apart: a warp looks at a part of a
// line, or at several short lines.
#pragma once

#include "add_up.cuh"
#include "onefold/detail/cuda/launch.cuh"
#include "onefold/detail/cuda/outputs.cuh"
#include "onefold/selection.hpp"

namespace onefold::cuda {
namespace {

/// Elements of a part of a line.
constexpr std::int64_t places_of_part = 2048;
/// Warps of a block.
constexpr int place_warps = 8;

/// What a launch does: counts the selected elements of each part; packs those of each line, one after the other; writes
/// the results of packed elements to their places.
enum class place_pass { count, pack, unpack };

/// How the kernels find out whether an element is selected: by a mask in memory, or by what it is, where elements, mask
/// and results each follow along one axis; or by whichever kind of mask there is, along any axes.
enum class place_rule { mask, number, any };

/// V elements of one thread: they lie beside each other.
template <class Unit, int V>
struct alignas(V * sizeof(Unit) < 16 ? V * sizeof(Unit) : 16) unit_words {
  Unit of[V];
};

/// Which of 4 bytes are not 0.
__device__ __forceinline__ unsigned bytes_that_count(std::uint32_t bytes) {
  const std::uint32_t signs = (((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes) & 0x80808080u;
  return (signs >> 7) * 0x01020408u >> 24;
}

/// What the kernels know; elements are words of type Unit.
template <class Unit>
struct place_arguments {
  detail::device_axes from, from_along;  ///< where lines begin and how they go on: elements,
  detail::device_axes mask, mask_along;  ///< the mask,
  detail::device_axes to, to_along;      ///< and results
  std::int64_t first, lines, n, parts;
  const Unit* data;
  const unsigned char* bytes;  ///< of the mask
  Unit* out;
  mask_kind kind;
  std::int64_t offset;  ///< of the first bit
  Unit sign, infinity;  ///< the bits of elements
  Unit fill;            ///< of results that are not selected
  std::int64_t* counts;
  std::uint32_t* places;  ///< null: not asked for
  std::int64_t* before;   ///< of each part: how many are selected, and later how many are before it in its line
  Unit* packed;

  /// How far a place of a line is from its first one.
  template <place_rule Rule, int V>
  __device__ __forceinline__ static std::int64_t distance(const detail::device_axes& along, std::int64_t place) {
    return V > 1 ? place : Rule == place_rule::any ? along.offset(place) : place * along.of[0].stride;
  }
  /// A bit for each of V neighboring elements that is selected: `place` is that of the first, in a line whose mask
  /// begins there.
  template <place_rule Rule, int V>
  __device__ __forceinline__ unsigned selected(const unit_words<Unit, V>& x, std::int64_t of_mask,
                                               std::int64_t place) const {
    if (Rule == place_rule::number || (Rule == place_rule::any && kind == mask_kind::not_nan)) {
      unsigned those = 0;
#pragma unroll
      for (int i = 0; i < V; ++i) those |= static_cast<unsigned>(static_cast<Unit>(x.of[i] & ~sign) <= infinity) << i;
      return those;
    }
    const bool by_bits = kind == mask_kind::bits;
    const std::int64_t at = of_mask + distance<Rule, V>(mask_along, place) + (by_bits ? offset : 0);
    if (by_bits) return bytes[at >> 3] >> (at & 7) & ((1u << V) - 1);
    if constexpr (V == 1)
      return bytes[at] != 0;
    else
      return bytes_that_count(*reinterpret_cast<const std::uint32_t*>(bytes + at));
  }
};

/// Short: `width` threads, a power of two, have a line of at most V elements for each, and several lines at once. Else
/// a warp has a part of a line. V, where it is not 1: lines lie so that V neighboring elements are one or two words,
/// and n is a multiple of it.
template <class Unit, place_pass Pass, place_rule Rule, int V, bool Short>
__global__ void __launch_bounds__(32 * place_warps, 4)
    look_at_lines(const __grid_constant__ place_arguments<Unit> p, int width) {
  using words = unit_words<Unit, V>;
  constexpr int at_once = V > 1 ? 2 : Short ? 4 : 8, lines_at_once = Short ? at_once : 1;
  constexpr bool reads = Pass == place_pass::pack || Rule != place_rule::mask;
  detail::await_stream();
  const int lane = detail::lane_id(), mine = Short ? lane & (width - 1) : lane, groups = Short ? 32 / width : 1;
  const unsigned of_group = !Short || width == 32 ? ~0u : ((1u << width) - 1) << (lane - mine);
  const unsigned below = of_group & ((1u << lane) - 1);
  const std::int64_t units = p.lines * p.parts, of_warp = groups * lines_at_once;
#pragma unroll 1
  for (std::int64_t first = (std::int64_t{blockIdx.x} * place_warps + threadIdx.x / 32) * of_warp; first < units;
       first += std::int64_t{gridDim.x} * place_warps * of_warp) {
    std::int64_t line[lines_at_once], of_mask[lines_at_once], begin = 0, end = p.n;
    const Unit* x[lines_at_once];
    Unit *y[lines_at_once], *packed[lines_at_once];
    bool is_there[lines_at_once];
    int rank = 0;
#pragma unroll
    for (int i = 0; i < lines_at_once; ++i) {
      line[i] = first + i * groups + (Short ? lane / width : 0);
      is_there[i] = line[i] < units;
      if (!is_there[i]) line[i] = first;
      std::int64_t before = 0;
      if (!Short && p.parts > 1) {
        line[i] = detail::quotient_of(first, p.parts);
        begin = (first - line[i] * p.parts) * places_of_part;
        end = min(p.n, begin + places_of_part);
        if constexpr (Pass != place_pass::count) before = p.before[first];
      }
      x[i] = p.data + p.from.offset(p.first + line[i]);
      of_mask[i] = p.mask.offset(p.first + line[i]);
      y[i] = Pass == place_pass::unpack ? p.out + p.to.offset(p.first + line[i]) : nullptr;
      packed[i] = p.packed + (line[i] * p.n + before);
    }
#pragma unroll 1
    for (std::int64_t at = begin; at < end; at += at_once * V * 32) {
      words e[at_once];
      unsigned those[at_once];
      int to[at_once];
      const auto place = [&](int k) { return at + V * (Short ? mine : 32 * k + mine); };
      const auto of = [](int k) { return Short ? k : 0; };
      const auto is_inside = [&](int k) { return is_there[of(k)] && place(k) < end; };
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        if (reads && is_inside(k))
          e[k] = *reinterpret_cast<const words*>(x[of(k)] + p.template distance<Rule, V>(p.from_along, place(k)));
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        those[k] = is_inside(k) ? p.template selected<Rule, V>(e[k], of_mask[of(k)], place(k)) : 0;
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        int all = 0;
        to[k] = Short ? 0 : rank;
#pragma unroll
        for (int v = 0; v < V; ++v) {
          const unsigned lanes = __ballot_sync(detail::whole_warp, those[k] >> v & 1);
          to[k] += __popc(lanes & below);
          all += __popc(lanes & of_group);
        }
        if constexpr (Short) {
          if (Pass == place_pass::pack && mine == 0 && is_there[k]) p.counts[line[k]] = all;
        } else {
          rank += all;
        }
      }
      if constexpr (Pass == place_pass::pack) {
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
          Unit* const into = packed[of(k)] + to[k];
#pragma unroll
          for (int v = 0; v < V; ++v)
            if (those[k] >> v & 1) into[__popc(those[k] & ((1u << v) - 1))] = e[k].of[v];
          if (!p.places) continue;
          std::uint32_t* const places = p.places + (into - p.packed);
#pragma unroll
          for (int v = 0; v < V; ++v)
            if (those[k] >> v & 1)
              places[__popc(those[k] & ((1u << v) - 1))] = static_cast<std::uint32_t>(place(k) + v);
        }
      }
      if constexpr (Pass == place_pass::unpack) {
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
          const Unit* const of_results = packed[of(k)] + to[k];
#pragma unroll
          for (int v = 0; v < V; ++v)
            e[k].of[v] = those[k] >> v & 1 ? of_results[__popc(those[k] & ((1u << v) - 1))] : p.fill;
        }
#pragma unroll
        for (int k = 0; k < at_once; ++k)
          if (is_inside(k))
            *reinterpret_cast<words*>(y[of(k)] + p.template distance<Rule, V>(p.to_along, place(k))) = e[k];
      }
    }
    if constexpr (!Short && Pass != place_pass::unpack) {
      if (lane != 0) continue;
      if constexpr (Pass == place_pass::count)
        p.before[first] = rank;
      else if (p.parts == 1)
        p.counts[line[0]] = rank;
    }
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
