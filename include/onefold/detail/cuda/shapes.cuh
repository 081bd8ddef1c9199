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

/// Bytes of scratch for a shape: the states of pages.
inline std::int64_t shape_slot_bytes(const fold_layout& of, const problem& p) {
  const std::int64_t pages = pages_of(p.n, of.element);
  return pages <= 1 ? 0 : p.outputs * pages * of.state;
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

inline column_schedule columns_of(const fold_layout& of, const problem& p, const void* data, std::int64_t pages) {
  column_schedule how{};
  how.columns = p.kept[p.kept_axes - 1].extent;
  how.along = p.reduced[0].stride;
  const auto ceil2 = [](std::int64_t x) {
    return std::int64_t{1} << std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(x, 1) - 1));
  };
  const std::int64_t K = columns_of_thread(of.lane, of.element), most_classes = lanes_of(of.element) / column_lanes;
  how.classes = static_cast<int>(std::clamp<std::int64_t>(ceil2(p.n) / column_lanes, 1, most_classes));
  how.across =
      static_cast<int>(std::min<std::int64_t>(ceil2((how.columns + K - 1) / K), std::max(32, 256 / how.classes)));
  how.across = std::min(how.across, 512 / how.classes);
  how.units = std::max(1, 128 / (how.across * how.classes));
  how.groups_in_line = (how.columns + how.across * K - 1) / (how.across * K);
  how.all = p.outputs / how.columns * how.groups_in_line * pages;
  how.aligned =
      reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(K * of.element) == 0 && how.along % K == 0;
  for (int i = 0; i + 1 < p.kept_axes; ++i) how.aligned = how.aligned && p.kept[i].stride % K == 0;
  return how;
}

inline tiling tiles_of(std::int64_t size, const problem& p, const void* data, std::int64_t pages) {
  tiling how{};
  const std::int64_t inner = p.kept_axes > 0 ? p.kept[p.kept_axes - 1].stride : 1;
  how.copied = (p.reduced_axes == 0 || (p.reduced_axes == 1 && p.reduced[0].stride == 1)) &&
               reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(size) == 0;
  const auto bytes = static_cast<int>(std::min(p.n, page_elements(size)) * size);
  how.dense = how.copied && pages <= 1 && (p.kept_axes == 0 || (p.kept_axes == 1 && inner == p.n));
  how.across = !how.copied && p.reduced_axes > 0 && std::abs(inner) < std::abs(p.reduced[p.reduced_axes - 1].stride);
  how.pitch = how.copied && !how.dense ? (bytes + 15) / 16 * 16 + 16 : bytes;
  how.even = !how.copied || how.dense || pages > 1 ||
             std::all_of(p.kept, p.kept + p.kept_axes, [&](const axis& k) { return k.stride * size % 16 == 0; });
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
inline bool are_packed_rows(const fold_layout& of, const problem& p, const void* data) {
  const std::int64_t shortest = of.lane > 8 ? 1 : 9;
  const std::int64_t longest = of.element == 1 ? lanes_of(1) : most_of_chunk(of.element);
  return p.kept_axes == 1 && p.kept[0].stride == p.n && p.reduced_axes == 1 && p.reduced[0].stride == 1 &&
         p.n >= shortest && p.n <= longest &&
         reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(of.element) == 0;
}

/// The kernels that fold pages of a fold's outputs; null where its layout says that they do not run.
struct page_kernels {
  const void* columns[4];  ///< by how many rows the columns have at most: 1, 2 or 4 of lanes; any number
  const void* tiles;
  const void* segments;
  const void* scattered;
};
template <class F, class T>
page_kernels page_kernels_of() {
  page_kernels k{};
  if constexpr (has_tiles<F, T>) {
    constexpr std::int64_t lanes = lanes_of(sizeof(T));
    for (int i = 0; i < 4; ++i) k.columns[i] = code_of(columns_kernel<F, T>(lanes << i));
    k.tiles = code_of(fold_tiles<F, T>);
    k.segments = code_of(fold_segments<F, T>);
  }
  if constexpr (!has_tiles<F, T> || fold_layout_of<F, T>.may_be_misaligned) k.scattered = code_of(fold_scattered<F, T>);
  return k;
}

/// Launches the kernel that folds segments.
template <class Arguments>
cudaError_t launch_fold_segments(const fold_layout& of, const page_kernels& by, const device_launch& how,
                                 std::int64_t tiles, const Arguments& a) {
  const std::int64_t most = std::int64_t{segment_blocks_of(of.lane)} * how.processors;
  return launch_code(how, blocks_for(tiles, segment_warps, most), 32 * segment_warps, segment_warps * segment_memory,
                     by.segments, a);
}

/// The same, for rows that follow each other.
template <class Arguments>
cudaError_t launch_packed_rows(const fold_layout& of, const page_kernels& by, const device_launch& how,
                               const Arguments& a) {
  Arguments rows = a;
  rows.n = a.n * a.outputs;
  rows.segments.of_row = static_cast<std::int32_t>(a.n);
  const auto most = static_cast<std::int32_t>(most_of_chunk(of.element) / a.n);
  const std::int32_t at_once = most < 32 ? most : std::min(most / 32 * 32, segment_prospect::most);
  rows.segments.of_tile = at_once * std::max(1, static_cast<int>(page_elements(of.element) / (at_once * a.n)));
  const std::int64_t tiles = (a.outputs + rows.segments.of_tile - 1) / rows.segments.of_tile;
  return launch_fold_segments(of, by, how, tiles, rows);
}

/// Folds all pages of all outputs, which have elements; `a` are the arguments of the kernels.
template <class Arguments>
cudaError_t launch_pages_by(const fold_layout& of, const page_kernels& by, const device_launch& how, const problem& p,
                            const Arguments& a) {
  if (!of.has_tiles)
    return launch_code(how, blocks_for(p.outputs * a.pages, 8, std::int64_t{8} * how.processors), 256, 0, by.scattered,
                       a);
  if (are_columns(p)) {
    const column_schedule spread = columns_of(of, p, how.data, a.pages);
    if (spread.across >= 8 || a.pages > 1) {
      if (spread.all > std::int64_t{spread.units} << 30) return cudaErrorInvalidValue;
      int rows = 0;
      while (rows < 3 && p.n > std::int64_t{lanes_of(of.element)} << rows) ++rows;
      return launch_code(how, blocks_for(spread.all, spread.units),
                         static_cast<unsigned>(spread.across * spread.classes * spread.units),
                         column_bytes(spread, of.lane, of.element), by.columns[rows], a, spread);
    }
  }
  if (are_packed_rows(of, p, how.data)) return launch_packed_rows(of, by, how, a);
  const tiling tiles = tiles_of(of.element, p, how.data, a.pages);
  return launch_code(how, blocks_for(tiles.tiles, 1, std::int64_t{6} * how.processors), 32 * tile_warps,
                     2 * tiling::buffer_bytes, by.tiles, a, tiles);
}

/// The same, of fold F over elements T; afterwards a.pages is how many states of each output are left to join.
template <class F, class T>
cudaError_t launch_pages(const device_launch& how, const problem& p, outputs_arguments<F, T>& a) {
  return launch_pages_by(fold_layout_of<F, T>, page_kernels_of<F, T>(), how, p, a);
}

/// Launches a fold over the outputs of a shape: fold_pages(how, p, a), which may lower a.pages, and then `join`.
template <class Arguments, class Pages>
int launch_shape_by(const device_launch& how, const problem& p, const void* join, Arguments a,
                    const Pages& fold_pages) {
  device_launch after = how;
  if (p.n > 0) {
    if (const cudaError_t e = fold_pages(how, p, a); e != cudaSuccess || a.pages <= 1) return e;
    after.follows = true;
  }
  return launch_code(after, blocks_for(p.outputs, joins_by_warp(a.pages) ? join_warps : 1, 1 << 20), 32 * join_warps, 0,
                     join, a);
}

/// What a kernel over a shape is told, whose elements begin at how.data.
template <class F, class T>
outputs_arguments<F, T> shape_arguments(const fold_layout& of, const F& fold, const device_launch& how,
                                        const problem& p, std::int32_t distance) {
  return {outputs_of<T>(how, p, distance), std::max<std::int64_t>(1, pages_of(p.n, of.element)),
          static_cast<tree_state<F, T>*>(how.slots), fold};
}

/// Launches fold F over the outputs of a shape, whose elements begin at how.data, into how.out. `fold_pages` launches
/// what folds the pages; an argument, for nvcc makes no code of kernels that only a template argument's default
/// reaches.
template <class F, class T, class Pages>
int launch_shape(const device_launch& how, const problem& p, std::int32_t distance, const Pages& fold_pages) {
  return launch_shape_by(how, p, code_of(join_pages<F, T>),
                         shape_arguments<F, T>(fold_layout_of<F, T>, fold_object<F>(how.op), how, p, distance),
                         fold_pages);
}

/// Bytes of this many tiles, with what follows them aligned to its states.
inline std::int64_t bytes_of_tiles(const fold_layout& of, std::int64_t tiles) {
  const std::int64_t border = std::max<std::int64_t>(of.state_align, alignof(segment_tile));
  return (tiles * static_cast<std::int64_t>(sizeof(segment_tile)) + border - 1) / border * border;
}

/// Bytes of scratch for segments: the tiles, and the states of pages.
inline std::int64_t segment_slot_bytes(const fold_layout& of, std::int64_t segments, std::int64_t elements) {
  const std::int64_t page = page_elements(of.element), tiles = segment_table::most(segments, elements, page);
  return bytes_of_tiles(of, tiles) + (elements > page ? std::int64_t{2} * of.state * tiles : 0);
}

/// The kernels that fold segments.
struct segment_kernels {
  const void* find;    ///< the tiles
  page_kernels pages;  ///< of them, segments and scattered
  const void* join;    ///< the pages of a segment
};

/// Launches fold F over segments of elements T, into how.out.
template <class F, class T>
int launch_segments_by(const fold_layout& of, const segment_kernels& by, const F& fold, const device_launch& how,
                       const device_segments& s, std::int32_t distance) {
  const std::int64_t page = page_elements(of.element), tiles = segment_table::most(s.count, s.total, page);
  auto* const first_tile = static_cast<segment_tile*>(how.slots);
  void* const states = static_cast<char*>(how.slots) + bytes_of_tiles(of, tiles);
  const outputs_arguments<F, T> a{outputs_of<T>(how, s, first_tile, distance), pages_of(s.total, of.element),
                                  static_cast<tree_state<F, T>*>(states), fold};
  cudaError_t e = launch_code(how, blocks_for(tiles, find_tiles_threads - 1, std::int64_t{32} * how.processors),
                              find_tiles_threads, 0, by.find, a.segments, s.count);
  if (e != cudaSuccess) return e;
  device_launch after = how;
  after.follows = true;
  // Elements that are not aligned to their size are user-defined: the catalog's are refused.
  const bool is_misaligned =
      of.may_be_misaligned && reinterpret_cast<std::uintptr_t>(how.data) % static_cast<std::uintptr_t>(of.element) != 0;
  if (of.has_tiles && !is_misaligned)
    e = launch_fold_segments(of, by.pages, after, tiles, a);
  else
    e = launch_code(after, blocks_for(tiles, 8, std::int64_t{8} * how.processors), 256, 0, by.pages.scattered, a);
  if (e != cudaSuccess || a.pages <= 1) return e;
  return launch_code(after, blocks_for(tiles, join_tiles, 1 << 20), 32 * join_warps, 0, by.join, a);
}
template <class F, class T>
int launch_segments(const device_launch& how, const device_segments& s, std::int32_t distance) {
  const segment_kernels by{code_of(find_tiles<static_cast<int>(page_elements(sizeof(T)))>), page_kernels_of<F, T>(),
                           code_of(join_pages<F, T>)};
  return launch_segments_by<F, T>(fold_layout_of<F, T>, by, fold_object<F>(how.op), how, s, distance);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
