// Which kernels make a row operation of lines, and their launches.
#pragma once

#include "onefold/detail/cuda/shapes.cuh"
#include "rows/kernels.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How strips of a statistic over T are held.
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
  using spread = strips<spread_over_warp, strip_rows>;
  using words = strips<words_of_warp, strip_rows>;
  using line = strips<spread_over_warp, 1>;
  using statistic = typename spread::statistic;
  using S = typename statistic::S;
  using arguments = line_arguments<T, S>;
  static constexpr std::int64_t lanes = spread::lanes, strip = strip_rows * lanes, page = page_strips * strip;

  static bool fit_block(std::int64_t n) { return n <= most_warps_of_line * strip; }
  static std::int64_t slot_bytes(std::int64_t lines, std::int64_t n) {
    return fit_block(n) ? 0 : lines * ((n + page - 1) / page + 1) * static_cast<std::int64_t>(sizeof(S));
  }

  /// Whether a thread's elements lie at multiples of their size together.
  static bool are_words(const arguments& a) {
    constexpr std::int64_t bytes = spread::K * sizeof(T);
    const auto whole = [&](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % bytes == 0; };
    const auto even = [&](const device_axes& axes) {
      return std::all_of(axes.of, axes.of + axes.count,
                         [&](const axis& k) { return k.extent == 1 || k.stride % spread::K == 0; });
    };
    return a.along == 1 && a.to_along == 1 && whole(a.data) && whole(a.out) && whole(a.weight) && whole(a.bias) &&
           even(a.from) && (a.kind == line_result::logsumexp || even(a.to));
  }

  template <class Strip>
  static cudaError_t launch_pages(const device_launch& how, const arguments& a, int warps) {
    const std::int64_t units = a.phase == line_phase::all ? a.lines : a.lines * a.pages;
    return launch(how, blocks_for(units, 1), static_cast<unsigned>(32 * warps), meeting_bytes<Strip>(warps),
                  map_pages<Strip, T>, a);
  }
  template <class Strip>
  static cudaError_t launch_longer(device_launch how, arguments a, void* slots) {
    if (a.n <= strip) return launch(how, blocks_for(a.lines, line_warps), 32 * line_warps, 0, map_strips<Strip, T>, a);
    if (fit_block(a.n)) return launch_pages<Strip>(how, a, static_cast<int>((a.n + strip - 1) / strip));
    a.pages = (a.n + page - 1) / page;
    a.totals = static_cast<S*>(slots);
    a.states = a.totals + a.lines;
    a.phase = line_phase::fold;
    cudaError_t e = launch_pages<Strip>(how, a, page_strips);
    how.follows = true;
    if (e == cudaSuccess)
      e = launch(how, blocks_for(a.lines, line_warps), 32 * line_warps, 0, join_lines<statistic, T>, a);
    a.phase = line_phase::write;
    if (e == cudaSuccess && a.kind != line_result::logsumexp) e = launch_pages<Strip>(how, a, page_strips);
    return e;
  }

  /// The lines have elements.
  static cudaError_t launch_lines(const device_launch& how, const arguments& a, void* slots) {
    if (a.n > lanes) return are_words(a) ? launch_longer<words>(how, a, slots) : launch_longer<spread>(how, a, slots);
    constexpr int at_once = line::K >= 8 ? 2 : 4;
    int width = 1;
    while (width * line::K < a.n) width *= 2;
    return launch(how, blocks_for(a.lines, line_warps * at_once * (32 / width)), 32 * line_warps, 0,
                  map_short_lines<line, T, at_once>, a, width);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
