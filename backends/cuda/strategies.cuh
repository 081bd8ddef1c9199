// How a device folds what is in the catalog: exact sums, searches, any order, strips; all else by pages.
#pragma once

#include "arrays/any_order.cuh"
#include "arrays/search_words.cuh"
#include "arrays/sum_of_words.cuh"
#include "exact/outputs.cuh"
#include "onefold/detail/cuda/make_device_fold.cuh"
#include "results.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Sums to which whole arrays are added: nothing of them is in pages.
template <class F, class T>
struct exact_strategy {
  using sums = tree_state<F, T>;
  static std::int64_t slot_bytes(std::int64_t) { return sizeof(exact_scratch<sums>); }
  static int launch(const device_launch& how) { return launch_exact<sums, T>(how); }
  static std::int64_t shape_slot_bytes(const problem&) { return 0; }
  static int launch_shape(const device_launch& how, const problem& p, std::int32_t distance) {
    return launch_exact_outputs<sums>(how, outputs_of<T>(how, p, distance));
  }
  static std::int64_t segment_slot_bytes(std::int64_t, std::int64_t) { return 0; }
  static int launch_segments(const device_launch& how, const device_segments& s, std::int32_t distance) {
    return launch_exact_outputs<sums>(how, outputs_of<T>(how, s, nullptr, distance));
  }
};

template <class F, class T>
struct search_strategy : page_strategy<F, T> {
  static int launch(const device_launch& how) { return launch_search<F, T>(how); }
  static int launch_shape(const device_launch& how, const problem& p, std::int32_t distance) {
    return detail::launch_shape<F, T>(how, p, distance, launch_searches<F, T>);
  }
};

/// Strips, or any order, and integers of a byte in words of four.
template <class F, class T>
struct strip_strategy : page_strategy<F, T> {
  static int launch(const device_launch& how) {
    using of_words = typename fold_of_words<F>::type;
    if constexpr (!__is_same(of_words, void)) {
      const bool aligned = reinterpret_cast<std::uintptr_t>(how.data) % 16 == 0;
      if (aligned && how.n >= 4 && !how.device_n) {
        const auto count = static_cast<int>(how.n % 4);
        return launch_in_any_order<of_words, std::int32_t>({{}, static_cast<const T*>(how.data) + how.n - count, count},
                                                           how.n / 4, how);
      }
    }
    return launch_in_any_order<F, T>(fold_object<F>(how.op), how.n, how);
  }
  static int launch_shape(const device_launch& how, const problem& p, std::int32_t distance) {
    return detail::launch_shape<F, T>(how, p, distance, launch_pages_directly<F, T>);
  }
};

template <of_library F, class T>
struct device_strategy<F, T>
    : std::conditional_t<adds_exactly<F>, exact_strategy<F, T>,
                         std::conditional_t<searches<F>, search_strategy<F, T>, strip_strategy<F, T>>> {};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
