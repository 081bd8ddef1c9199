// Which kernels work on lines, and their launches.
#pragma once

#include "onefold/detail/cuda/shapes.cuh"
#include "rows/kernels.cuh"

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
  using row = strips<spread_over_warp, 1>;
  /// Words of a thread that has a part of a row: several, so that what is done once for each thread counts less, but as
  /// many as their lanes leave registers for.
  static constexpr int words_at_once =
      std::clamp(256 / (lanes_of(sizeof(typename words::statistic::element)) / 32 *
                        static_cast<int>(sizeof(typename words::L))), 1, 4);
  template <class U, int K0>
  using part = words_of_part<U, K0, words_at_once>;
  template <class U, int K0>
  using half = words_of_part<U, K0, (words_at_once > 1 ? 2 : 1)>;
  using row_words = strips<part, 1>;
  using two_rows = strips<half, 2>;
  using statistic = typename words::statistic;
  using S = typename statistic::S;
  using arguments = line_arguments<T, S>;
  static constexpr std::int64_t lanes = words::lanes, strip = strip_rows * lanes, page = page_strips * strip;

  static bool fit_block(std::int64_t n) { return n <= most_warps_of_line * strip; }
  static std::int64_t slot_bytes(std::int64_t lines, std::int64_t n) {
    return fit_block(n) ? 0 : lines * (((n + page - 1) / page + 1) * static_cast<std::int64_t>(sizeof(S)) + 4);
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

  /// Elements of the lines that are folded ahead: read again, they are still in the second-level cache.
  static constexpr std::int64_t ahead = (8 << 20) / sizeof(T);

  template <class Strip>
  static cudaError_t launch_pages(const device_launch& how, const arguments& a, std::int64_t units, int warps) {
    return launch(how, blocks_for(units, 1), static_cast<unsigned>(32 * warps), meeting_bytes<Strip>(warps),
                  map_pages<Strip, T>, a, units);
  }
  template <class Strip>
  static cudaError_t launch_by_blocks(const device_launch& how, arguments a) {
    if (fit_block(a.n)) return launch_pages<Strip>(how, a, a.lines, static_cast<int>((a.n + strip - 1) / strip));
    a.pages = (a.n + page - 1) / page;
    a.group = std::clamp<std::int64_t>(ahead / a.n, 1, a.lines);
    a.totals = static_cast<S*>(how.slots);
    a.states = a.totals + a.lines;
    a.folded = reinterpret_cast<std::uint32_t*>(a.states + a.lines * a.pages);
    if (const cudaError_t e = clear(how, a.folded, a.lines * 4); e != cudaSuccess) return e;
    const std::int64_t groups = (a.lines + a.group - 1) / a.group;
    const bool writes = a.operation != row_operation::logsumexp;
    return launch_pages<Strip>(how, a, writes ? 2 * groups * a.group * a.pages : a.lines * a.pages, page_strips);
  }
  template <class Strip>
  static cudaError_t launch_longer(const device_launch& how, const arguments& a) {
    if (a.n > strip) return launch_by_blocks<Strip>(how, a);
    return launch(how, blocks_for(a.lines, line_warps), 32 * line_warps, 0, map_strips<Strip, T>, a);
  }

  static cudaError_t launch_lines(const device_launch& how, const arguments& a) {
    if (a.lines == 0 || (a.n == 0 && a.operation != row_operation::logsumexp)) return cudaSuccess;
    if (a.n > 1 && !(follow(a.from_along) && (a.operation == row_operation::logsumexp || follow(a.to_along))))
      return launch_by_blocks<scattered>(how, a);
    const bool by_words = are_words(a);
    if (by_words && a.n > lanes && a.n <= 2 * lanes)
      return launch_short<two_rows, 1>(how, a, lanes / two_rows::K);
    if (a.n > lanes) return by_words ? launch_longer<words>(how, a) : launch_longer<spread>(how, a);
    if (by_words) return launch_short<row_words, 1>(how, a, width_for<row_words>(a.n));
    return launch_short<row, (row::K >= 8 ? 2 : 4)>(how, a, width_for<row>(a.n));
  }

 private:
  /// Threads of a line of up to a row.
  template <class Strip>
  static int width_for(std::int64_t n) {
    int width = 1;
    while (width * Strip::K < n) width *= 2;
    return width;
  }
  template <class Strip, int Lines>
  static cudaError_t launch_short(const device_launch& how, const arguments& a, int width) {
    return launch(how, blocks_for(a.lines, line_warps * Lines * (32 / width)), 32 * line_warps, 0,
                  map_short_lines<Strip, T, Lines>, a, width);
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
  static int launch(const device_launch& how, const row_request& what, const row_memory& memory) {
    using V = line_value<T>;
    return with_statistic(what.operation, [&]<class Statistic>() -> int {
      using launcher = line_launcher<Statistic, T>;
      return launcher::launch_lines(
          how,
          {static_cast<const T*>(memory.data), static_cast<T*>(memory.results),
           device_axes_of(what.from.kept, what.from.kept_axes),
           device_axes_of(what.from.reduced, what.from.reduced_axes), device_axes_of(what.to.kept, what.to.kept_axes),
           device_axes_of(what.to.reduced, what.to.reduced_axes), what.from.outputs, what.from.n, what.operation,
           what.operation == row_operation::standardize ? 0 : what.eps, static_cast<const T*>(memory.weight),
           static_cast<const T*>(memory.bias), static_cast<V*>(memory.mean), static_cast<V*>(memory.rstd),
           0, 0, nullptr, nullptr, nullptr});
    });
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
