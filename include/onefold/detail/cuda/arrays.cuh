// The canonical kernel: the order of docs/order.md, one launch, the same bits as the CPU.
//
// Blocks fold aligned runs of pages and leave one state each as flagged words in a slot. One more block, the last,
// gathers: it polls the slots while the others work, walks the aligned tree over them, and writes the outcome. Blocks
// start in the order of their numbers, so that all others are running or done when it waits.
#pragma once

#include <algorithm>

#include "onefold/detail/cuda/launch.cuh"
#include "onefold/detail/cuda/pages.cuh"
#include "onefold/detail/fold_layout.hpp"
#include "onefold/options.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How a launch spreads pages over blocks. The borders were measured on an H200 (docs/cuda.md).
struct page_schedule {
  int log2;             ///< as in kernel_arguments
  std::int64_t blocks;  ///< that fold

  /// `state_bytes` of a page's state.
  page_schedule(std::int64_t pages, int processors, int state_bytes) {
    log2 = pages > 64 * processors ? 3 : pages > 16 * processors ? 1 : 0;
    while (log2 < 5 && (pages >> (log2 + page_warps_log2)) > (1 << 13)) ++log2;
    while (log2 > 1 && state_bytes << (log2 + page_warps_log2) > 64 << 10) --log2;  // they meet in shared memory
    blocks = (pages + (page_warps << log2) - 1) / (page_warps << log2);
  }
};

/// Blocks of a grid of which this many fold: one more gathers, where there are several.
inline unsigned grid_of(std::int64_t blocks) { return static_cast<unsigned>(blocks <= 1 ? 1 : blocks + 1); }

/// The most pages of a launch: 1 TiB of data, more than a device has.
inline constexpr std::int64_t most_pages = 1 << 26;

/// Bytes of slots for the states of pages.
inline std::int64_t page_slot_bytes(const fold_layout& of, std::int64_t n) {
  // At most a slot a page, for as many pages as a few thousand multiprocessors take; beyond, one for 16 pages.
  const std::int64_t pages = std::min(pages_of(n, of.element), most_pages);
  return (std::max(std::min<std::int64_t>(pages, 1 << 17), pages / 16) + 1) * flagged_bytes_of(of.state);
}

/// The object of device_launch::op.
template <class F>
F fold_object(const void* op) {
  if (op) return *static_cast<const F*>(op);
  if constexpr (std::is_default_constructible_v<F>) return F{};
  __builtin_unreachable();
}

/// What a kernel is told that folds f over n elements T at how.data.
template <class F, class T>
kernel_arguments<F, T> arguments_for(const F& f, std::int64_t n, const device_launch& how) {
  return {static_cast<const T*>(how.data),
          n,
          how.device_n,
          how.first,
          static_cast<std::uint64_t*>(how.slots),
          0,
          1,
          destination_of(how),
          f};
}

/// Launches a fold over a.n elements, a warp for each page, by a kernel that takes `a` and `more`.
template <class Arguments, class... More>
int launch_pages_of(const fold_layout& of, const device_launch& how, const void* kernel, Arguments a,
                    const More&... more) {
  const std::int64_t pages = pages_of(a.n, of.element);
  if (pages > most_pages) return cudaErrorInvalidValue;
  const page_schedule spread(pages, how.processors, of.state);
  a.log2 = spread.log2;
  return launch_code(how, grid_of(spread.blocks), 32 * page_warps, page_bytes(of.state, spread.log2), kernel, a,
                     more...);
}

/// Launches fold f over n elements T at how.data, a warp for each page.
template <class F, class T>
int launch_in_pages(const F& f, std::int64_t n, const device_launch& how) {
  return launch_pages_of(fold_layout_of<F, T>, how, code_of(fold_pages<F, T>), arguments_for<F, T>(f, n, how));
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
