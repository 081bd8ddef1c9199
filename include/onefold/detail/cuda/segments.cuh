// Schedule *segments*: each warp copies chunks of neighboring segments into shared memory, one ahead, and folds them
// from there, or a longer segment strip by strip.
#pragma once

#include "onefold/detail/cuda/segment_by_warp.cuh"
#include "onefold/detail/cuda/segment_fold.cuh"
#include "onefold/detail/cuda/segment_reader.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Warps of a block that folds segments, each on its own.
inline constexpr int segment_warps = 4;
/// Bytes of shared memory of such a warp: two chunks, and what it needs to know of the next ones.
inline constexpr int segment_memory = 2 * chunk_bytes + static_cast<int>(sizeof(segment_prospect));

/// Such blocks of a multiprocessor: where registers are spilled, all waits for memory.
constexpr int segment_blocks_of(int lane) { return lane > 16 ? 3 : 4; }

template <class F, class T>
__global__ void __launch_bounds__(32 * segment_warps, segment_blocks_of(sizeof(lane_state<F, T>)))
    fold_segments(const __grid_constant__ outputs_arguments<F, T> a) {
  using by_warp = segment_by_warp<F, T>;
  using reader = segment_reader<F, T>;
  using L = typename by_warp::L;
  using S = tree_state<F, T>;
  constexpr int held = by_warp::held;
  ONEFOLD_DYNAMIC_MEMORY(memory);
  const int warp = static_cast<int>(threadIdx.x / 32);
  await_stream();
  const segment_fold<F, T> each{a.fold};
  const by_warp part{a.fold};
  char* const buffers = reinterpret_cast<char*>(memory) + warp * segment_memory;
  reader from(a, *reinterpret_cast<segment_prospect*>(buffers + 2 * chunk_bytes),
              std::int64_t{blockIdx.x} * segment_warps + warp, std::int64_t{gridDim.x} * segment_warps);
  end_copies();
  end_copies();

  // A chunk is folded while the next one is on its way.
  segment_chunk now{}, next{};
  int skip = 0, next_skip = 0, side = 0;
  L first[held], other[held];  // of the page that is under way: strips 0 and 1, and 2 and 3
#pragma unroll
  for (int k = 0; k < held; ++k) first[k] = other[k] = L{};
#pragma unroll 1
  for (bool begun = false;; begun = true) {
    await_copies<1>();  // what comes after the chunk `next` is known; its elements may be on their way still
    __syncwarp();       // and no lane reads the chunk before any more
    now = next;
    skip = next_skip;
    side ^= 1;
    std::int64_t at = 0;
    next = from.advance(at, side ^ 1);
    end_copies();
    char* const buffer = buffers + (side ^ 1) * chunk_bytes;
    next_skip = from.start(at, next.elements, shared_place(buffer));
    end_copies();
    if (!begun) continue;
    if (now.elements < 0) break;
    await_copies<2>();
    __syncwarp();
    const T* const x = reinterpret_cast<const T*>(buffers + side * chunk_bytes) + skip;
    if (now.segments > 0) {
      const std::uint16_t* const past = from.ahead.past[side];
      char* to = static_cast<char*>(a.result(now.segment + lane_id()));
#pragma unroll 1
      for (int group = 0; group < now.segments; group += 32, to += 32 * a.distance) {
        const int i = group + lane_id();
        const bool there = i < now.segments;
        const int place = there ? past[i] : 0, n = there ? max(past[i + 1] - place, 0) : 0;
        const L s = each.batch(x, place, n, from.ahead.longer);
        if (there) a.finish_at(to, n, selected(n > 0, to_tree<F, T>(a.fold, s), empty_state<F, T>(a.fold)));
      }
      continue;
    }
    const int n = now.of_page - now.strip * reader::most;
    const std::int64_t index = now.later * reader::page + now.strip * reader::most;
    L s[held];
    if (n >= reader::most)
      part.template strip<true, true>(x, reader::most, index, s);
    else
      part.template strip<false, true>(x, n, index, s);
#pragma unroll
    for (int k = 0; k < held; ++k) {
      const L pair = selected(now.strip < 2, first[k], other[k]);
      if (now.strip & 1) s[k] = selected(lane_id() + 32 * k < n, a.fold.combine(pair, s[k]), pair);
      first[k] = selected(now.strip < 2, s[k], first[k]);
      other[k] = selected(now.strip < 2, other[k], s[k]);
    }
    if (n > reader::most) continue;
    if (now.of_page > 2 * reader::most) {
#pragma unroll
      for (int k = 0; k < held; ++k)
        first[k] =
            selected(lane_id() + 32 * k + 2 * reader::most < now.of_page, a.fold.combine(first[k], other[k]), first[k]);
    }
    const int present = min(now.of_page, by_warp::lanes);
    const S page = to_tree<F, T>(a.fold, part.total(part.template own_total<held>(first, present), present));
    if (lane_id() != 0) continue;
    if (now.is_whole)
      a.finish(now.segment, now.of_page, page);
    else
      a.page_state(now.tile, now.later > 0) = page;
  }
  release_stream();
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
