// The canonical kernel: the order of docs/order.md, one launch, the same bits as the CPU.
//
// Blocks fold aligned runs of pages and leave one state each as flagged words in a slot. One more block, the last,
// gathers: it polls the slots while the others work, walks the aligned tree over them, and writes the outcome. Blocks
// start in the order of their numbers, so that all others are running or done when it waits.
#pragma once

#include "onefold/detail/cuda/any_order.cuh"
#include "onefold/detail/cuda/exact.cuh"
#include "onefold/detail/cuda/pages.cuh"
#include "onefold/detail/cuda/search.cuh"
#include "onefold/detail/cuda/strips.cuh"
#include "onefold/options.hpp"

#include <algorithm>

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How a launch spreads pages over blocks. The borders were measured on an H200 (docs/cuda.md).
struct schedule {
  bool strips;
  int log2 = 0, turns = 1;  ///< as in kernel_arguments
  std::int64_t blocks;      ///< that fold

  /// `most` as most_log2, `at_once` blocks on the whole device, `state_bytes` of a page's state.
  schedule(std::int64_t pages, bool can_strips, int most, int processors, std::int64_t at_once, int state_bytes)
      : strips(can_strips) {
    if (strips) {
      // One block for 2 or 4 pages saves the gathering.
      const bool one_block = pages <= (1 << most);
      log2 = one_block                 ? (pages > 2   ? 2
                                          : pages > 1 ? 1
                                                      : 0)
             : pages <= processors     ? 0
             : pages <= 6 * processors ? 1
                                       : most;
      // Each wave of blocks costs its turns and about two more for its beginning and end.
      const auto cost = [&](int t) {
        const std::int64_t spread = (pages + (t << log2) - 1) / (t << log2);
        return (spread + at_once - 1) / at_once * (t + 2);
      };
      if (log2 == most)
        for (int t = 2; t <= 8; t *= 2)
          if (cost(t) <= cost(turns)) turns = t;
      blocks = (pages + (turns << log2) - 1) / (turns << log2);
    } else {
      log2 = pages > 64 * processors ? 3 : pages > 16 * processors ? 1 : 0;
      while (log2 < 5 && (pages >> (log2 + page_warps_log2)) > (1 << 13)) ++log2;
      while (log2 > 1 && state_bytes << (log2 + page_warps_log2) > 64 << 10) --log2;  // they meet in shared memory
      blocks = (pages + (page_warps << log2) - 1) / (page_warps << log2);
    }
  }
  unsigned grid() const { return static_cast<unsigned>(blocks <= 1 ? 1 : blocks + 1); }
};

/// The most pages of a launch: 1 TiB of data, more than a device has.
inline constexpr std::int64_t most_pages = 1 << 26;

template <class F, class T>
std::int64_t canonical_slot_bytes(std::int64_t n) {
  if constexpr (adds_exactly<F>) {
    return sizeof(exact_scratch<tree_state<F, T>>);
  } else {
    // At most a slot a page, for as many pages as a few thousand multiprocessors take; beyond, one for 16 pages.
    const std::int64_t pages = std::min(pages_of(n, sizeof(T)), most_pages);
    return (std::max(std::min<std::int64_t>(pages, 1 << 17), pages / 16) + 1) * flagged_bytes<tree_state<F, T>>;
  }
}

/// The object behind device_launch::op.
template <class F>
F fold_object(const void* op) {
  if (op) return *static_cast<const F*>(op);
  if constexpr (std::is_default_constructible_v<F>) return F{};
  __builtin_unreachable();
}

/// Launches fold f over n elements T at how.data.
template <class F, class T>
int launch_spread(const F& f, std::int64_t n, const device_launch& how) {
  const std::int64_t pages = pages_of(n, sizeof(T));
  if (pages > most_pages) return cudaErrorInvalidValue;
  kernel_arguments<F, T> a{f,
                           static_cast<const T*>(how.data),
                           n,
                           how.device_n,
                           how.first,
                           static_cast<std::uint64_t*>(how.slots),
                           0,
                           1,
                           place_of(how)};
  if constexpr (has_any_order<F, T>) {
    const free_schedule spread(strips_of<F, T>(n), how.processors, is_always_free<F>);
    if (spread.fits) {
      a.turns = spread.turns;
      return launch(how, spread.grid(), 32u * static_cast<unsigned>(spread.warps), 0, fold_any_order<F, T>, a);
    }
  }
  const schedule spread(pages, has_strips<F, T> || searches<F>, most_log2<F, T>, how.processors,
                        std::int64_t{resident_blocks<F, T>} * how.processors,
                        static_cast<int>(sizeof(tree_state<F, T>)));
  a.log2 = spread.log2;
  a.turns = spread.turns;
  if constexpr (searches<F>) {
    return launch(how, spread.grid(), 128u << spread.log2, 0, fold_search<F, T>, a);
  } else if constexpr (has_strips<F, T>) {
    const int shared = strip_bytes<F, T> << (spread.log2 + (spread.turns > 1 ? 1 : 0));
    const auto kernel = spread.blocks <= 1 && spread.log2 == 0 ? fold_strips<F, T, true> : fold_strips<F, T, false>;
    return launch(how, spread.grid(), 128u << spread.log2, shared, kernel, a);
  } else {
    return launch(how, spread.grid(), 32 * page_warps, page_bytes<F, T>(spread.log2), fold_pages<F, T>, a);
  }
}

template <class F, class T>
int launch_canonical(const device_launch& how) {
  if constexpr (adds_exactly<F>) {
    return launch_exact<tree_state<F, T>, T>(how);
  } else {
    if constexpr (__is_same(F, sum_fold<T, accuracy::native>) && sizeof(T) == 1) {
      const bool aligned = reinterpret_cast<std::uintptr_t>(how.data) % 16 == 0;
      if (aligned && how.n >= 4 && !how.device_n) {
        const auto count = static_cast<int>(how.n % 4);
        return launch_spread<sum_of_words<T>, std::int32_t>(
            {{}, static_cast<const T*>(how.data) + how.n - count, count}, how.n / 4, how);
      }
    }
    return launch_spread<F, T>(fold_object<F>(how.op), how.n, how);
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
