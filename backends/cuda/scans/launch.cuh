// Scans of one line in one pass: which arrays they apply to, and the launch.
#pragma once

#include "scans/block.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

// How pages go through a multiprocessor: how many of a block are in flight, how many blocks there are, and whether they
// take pages until none is left. docs/notes/cuda.md has the figures.

/// Where all pages are in flight at once: a block has one.
struct few_pages {
  static constexpr int slots = 1;
  static constexpr bool ring = false;
};
struct many_pages {
  static constexpr int slots = 3;
  static constexpr bool ring = true;
};

/// Whether states are larger than elements: those of Kahan and wide sums.
template <class F, class T>
inline constexpr bool has_large_states = sizeof(tree_state<F, T>) > sizeof(T);
/// Blocks of a multiprocessor. A thread has the states of nine rows in registers.
template <class F, class T>
inline constexpr int scan_blocks = has_large_states<F, T> ? 2 : 4;

template <class Full, class T, class R, class How, bool Init>
__global__ void __launch_bounds__(32 * scan_block_warps, scan_blocks<kernel_t<Full>, T>)
    scan_line(const __grid_constant__ scan_job<kernel_t<Full>, T, R> a) {
#if __CUDA_ARCH__ >= 900 || !defined(__CUDACC__)
  using block = scan_block<Full, T, R, How::slots, How::ring, Init>;
  ONEFOLD_DYNAMIC_MEMORY(memory);
  await_stream();
  block{a, *reinterpret_cast<typename block::memory*>(memory)}.run();
#endif
}

template <class Full, class T, class R, class How, bool Init>
int launch_line(const device_launch& how, const scan_job<kernel_t<Full>, T, R>& a) {
  const int most = How::ring ? scan_blocks<kernel_t<Full>, T> * how.processors : a.nodes.pages;
  constexpr int shared = sizeof(scan_memory<kernel_t<Full>, T, How::slots>);
  return detail::launch(how, static_cast<unsigned>(std::min(a.nodes.pages, most)), 32 * scan_block_warps, shared,
                        scan_line<Full, T, R, How, Init>, a);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
