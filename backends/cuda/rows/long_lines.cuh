// Kernels of lines that are read twice, after their pages are folded: the joins of pages, then the results.
#pragma once

#include "rows/arguments.cuh"
#include "rows/meeting.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

inline constexpr int most_joining_threads = 512;

/// Joins the pages of long lines, a block for each line: a thread joins neighboring pages, a power of two of them.
template <class Statistic, class T, bool Selects>
__global__ void __launch_bounds__(most_joining_threads) join_lines(const __grid_constant__ line_arguments<T> a) {
  using S = typename Statistic::S;
  constexpr std::int64_t page = page_elements(sizeof(typename Statistic::element));
  alignas(S) __shared__ unsigned char memory[most_joining_threads / 32 * sizeof(S)];
  S* const of_warps = reinterpret_cast<S*>(memory);
  const auto combine = [](const S& x, const S& y) { return Statistic::combine(x, y); };
  await_stream();
#pragma unroll 1
  for (std::int64_t line = blockIdx.x; line < a.lines; line += gridDim.x) {
    const std::int64_t n = size_of_line<Selects>(a, line);
    const std::int64_t pages = Selects ? max((n + page - 1) / page, std::int64_t{1}) : a.parts;
    std::int64_t together = 1;
    while (together * blockDim.x < pages) together *= 2;
    const auto threads = static_cast<int>((pages + together - 1) / together);
    const std::int64_t first = min(static_cast<int>(threadIdx.x), threads - 1) * together;
    const S* const states = static_cast<const S*>(a.states) + line * a.parts;
    S s = states[first];
    if (together > 1) {
      aligned_tree<S> tree;
      tree.push(s, combine);
#pragma unroll 1
      for (std::int64_t i = first + 1; i < min(first + together, pages); ++i) tree.push(states[i], combine);
      s = tree.total(combine);
    }
    const int warp = static_cast<int>(threadIdx.x / 32), warps = (threads + 31) / 32;
    s = small_warp_tree(Statistic{}, s, min(threads - 32 * warp, 32));
    if (lane_id() == 0) of_warps[warp] = s;
    __syncthreads();
    if (warp == 0) {
      s = small_warp_tree(Statistic{}, of_warps[min(lane_id(), warps - 1)], warps);
      if (lane_id() == 0) {
        static_cast<typename Statistic::line_total*>(a.totals)[line] = Statistic::total_of(a, n, s);
        Statistic::write(a, line, n, s);
      }
    }
    __syncthreads();
  }
}

/// Lines of which a warp of write_pages has a strip: they share weights and biases.
template <class Rows>
inline constexpr int lines_at_once = Rows::place::selects ? 1 : 4;

/// The results of a strip of some lines.
template <bool Full, class Rows, class T>
__device__ __forceinline__ void write_strip(const line_arguments<T>& a, std::int64_t page, std::int64_t first_line,
                                            std::int64_t n, std::int64_t first, int count) {
  using place = typename Rows::place;
  constexpr int lines = lines_at_once<Rows>, rows = 8 / lines, K = Rows::K;
  Rows its;
  typename Rows::outcome o[lines];
  std::int64_t from[lines], to[lines];
#pragma unroll
  for (int i = 0; i < lines; ++i) {
    const std::int64_t line = min(first_line + i, a.lines - 1);
    o[i] = Rows::of_page(a, line, n, page);
    from[i] = a.from.offset(a.first + line);
    to[i] = a.to.offset(a.first + line);
  }
  const auto elements_of = [&](int i) {
    return line_from<place>(a, first_line + i, a.data + from[i], a.from_along, first);
  };
  const auto results_of = [&](int i) { return line_from<place>(a, first_line + i, a.out + to[i], a.to_along, first); };
#pragma unroll 1
  for (int r = 0; r < strip_rows; r += rows) {
    if (!Full && r * Rows::lanes >= count) break;
    piece<T, K> x[lines][rows];
    typename Rows::weights parameters[rows];
#pragma unroll
    for (int k = 0; k < rows; ++k) {
      parameters[k] = its.template weights_of<Full>(a, results_of(0), first, (r + k) * Rows::lanes, count);
#pragma unroll
      for (int i = 0; i < lines; ++i) x[i][k] = its.template loaded<Full>(elements_of(i), (r + k) * Rows::lanes, count);
    }
#pragma unroll
    for (int i = 0; i < lines; ++i)
      if (first_line + i < a.lines)
#pragma unroll
        for (int k = 0; k < rows; ++k)
          its.template store_row<Full>(results_of(i), (r + k) * Rows::lanes, count,
                                       Rows::results(a, x[i][k], o[i], parameters[k]));
  }
}

/// The results of lines that are read twice: a block has a page of some lines, and goes from lines to lines before it
/// goes from page to page, so that weights and biases stay in the second-level cache.
template <class Rows, class T>
__global__ void __launch_bounds__(32 * page_strips) write_pages(const __grid_constant__ line_arguments<T> a) {
  constexpr int lines = lines_at_once<Rows>, strip = strip_rows * Rows::lanes;
  const std::int64_t groups = (a.lines + lines - 1) / lines, all = groups * a.parts;
  await_stream();
#pragma unroll 1
  for (std::int64_t unit = blockIdx.x; unit < all; unit += gridDim.x) {
    const std::int64_t page = quotient_of(unit, groups), first_line = (unit - page * groups) * lines,
                       n = size_of_line<Rows::place::selects>(a, first_line),
                       first = (page * page_strips + threadIdx.x / 32) * strip;
    if (first >= n) continue;
    if (n - first >= strip)
      write_strip<true, Rows>(a, page, first_line, n, first, strip);
    else
      write_strip<false, Rows>(a, page, first_line, n, first, static_cast<int>(n - first));
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
