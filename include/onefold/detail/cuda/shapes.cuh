// Reductions over some axes on a device: which schedule folds the outputs, and the launch. docs/shapes.md,
// docs/order.md.
#pragma once

#include "onefold/detail/cuda/arrays.cuh"
#include "onefold/detail/cuda/columns.cuh"
#include "onefold/detail/cuda/rows.cuh"
#include "onefold/detail/cuda/scattered.cuh"
#include "onefold/detail/cuda/segments.cuh"

#include <algorithm>
#include <bit>

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// States that a thread can have several of, over plain elements that are loaded at once.
template <class F, class T>
inline constexpr bool has_tiles = false;
template <class F, class T>
requires(has_lanes<F, T> && sizeof(T) <= 16 && std::has_single_bit(sizeof(T)) &&
         __is_trivially_constructible(storage_t<T>) && __is_trivially_copyable(T) && sizeof(lane_state<F, T>) <= 64 &&
         __is_trivially_constructible(lane_state<F, T>)) inline constexpr bool has_tiles<F, T> = true;

/// Bytes of scratch for a shape: the states of pages.
template <class F, class T>
std::int64_t shape_slot_bytes(const problem& p) {
  const std::int64_t pages = pages_of(p.n, sizeof(T));
  return pages <= 1 ? 0 : p.outputs * pages * static_cast<std::int64_t>(sizeof(tree_state<F, T>));
}

inline device_axes device_axes_of(const axis* axes, std::int32_t count) {
  device_axes to{count, {}};
  std::copy_n(axes, count, to.of);
  return to;
}

/// The outputs of a shape, whose elements begin at how.data.
template <class T>
device_outputs<T> outputs_of(const device_launch& how, const problem& p, std::int32_t distance) {
  return {static_cast<const T*>(how.data),
          device_axes_of(p.kept, p.kept_axes),
          device_axes_of(p.reduced, p.reduced_axes),
          p.outputs,
          p.n,
          {},
          destination_of(how),
          distance};
}

/// Those of segments, whose tiles are described from first_tile on.
template <class T>
device_outputs<T> outputs_of(const device_launch& how, const device_segments& s, segment_tile* first_tile,
                             std::int32_t distance) {
  const axis together{s.elements, 1};
  return {static_cast<const T*>(how.data),
          {},
          device_axes_of(&together, 1),
          s.count,
          s.elements,
          {s.offsets, s.wide, s.elements, first_tile, s.device_count},
          destination_of(how),
          distance};
}

inline unsigned blocks_for(std::int64_t work, std::int64_t of_block, std::int64_t most = 1 << 30) {
  return static_cast<unsigned>(std::clamp<std::int64_t>((work + of_block - 1) / of_block, 1, most));
}

/// Whether neighboring outputs of the innermost kept axis lie beside each other, and their elements at one distance.
inline bool are_columns(const problem& p) {
  return p.kept_axes > 0 && p.kept[p.kept_axes - 1].stride == 1 && p.reduced_axes == 1 && p.reduced[0].stride != 1;
}

template <class F, class T>
column_schedule columns_of(const problem& p, const void* data, std::int64_t pages) {
  using fold = column_fold<F, T>;
  column_schedule how{};
  how.columns = p.kept[p.kept_axes - 1].extent;
  how.along = p.reduced[0].stride;
  const auto ceil2 = [](std::int64_t x) {
    return std::int64_t{1} << std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(x, 1) - 1));
  };
  how.classes = static_cast<int>(std::clamp<std::int64_t>(ceil2(p.n) / fold::lanes_of_thread, 1, fold::most_classes));
  how.across = static_cast<int>(
      std::min<std::int64_t>(ceil2((how.columns + fold::K - 1) / fold::K), std::max(32, 256 / how.classes)));
  how.across = std::min(how.across, 512 / how.classes);
  how.units = std::max(1, 128 / (how.across * how.classes));
  how.groups_in_line = (how.columns + how.across * fold::K - 1) / (how.across * fold::K);
  how.all = p.outputs / how.columns * how.groups_in_line * pages;
  constexpr std::int64_t together = fold::K;
  how.aligned = reinterpret_cast<std::uintptr_t>(data) % (together * sizeof(T)) == 0 && how.along % together == 0;
  for (int i = 0; i + 1 < p.kept_axes; ++i) how.aligned = how.aligned && p.kept[i].stride % together == 0;
  return how;
}

template <class F, class T>
tiling tiles_of(const problem& p, const void* data, std::int64_t pages) {
  tiling how{};
  constexpr int size = static_cast<int>(sizeof(T));
  const std::int64_t inner = p.kept_axes > 0 ? p.kept[p.kept_axes - 1].stride : 1;
  how.copied = (p.reduced_axes == 0 || (p.reduced_axes == 1 && p.reduced[0].stride == 1)) &&
               reinterpret_cast<std::uintptr_t>(data) % size == 0;
  const int bytes = static_cast<int>(std::min(p.n, page_elements(size))) * size;
  how.dense = how.copied && pages <= 1 && (p.kept_axes == 0 || (p.kept_axes == 1 && inner == p.n));
  how.across = !how.copied && p.reduced_axes > 0 && std::abs(inner) < std::abs(p.reduced[p.reduced_axes - 1].stride);
  how.pitch = how.copied && !how.dense ? (bytes + 15) / 16 * 16 + 16 : bytes;
  how.even = !how.copied || how.dense || pages > 1 ||
             std::all_of(p.kept, p.kept + p.kept_axes, [](const axis& k) { return k.stride * size % 16 == 0; });
  how.at_once =
      pages > 1
          ? 1
          : static_cast<int>(std::clamp<std::int64_t>(
                (how.dense || !how.copied ? tiling::tile_bytes : tiling::buffer_bytes) / how.pitch, 1, p.outputs));
  how.groups = (p.outputs + how.at_once - 1) / how.at_once;
  how.tiles = how.groups * pages;
  return how;
}

/// Whether the outputs of a shape are rows that follow each other, of up to a strip: segments of as many elements.
/// Tiles are faster for the shortest ones of small states, and for more than a row of bytes (H200, docs/cuda.md).
template <class F, class T>
bool are_packed_rows(const problem& p, const void* data) {
  constexpr std::int64_t shortest = sizeof(lane_state<F, T>) > 8 ? 1 : 9;
  constexpr std::int64_t longest = sizeof(T) == 1 ? lanes_of(1) : segment_reader<F, T>::most;
  return p.kept_axes == 1 && p.kept[0].stride == p.n && p.reduced_axes == 1 && p.reduced[0].stride == 1 &&
         p.n >= shortest && p.n <= longest && reinterpret_cast<std::uintptr_t>(data) % sizeof(T) == 0;
}

/// Launches the kernel that folds segments, for such rows.
template <class F, class T>
cudaError_t launch_packed_rows(const device_launch& how, const outputs_arguments<F, T>& a) {
  outputs_arguments<F, T> rows = a;
  rows.n = a.n * a.outputs;
  rows.segments.of_row = static_cast<std::int32_t>(a.n);
  const auto most = static_cast<std::int32_t>(segment_reader<F, T>::most / a.n);
  const std::int32_t at_once = most < 32 ? most : std::min(most / 32 * 32, segment_prospect::most);
  rows.segments.of_tile = at_once * std::max(1, static_cast<int>(segment_reader<F, T>::page / (at_once * a.n)));
  const std::int64_t tiles = (a.outputs + rows.segments.of_tile - 1) / rows.segments.of_tile;
  return launch(how, blocks_for(tiles, segment_warps, std::int64_t{segment_blocks<F, T>} * how.processors),
                32 * segment_warps, segment_warps * segment_memory<F, T>, fold_segments<F, T>, rows);
}

/// Folds all pages of all outputs, which have elements; afterwards a.pages is how many states of each are left to join.
template <class F, class T>
cudaError_t launch_pages(const device_launch& how, const problem& p, outputs_arguments<F, T>& a) {
  if constexpr (has_tiles<F, T>) {
    if (are_columns(p)) {
      const column_schedule spread = columns_of<F, T>(p, how.data, a.pages);
      if (spread.across >= 8 || a.pages > 1) {
        if (spread.all > std::int64_t{spread.units} << 30) return cudaErrorInvalidValue;
        return launch(how, blocks_for(spread.all, spread.units),
                      static_cast<unsigned>(spread.across * spread.classes * spread.units),
                      column_fold<F, T>::bytes(spread), columns_kernel<F, T>(p.n), a, spread);
      }
    }
    if (are_packed_rows<F, T>(p, how.data)) return launch_packed_rows<F, T>(how, a);
    const tiling tiles = tiles_of<F, T>(p, how.data, a.pages);
    return launch(how, blocks_for(tiles.tiles, 1, std::int64_t{6} * how.processors), 32 * tile_warps,
                  2 * tiling::buffer_bytes, fold_tiles<F, T>, a, tiles);
  } else {
    return launch(how, blocks_for(p.outputs * a.pages, 8, std::int64_t{8} * how.processors), 256, 0,
                  fold_scattered<F, T>, a);
  }
}

/// Launches fold F over the outputs of a shape, whose elements begin at how.data, into how.out. `fold_pages` launches
/// what folds the pages; an argument, for nvcc makes no code of kernels that only a template argument's default
/// reaches.
template <class F, class T, class Pages>
int launch_shape(const device_launch& how, const problem& p, std::int32_t distance, const Pages& fold_pages) {
  const std::int64_t pages = std::max<std::int64_t>(1, pages_of(p.n, sizeof(T)));
  outputs_arguments<F, T> a{outputs_of<T>(how, p, distance), fold_object<F>(how.op), pages,
                            static_cast<tree_state<F, T>*>(how.slots)};
  device_launch after = how;
  if (p.n > 0) {
    if (const cudaError_t e = fold_pages(how, p, a); e != cudaSuccess || a.pages <= 1) return e;
    after.follows = true;
  }
  return launch(after, blocks_for(p.outputs, joins_by_warp(a.pages) ? join_warps : 1, 1 << 20), 32 * join_warps, 0,
                join_pages<F, T>, a);
}

/// Bytes of this many tiles, with what follows them aligned to its states.
template <class S>
constexpr std::int64_t bytes_of_tiles(std::int64_t tiles) {
  constexpr auto border = static_cast<std::int64_t>(std::max(alignof(S), alignof(segment_tile)));
  return (tiles * static_cast<std::int64_t>(sizeof(segment_tile)) + border - 1) / border * border;
}

/// Bytes of scratch for segments: the tiles, and the states of pages.
template <class F, class T>
std::int64_t segment_slot_bytes(std::int64_t segments, std::int64_t elements) {
  constexpr std::int64_t page = page_elements(sizeof(T)), state = sizeof(tree_state<F, T>);
  const std::int64_t tiles = segment_table::most(segments, elements, page);
  return bytes_of_tiles<tree_state<F, T>>(tiles) + (elements > page ? 2 * state * tiles : 0);
}

/// Launches fold F over segments, into how.out.
template <class F, class T>
int launch_segments(const device_launch& how, const device_segments& s, std::int32_t distance) {
  constexpr std::int64_t page = page_elements(sizeof(T));
  const std::int64_t tiles = segment_table::most(s.count, s.total, page);
  auto* const first_tile = static_cast<segment_tile*>(how.slots);
  const device_outputs<T> outputs = outputs_of<T>(how, s, first_tile, distance);
  const outputs_arguments<F, T> a{
      outputs, fold_object<F>(how.op), pages_of(s.total, sizeof(T)),
      reinterpret_cast<tree_state<F, T>*>(static_cast<char*>(how.slots) + bytes_of_tiles<tree_state<F, T>>(tiles))};
  cudaError_t e = launch(how, blocks_for(tiles, find_tiles_threads - 1, std::int64_t{32} * how.processors),
                         find_tiles_threads, 0, find_tiles<static_cast<int>(page)>, outputs.segments, s.count);
  if (e != cudaSuccess) return e;
  device_launch after = how;
  after.follows = true;
  // Elements that are not aligned to their size are user-defined: the catalog's are refused.
  constexpr bool may_be_misaligned = alignof(storage_t<T>) % sizeof(T) != 0;
  const bool is_misaligned = may_be_misaligned && reinterpret_cast<std::uintptr_t>(how.data) % sizeof(T) != 0;
  if constexpr (has_tiles<F, T>)
    if (!is_misaligned)
      e = launch(after, blocks_for(tiles, segment_warps, std::int64_t{segment_blocks<F, T>} * how.processors),
                 32 * segment_warps, segment_warps * segment_memory<F, T>, fold_segments<F, T>, a);
  if constexpr (!has_tiles<F, T> || may_be_misaligned)
    if (!has_tiles<F, T> || is_misaligned)
      e = launch(after, blocks_for(tiles, 8, std::int64_t{8} * how.processors), 256, 0, fold_scattered<F, T>, a);
  if (e != cudaSuccess || a.pages <= 1) return e;
  return launch(after, blocks_for(tiles, join_tiles, 1 << 20), 32 * join_warps, 0, join_pages<F, T>, a);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
