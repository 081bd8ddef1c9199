// Which kernels work on lines, and their launches. The files of this folder, each built on those before it: pieces,
// meeting, places and selected say what a thread holds; arguments, what kernels are given; affine, affine_strip and
// soft, what is computed; short_lines, pages (with cluster) and long_lines are the kernels.
#pragma once

#include "onefold/detail/cuda/shapes.cuh"
#include "rows/affine_strip.cuh"
#include "rows/long_lines.cuh"
#include "rows/pages.cuh"
#include "rows/short_lines.cuh"
#include "rows/soft.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How strips are held for a statistic over T.
template <class Statistic, class T>
struct held_strips {
  template <template <class, int> class Place, int Rows>
  using type = affine_strip<Statistic, T, Place, Rows>;
};
template <class T>
struct held_strips<soft_statistic<T>, T> {
  template <template <class, int> class Place, int Rows>
  using type = soft_strip<T, Place, Rows>;
};

template <class Statistic, class T>
struct line_launcher {
  template <template <class, int> class Place, int Rows>
  using strips = typename held_strips<Statistic, T>::template type<Place, Rows>;
  using words = strips<words_of_warp, strip_rows>;
  using spread = strips<spread_over_warp, strip_rows>;
  using scattered = strips<scattered_over_warp, strip_rows>;
  using selected = strips<selected_over_warp, strip_rows>;
  using row = strips<spread_over_warp, 1>;
  using selected_row = strips<selected_over_warp, 1>;
  // Lines of few rows: a warp has several at once, so that enough loads are on their way.
  template <int Rows>
  using few = strips<words_of_warp, Rows>;
  // Short lines of whole words: a thread has two, so that what is done once for each thread counts less. With four,
  // fewer threads wait for memory at a time.
  template <class U, int K0>
  using two_words = words_of_part<U, K0, 2>;
  using statistic = typename words::statistic;
  using S = typename statistic::S;
  using line_total = typename statistic::line_total;
  // The same for norms, whose lanes meet within a thread where they can: of one number in words of four elements, of
  // several in words of two. A line needs as many threads as a word has elements, which one of more than 16 has.
  static constexpr bool is_one_number = statistic::is_one_number;
  template <class U, int>
  using norm_words = words_of_part<U, is_one_number ? 4 : 2, is_one_number ? 2 : 4>;
  static constexpr int norm_lines = is_one_number || sizeof(T) > 2 ? 2 : 4, least_of_norm_words = 17;
  using arguments = line_arguments<T>;
  static constexpr std::int64_t lanes = words::lanes, strip = strip_rows * lanes, page = page_strips * strip;

  static bool fit_block(std::int64_t n) { return n <= most_warps_of_line * strip; }
  static std::int64_t slot_bytes(std::int64_t lines, std::int64_t n) {
    if (fit_block(n)) return 0;
    static_assert(sizeof(line_total) % alignof(S) == 0);
    const std::int64_t pages = (n + page - 1) / page;
    return lines * (pages * static_cast<std::int64_t>(sizeof(S)) + static_cast<std::int64_t>(sizeof(line_total)));
  }

  static bool follow(const device_axes& along) {
    return along.count == 0 || (along.count == 1 && along.of[0].stride == 1);
  }
  /// Whether a thread's elements lie at multiples of their size together.
  static bool are_words(const arguments& a) {
    constexpr std::int64_t bytes = words::K * sizeof(T);
    const auto whole = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % bytes == 0; };
    const auto even = [](const device_axes& axes) {
      return std::all_of(axes.of, axes.of + axes.count, [](const axis& k) { return k.stride % words::K == 0; });
    };
    if (a.operation != row_operation::logsumexp && !(whole(a.out) && even(a.to))) return false;
    return whole(a.data) && whole(a.weight) && whole(a.bias) && even(a.from);
  }

  template <class Strip, bool Ahead>
  static cudaError_t launch_map_pages(const device_launch& how, const arguments& a, int warps) {
    static_assert(fits_devices<Strip, T, Ahead>);
    const std::int64_t at_once = std::int64_t{how.processors} * (blocks_of_pages<Strip> * most_warps_of_line / warps);
    return launch(how, blocks_for(a.lines * a.parts, 1, Ahead ? at_once : 1 << 30), static_cast<unsigned>(32 * warps),
                  bytes_of_pages<Strip, T, Ahead>(warps), map_pages<Strip, T, false, Ahead>, a);
  }
  /// Moments of f32 take so many registers that few threads are there to load: up to 8 strips stay in shared memory
  /// instead, and longer lines are copied there ahead. Elsewhere both only take time (H200, docs/notes/cuda.md).
  template <class Strip>
  static cudaError_t launch_pages(const device_launch& how, const arguments& a, int warps) {
    if constexpr (std::is_same_v<Strip, words> && statistic::counts && sizeof(T) == 4) {
      if (warps > most_warps_of_line / 2) return launch_map_pages<Strip, true>(how, a, warps);
      using in_shared = affine_strip<Statistic, T, words_of_warp, strip_rows, true>;
      return launch_map_pages<in_shared, false>(how, a, warps);
    }
    return launch_map_pages<Strip, false>(how, a, warps);
  }
  /// Whether clusters are faster than reading long lines twice (H100, docs/notes/cuda.md).
  template <class Strip>
  static constexpr bool gains_from_clusters = blocks_of_pages<Strip> == 2 &&
                                              (std::is_same_v<Strip, words> ||
                                               (statistic::shifts && std::is_same_v<Strip, spread>));
  /// Lines that the registers of a cluster hold; false where that is not possible.
  template <class Strip>
  static bool launch_clusters(const device_launch& how, arguments a, cudaError_t* result) {
    constexpr int most_pages = most_warps_of_line / page_strips;
    constexpr bool ahead =
        std::is_same_v<Strip, words> && (sizeof(T) == 4 || !statistic::shifts);  // slower for 16-bit softmax (H200)
    static_assert(fits_devices<Strip, T, ahead>);
    const std::int64_t pages = (a.n + page - 1) / page;
    if (pages > most_blocks_of_cluster * most_pages || a.lines > 1 << 27) return false;
    a.parts = (pages + most_pages - 1) / most_pages;
    const int warps = static_cast<int>((pages + a.parts - 1) / a.parts) * page_strips;
    return launch_in_clusters(how, static_cast<unsigned>(a.lines), static_cast<unsigned>(a.parts),
                              static_cast<unsigned>(32 * warps), bytes_of_pages<Strip, T, ahead>(warps), ahead, result,
                              map_pages<Strip, T, true, ahead>, a);
  }
  template <class Strip>
  static cudaError_t launch_by_blocks(device_launch how, arguments a) {
    if (fit_block(a.n)) return launch_pages<Strip>(how, a, static_cast<int>((a.n + strip - 1) / strip));
    cudaError_t e = cudaSuccess;
    if constexpr (gains_from_clusters<Strip>)
      if (a.operation != row_operation::logsumexp && launch_clusters<Strip>(how, a, &e)) return e;
    a.parts = (a.n + page - 1) / page;
    a.totals = how.slots;
    a.states = static_cast<line_total*>(how.slots) + a.lines;
    a.folds = true;
    e = launch_pages<Strip>(how, a, page_strips);
    how.follows = true;
    const auto threads = static_cast<unsigned>(std::min<std::int64_t>((a.parts + 31) / 32 * 32, most_joining_threads));
    if (e == cudaSuccess)
      e = launch(how, blocks_for(a.lines, 1), threads, 0, join_lines<statistic, T, Strip::place::selects>, a);
    if (e == cudaSuccess && a.operation != row_operation::logsumexp) {
      using results = typename Strip::results;
      const std::int64_t groups = (a.lines + lines_at_once<results> - 1) / lines_at_once<results>;
      e = launch(how, blocks_for(groups * a.parts, 1), 32 * page_strips, 0, write_pages<results, T>, a);
    }
    return e;
  }
  template <class Strip>
  static cudaError_t launch_longer(const device_launch& how, const arguments& a) {
    if (a.n > strip) return launch_by_blocks<Strip>(how, a);
    return launch(how, blocks_for(a.lines, line_warps), 32 * line_warps, 0, map_strips<Strip, T>, a);
  }

  static cudaError_t launch_lines(const device_launch& how, const arguments& a) {
    if (a.lines == 0 || (a.n == 0 && a.operation != row_operation::logsumexp && !a.mean)) return cudaSuccess;
    if (a.counts) return a.n > lanes ? launch_longer<selected>(how, a) : launch_short<selected_row, 1>(how, a);
    if (a.n > 1 && !(follow(a.from_along) && (a.operation == row_operation::logsumexp || follow(a.to_along))))
      return launch_by_blocks<scattered>(how, a);
    const bool by_words = are_words(a);
    if constexpr (statistic::shifts) {  // others are slower so (H200)
      if (by_words && a.n <= lanes) return launch_short<strips<two_words, 1>, 1>(how, a);
      if (by_words && a.n <= 2 * lanes) return launch_short<strips<two_words, 2>, 1>(how, a);
    } else if (by_words && a.n > lanes) {
      if (a.n <= 2 * lanes) return launch_short<few<2>, 4>(how, a);
      if (a.n <= 4 * lanes) return launch_short<few<4>, 2>(how, a);
    } else if constexpr (sizeof(T) <= 4) {
      if (by_words && a.n >= least_of_norm_words) return launch_short<strips<norm_words, 1>, norm_lines>(how, a);
    }
    if (a.n > lanes) return by_words ? launch_longer<words>(how, a) : launch_longer<spread>(how, a);
    return launch_short<row, (row::K >= 8 ? 2 : 4)>(how, a);
  }

 private:
  template <class Strip, int Lines>
  static cudaError_t launch_short(const device_launch& how, const arguments& a) {
    int log2_width = 0;  // of the threads of a line
    while ((std::int64_t{Strip::K} << log2_width) < std::min(a.n, lanes)) ++log2_width;
    // Warps with lines one after another: what they do once counts less (H200, docs/notes/cuda.md).
    const std::int64_t most = std::int64_t{64} * how.processors;
    return launch(how, blocks_for(a.lines, line_warps * Lines * (32 >> log2_width), most), 32 * line_warps, 0,
                  map_short_lines<Strip, T, Lines>, a, log2_width);
  }
};

/// What a device does with lines of T.
template <class T>
struct row_functions {
  /// Calls f with the statistic that an operation needs.
  template <class Function>
  static auto with_statistic(row_operation operation, const Function& f) {
    switch (operation) {
      case row_operation::layer_norm:
      case row_operation::standardize:
        return f.template operator()<moments_statistic<T>>();
      case row_operation::rms_norm:
      case row_operation::normalize_l2:
        return f.template operator()<squares_statistic<T>>();
      case row_operation::normalize_l1:
        return f.template operator()<magnitudes_statistic<T>>();
      case row_operation::normalize_max:
        return f.template operator()<largest_statistic<T>>();
      default:
        return f.template operator()<soft_statistic<T>>();
    }
  }

  /// Bytes of scratch, of any contents.
  static std::int64_t slot_bytes(const row_request& what) {
    return with_statistic(what.operation, [&]<class Statistic>() {
      return line_launcher<Statistic, T>::slot_bytes(what.from.outputs, what.from.n);
    });
  }
  /// Works on the lines from number how.first on; the pointers of `memory` are those of line 0. how.device_n: null, or
  /// selected_lines::counts.
  static int launch(const device_launch& how, const row_request& what, const row_memory& memory) {
    using V = line_value<T>;
    return with_statistic(what.operation, [&]<class Statistic>() -> int {
      using launcher = line_launcher<Statistic, T>;
      return launcher::launch_lines(
          how,
          {.data = static_cast<const T*>(memory.data),
           .out = static_cast<T*>(memory.results),
           .from = device_axes_of(what.from.kept, what.from.kept_axes),
           .from_along = device_axes_of(what.from.reduced, what.from.reduced_axes),
           .to = device_axes_of(what.to.kept, what.to.kept_axes),
           .to_along = device_axes_of(what.to.reduced, what.to.reduced_axes),
           .first = how.first,
           .lines = what.from.outputs,
           .n = what.from.n,
           .counts = how.device_n,
           .places = how.device_n ? reinterpret_cast<const std::uint32_t*>(how.device_n + what.from.outputs) : nullptr,
           .operation = what.operation,
           .epsilon = what.operation == row_operation::standardize ? 0 : what.eps,
           .weight = static_cast<const T*>(memory.weight),
           .bias = static_cast<const T*>(memory.bias),
           .mean = static_cast<V*>(memory.mean),
           .scale = static_cast<V*>(memory.rstd)});
    });
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
