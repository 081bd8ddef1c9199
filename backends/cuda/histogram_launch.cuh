// Chooses how elements are counted in bins: by which search, with counters in which memory, by how many blocks.
#pragma once

#include <algorithm>
#include <bit>

#include "histogram.cuh"
#include "onefold/catalog.hpp"
#include "onefold/detail/bit_layout.hpp"
#include "onefold/detail/cuda/launch.cuh"

namespace onefold::cuda {
namespace {

constexpr std::int64_t most_elements = std::int64_t{1} << 31;  ///< of a launch: counters have 32 bits
constexpr unsigned most_copies = 32;

/// Margins up to which guesses are worth it: of 32 elements few must be so near to an edge. Elements of 32 bits have a
/// guess in f64 beyond.
constexpr double fine_margin = 0x1p-9, most_margin = 0x1p-5;

/// How many bins have counters in this many bytes of shared memory, beside the counter of all other elements.
constexpr unsigned counters_in(int bytes) { return bytes < 16 ? 0 : static_cast<unsigned>(bytes) / 16 * 4 - 1; }

/// Launches one kernel over up to most_elements elements. `tree`: the bytes of limits in shared memory.
template <class Search>
cudaError_t launch_counting(const device_bins& b, counting_arguments p, int tree, const device_launch& how) {
  const std::int64_t words = p.n / static_cast<std::int64_t>(16 / sizeof(typename Search::word)) + 1;
  const auto workers_of = [&](int processors) {
    return static_cast<unsigned>(std::clamp<std::int64_t>((words - 1) / counting_threads + 1, 1, processors));
  };
  const unsigned room = counters_in(b.shared_bytes - tree);
  p.parts = room > 0 ? (p.bins - 1) / room + 1 : ~0u;
  // Bins that do not fit are shared out among blocks, unless that takes longer than counting in global memory.
  if (p.parts > std::min<unsigned>(Search::most_parts, static_cast<unsigned>(b.processors)) ||
      (p.parts > 1 && p.n < 2 * std::int64_t{p.bins})) {
    p.parts = 1;
    if constexpr (Search::needs_near_counters)
      return cudaErrorInvalidValue;
    else
      return detail::launch(how, workers_of(Search::blocks * b.processors), counting_threads, tree,
                            count_elements<Search, far_counters>, p);
  }
  p.part_bins = (p.bins - 1) / p.parts + 1;
  // Where two blocks fit on a multiprocessor, each has half of its memory, less the KiB that the system takes of it.
  const unsigned half = counters_in((b.shared_bytes - 1024) / 2 - tree);
  const bool shares = Search::blocks == 2 && p.part_bins <= half;
  const unsigned workers = workers_of((shares ? 2 : 1) * b.processors / static_cast<int>(p.parts));
  // Copies must pay for being cleared and added up.
  const std::int64_t most = std::min<std::int64_t>(shares ? half : room, p.n / workers / 8);
  while (1u << p.log2_copies < most_copies && std::int64_t{p.part_bins + 1} << (p.log2_copies + 1) <= most)
    ++p.log2_copies;
  p.counter_words = (((p.part_bins + 1) << p.log2_copies) + 3) / 4;
  return detail::launch(how, workers * p.parts, counting_threads, static_cast<int>(16 * p.counter_words) + tree,
                        count_elements<Search, near_counters>, p);
}

/// Launches a search of the limits: of as many levels in shared memory as leave room for the counters there, unless
/// these would take over three quarters of it.
template <class Word>
cudaError_t launch_searching(const device_bins& b, counting_arguments p, const device_launch& how) {
  const auto tree = [](int levels) { return ((std::int64_t{sizeof(key_for<Word>)} << levels) + 15) / 16 * 16; };
  const std::int64_t counters = 4 * std::int64_t{p.bins} + 16;
  const std::int64_t room = counters <= b.shared_bytes / 4 * 3 ? b.shared_bytes - counters : b.shared_bytes;
  p.levels = p.near_levels = std::bit_width(p.bins - 1);
  while (p.near_levels > 0 && tree(p.near_levels) > room) --p.near_levels;
  return launch_counting<tree_search<Word>>(b, p, static_cast<int>(tree(p.near_levels)), how);
}

template <class T>
cudaError_t launch_counting_of(const device_bins& b, counting_arguments p, const device_launch& how) {
  if constexpr (sizeof(T) == 1) {
    p.bins = 256;
    return launch_counting<no_search>(b, p, 0, how);
  } else {
    const bin_guess& g = b.guess;
    if constexpr (sizeof(T) <= 4)
      if (g.margin_f32 <= (sizeof(T) == 4 ? fine_margin : most_margin)) {
        p.within = 0.5 - g.margin_f32;
        return launch_counting<guessed_search<T, float>>(b, p, 0, how);
      }
    if constexpr (sizeof(T) >= 4)
      if (g.margin_f64 <= most_margin) {
        p.within = 0.5 - g.margin_f64;
        return launch_counting<guessed_search<T, double>>(b, p, 0, how);
      }
    return launch_searching<word_for<T>>(b, p, how);
  }
}

/// As enqueue_counting.
inline cudaError_t launch_all(const device_bins& b, const void* data, std::int64_t n, counting from,
                              cudaStream_t stream) {
  const detail::bit_layout bits = detail::bit_layout_of(b.element);
  counting_arguments p{};
  p.limits = b.limits;
  p.first = b.first;
  p.last = b.last;
  p.bins = static_cast<unsigned>(b.bins);
  p.sign = bits.sign;
  p.below_zero = bits.infinity != 0 ? 2 * bits.sign - 1 : 0;
  p.low = b.guess.low;
  p.per_unit = b.guess.per_unit;
  p.counts = reinterpret_cast<unsigned long long*>(b.slots);
  device_launch how{};
  how.stream = stream;
  cudaError_t failed = cudaSuccess;
  if (from == counting::anew) {
    const std::int64_t slots = slots_of(b.element, b.bins);
    failed = detail::launch(how, static_cast<unsigned>((slots - 1) / counting_threads + 1), counting_threads, 0,
                            clear_counts, p.counts, slots);
    how.follows = true;
  }
  for_each_type(element_types{}, [&]<class T>() {
    if (dtype_of<T> != b.element) return;
    for (std::int64_t at = 0; at < n && failed == cudaSuccess; at += most_elements) {
      p.data = static_cast<const T*>(data) + at;
      p.n = std::min(n - at, most_elements);
      failed = launch_counting_of<T>(b, p, how);
      how.follows = false;
    }
  });
  return failed;
}

}  // namespace
}  // namespace onefold::cuda
