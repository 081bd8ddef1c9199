// Scans of the catalog: in one pass where they are of one line of neighbors, and as all others elsewhere.
#pragma once

#include "onefold/detail/cuda/scan.cuh"
#include "scans/launch.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Folds over 4 or 8 bytes whose results have the size of an element, and their states at most twice that; not those
/// whose speed rarely matters.
template <class Full, class T, class R>
inline constexpr bool scans_lines = false;
template <class Full, class T, class R>
requires(layout_of<kernel_t<Full>, T> == layout::packs && !is_rare<Full> && (sizeof(T) == 4 || sizeof(T) == 8) &&
         sizeof(R) == sizeof(T) && sizeof(tree_state<kernel_t<Full>, T>) <= 2 * sizeof(T) &&
         sizeof(lane_state<kernel_t<Full>, T>) ==
             sizeof(tree_state<kernel_t<Full>, T>)) inline constexpr bool scans_lines<Full, T, R> = true;

template <class Full, class T, class R>
struct line_functions : scan_functions<kernel_t<Full>, T> {};

template <class Full, class T, class R>
requires scans_lines<Full, T, R>
struct line_functions<Full, T, R> : scan_functions<kernel_t<Full>, T> {
  using general = scan_functions<kernel_t<Full>, T>;
  using nodes = page_nodes<kernel_t<Full>, T>;

  static bool are_neighbors(const problem& p) {
    return p.outputs == 1 && (p.n <= 1 || (p.reduced_axes == 1 && p.reduced[0].stride == 1));
  }
  static bool is_aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }

  static std::int64_t kept_bytes(const problem& from) {
    const std::int64_t pages = pages_of(from.n, sizeof(T));
    return are_neighbors(from) && pages <= most_node_pages ? nodes::bytes(pages) : 0;
  }
  static int launch(const device_launch& how, const problem& from, const problem& to, bool exclusive,
                    std::int32_t distance) {
    const std::int64_t pages = pages_of(from.n, sizeof(T));
    if (from.n == 0 || kept_bytes(from) == 0 || how.kept_bytes < kept_bytes(from) || !are_neighbors(to) ||
        !is_aligned(how.data) || !is_aligned(how.out) ||
        !awaits_stream(reinterpret_cast<const void*>(scan_line<Full, T, R, many_pages, false>)))
      return general::launch(how, from, to, exclusive, distance);
    scan_job<kernel_t<Full>, T, R> job{fold_object<kernel_t<Full>>(how.op),
                                       static_cast<const storage_t<T>*>(how.data),
                                       static_cast<R*>(how.out),
                                       from.n,
                                       nodes::in(how.kept, how.kept_bytes, pages),
                                       exclusive,
                                       R{}};
    if (how.has_init) memcpy(&job.init, how.init, sizeof(R));
    return how.has_init ? launch_for<true>(how, job) : launch_for<false>(how, job);
  }

 private:
  template <bool Init>
  static int launch_for(const device_launch& how, const scan_job<kernel_t<Full>, T, R>& job) {
    if constexpr (!has_large_states<kernel_t<Full>, T>)
      if (job.nodes.pages <= scan_blocks<kernel_t<Full>, T> * how.processors)
        return launch_line<Full, T, R, few_pages, Init>(how, job);
    return launch_line<Full, T, R, many_pages, Init>(how, job);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
