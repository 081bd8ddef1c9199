// Kernels of lines that a warp, or a part of one, works on.
#pragma once

#include "rows/arguments.cuh"
#include "rows/meeting.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

inline constexpr int line_warps = 4;  ///< of a block whose warps have lines of their own

/// What the first of `width` threads of a line has made, in all of them; they all have it where the fold is symmetric.
template <class Strip, class Outcome>
__device__ __forceinline__ Outcome handed_out(const Outcome& o, int width) {
  if constexpr (is_symmetric<typename Strip::F, typename Strip::statistic::element>)
    return o;
  else
    return from_lane(o, lane_id() & ~(width - 1));
}

/// The least blocks of map_short_lines of a multiprocessor, or 0 for as many as the compiler's choice of registers
/// allows. softmax of 16-bit elements, and lanes with moments, are faster with fewer registers and more threads.
template <class Strip, class T, int Lines>
constexpr int blocks_of_short_lines() {
  if (Strip::place::selects || sizeof(T) == 8) return 0;
  if (!Strip::statistic::is_one_number) return Strip::rows < 4 ? 5 : 4;
  if (sizeof(T) > 2 || Lines > 1) return 0;
  return Strip::rows == 1 ? 12 : 10;
}

/// The outcomes of `Lines` lines of `width` threads, at least one for each line, from what each thread has of their
/// totals; writes what is written once a line. Each thread joins and finishes one line, and hands it to the others.
template <class Strip, class F, class A, class Part, int Lines>
__device__ __forceinline__ void meet_and_finish(const A& a, const meeting_steps& steps, const Part (&parts)[Lines],
                                                std::int64_t first, int log2_width,
                                                typename Strip::statistic::outcome (&o)[Lines]) {
  using statistic = typename Strip::statistic;
  const int width = 1 << log2_width;
  const auto state = Strip::state_of(totals_of<F, typename statistic::element>(F{}, parts, steps));
  const auto mine = statistic::of(a, a.n, state, state);
  const std::int64_t line = first + line_of_thread<Lines>(steps) * (32 >> log2_width) + (lane_id() >> log2_width);
  const int others = (width - 1) & ~bits_of_lines<Lines>(steps);  // threads with the same line
  if (line < a.lines && (lane_id() & others) == 0) statistic::write(a, line, a.n, state);
#pragma unroll
  for (int i = 0; i < Lines; ++i) o[i] = from_lane(mine, thread_of_line<Lines>(steps, i, width));
}

/// Lines of up to `Strip::rows` rows: `2^log2_width` threads have one, and `Lines` at once.
template <class Strip, class T, int Lines>
__global__ void __launch_bounds__(32 * line_warps, blocks_of_short_lines<Strip, T, Lines>())
    map_short_lines(const __grid_constant__ line_arguments<T> a, int log2_width) {
  using statistic = typename Strip::statistic;
  using V = line_value<T>;
  using F = typename Strip::F;
  using L = typename Strip::L;
  using place = typename Strip::place;
  const int width = 1 << log2_width, groups = 32 >> log2_width, of_warp = groups * Lines;
  await_stream();
#pragma unroll 1
  for (std::int64_t first = (std::int64_t{blockIdx.x} * line_warps + threadIdx.x / 32) * of_warp; first < a.lines;
       first += std::int64_t{gridDim.x} * line_warps * of_warp) {
    Strip x[Lines];
    typename statistic::outcome o[Lines];
    int n[Lines];
    const auto line_of = [&](int i) { return first + i * groups + (lane_id() >> log2_width); };
#pragma unroll
    for (int i = 0; i < Lines; ++i) {
      if constexpr (requires { x[i].where.width; }) x[i].where.width = width;
      const std::int64_t line = min(line_of(i), a.lines - 1);
      n[i] = static_cast<int>(size_of_line<place::selects>(a, line));
      const auto p = line_from<place>(a, line, a.elements(line), a.from_along, 0);
      x[i].load(p, line_of(i) < a.lines ? n[i] : 0);
    }
    bool met = false;
    // Where states are one number and lines are short, each thread joins all faster.
    if constexpr (Lines > 1 && !statistic::shifts && (!statistic::is_one_number || Strip::rows > 1))
      if (width >= Lines) {
        met = true;
        bool even = false;
        if constexpr (statistic::counts) {
          even = x[0].is_even(n[0]);
          if (even) {
            typename Strip::even_state parts[Lines];
#pragma unroll
            for (int i = 0; i < Lines; ++i) parts[i] = x[i].even_part(a, n[i]);
            meet_and_finish<Strip, typename Strip::even_fold>(a, x[0].where.steps(), parts, first, log2_width, o);
          }
        }
        if (!even) {
          L parts[Lines];
#pragma unroll
          for (int i = 0; i < Lines; ++i) parts[i] = x[i].part(a, n[i]);
          meet_and_finish<Strip, F>(a, x[0].where.steps(), parts, first, log2_width, o);
        }
      }
    if (!met)
#pragma unroll
      for (int i = 0; i < Lines; ++i) {
        V m{}, c{};
        if constexpr (statistic::shifts) {
          m = largest_of(x[i], width);
          c = statistic::of_page(m);
        }
        L s[Strip::K];
        x[i].fold(a, c, n[i], s);
        const auto state = x[i].state(n[i], s, m);
        o[i] = handed_out<Strip>(statistic::of(a, n[i], state, state), width);
        if (line_of(i) < a.lines && (lane_id() & (width - 1)) == 0) statistic::write(a, line_of(i), n[i], state);
      }
    if (a.operation == row_operation::logsumexp) continue;
#pragma unroll
    for (int i = 0; i < Lines; ++i)
      if (line_of(i) < a.lines)
        x[i].store(a, line_from<place>(a, line_of(i), a.results(line_of(i)), a.to_along, 0), n[i], o[i], 0);
  }
}

/// Lines of up to a strip, each by a warp.
template <class Strip, class T>
__global__ void __launch_bounds__(32 * line_warps) map_strips(const __grid_constant__ line_arguments<T> a) {
  using statistic = typename Strip::statistic;
  using V = line_value<T>;
  using S = typename statistic::S;
  using place = typename Strip::place;
  await_stream();
#pragma unroll 1
  for (std::int64_t line = std::int64_t{blockIdx.x} * line_warps + threadIdx.x / 32; line < a.lines;
       line += std::int64_t{gridDim.x} * line_warps) {
    const int n = static_cast<int>(size_of_line<place::selects>(a, line));
    Strip x;
    const auto p = line_from<place>(a, line, a.elements(line), a.from_along, 0);
    x.load(p, n);
    V m{}, c{};
    if constexpr (statistic::shifts) {
      m = largest_of(x, 32);
      c = statistic::of_page(m);
    }
    typename Strip::L s[Strip::K];
    x.fold(a, c, n, s);
    const S state = x.state(n, s, m);
    const auto o = handed_out<Strip>(statistic::of(a, n, state, state), 32);
    if (lane_id() == 0) statistic::write(a, line, n, state);
    if (a.operation != row_operation::logsumexp)
      x.store(a, line_from<place>(a, line, a.results(line), a.to_along, 0), n, o, 0);
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
