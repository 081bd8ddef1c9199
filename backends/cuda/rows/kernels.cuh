// The kernels of row operations: short lines by a part of a warp, lines of a strip by a warp, longer ones by a block.
#pragma once

#include "rows/affine.cuh"
#include "rows/cluster.cuh"
#include "rows/selected.cuh"
#include "rows/soft.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

inline constexpr int line_warps = 4;           ///< of a block whose warps have lines of their own
inline constexpr int most_warps_of_line = 16;  ///< of a block that has one line

/// The largest element that the `width` threads of a line hold.
template <class Strip>
__device__ __forceinline__ typename Strip::V largest_of(const Strip& x, int width) {
  auto m = x.largest();
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2)
    if (bit < width) m = largest_or_nan(m, from_xor(m, bit));
  return m;
}

/// What the first of `width` threads of a line has made, in all of them; they all have it where the fold is symmetric.
template <class Strip, class Outcome>
__device__ __forceinline__ Outcome handed_out(const Outcome& o, int width) {
  if constexpr (is_symmetric<typename Strip::F, typename Strip::statistic::element>)
    return o;
  else
    return from_lane(o, lane_id() & ~(width - 1));
}

/// The least blocks of map_short_lines of a multiprocessor, or 0 for as many as the compiler's choice of registers
/// allows. Where elements of two bytes are loaded as words, or lanes have moments, fewer registers and more threads are
/// faster.
template <class Strip, class T, int Lines>
constexpr int blocks_of_short_lines() {
  if (Strip::place::selects || sizeof(T) == 8) return 0;
  if (sizeof(typename Strip::L) > 8) return Strip::rows < 4 ? 5 : 4;
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
      x[i].template load<false>(p, p, line_of(i) < a.lines ? n[i] : 0);
    }
    bool met = false;
    // Where states are one number and lines are short, each thread joins all faster.
    if constexpr (Lines > 1 && !statistic::shifts && (sizeof(L) > 8 || Strip::rows > 1))
      if (width >= Lines) {
        met = true;
        bool even = false;
        if constexpr (statistic::counts && !place::selects) {
          even = x[0].is_even(n[0]);
          if (even) {
            even_moments parts[Lines];
#pragma unroll
            for (int i = 0; i < Lines; ++i) parts[i] = x[i].even_part(a, n[i]);
            meet_and_finish<Strip, even_moments_fold>(a, x[0].where.steps(), parts, first, log2_width, o);
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
    x.template load<false>(p, p, n);
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

/// Bytes of shared memory of a block of map_pages: where lanes meet, and for each warp a strip that it copies there.
template <class Strip>
constexpr int meeting_bytes(int warps) {
  return (warps + 1) / 2 * Strip::lanes * static_cast<int>(sizeof(typename Strip::L));
}
template <class Strip, class T, bool Ahead>
constexpr int bytes_of_pages(int warps) {
  const int strip = strip_rows * Strip::lanes * static_cast<int>(sizeof(T));
  return meeting_bytes<Strip>(warps) + (Ahead || Strip::in_shared ? warps * strip : 0);
}
/// Whether every device has so much, beside a kilobyte of fixed size: compute capability 8.6 gives a block 99 KiB.
template <class Strip, class T, bool Ahead>
inline constexpr bool fits_devices = bytes_of_pages<Strip, T, Ahead>(most_warps_of_line) <= 98 << 10;

/// Blocks of map_pages of a multiprocessor: where lanes take few registers, two, so that one loads while one computes.
template <class Strip>
inline constexpr int blocks_of_pages = Strip::in_shared ||
                                               (sizeof(typename Strip::V) == 4 && sizeof(typename Strip::L) <= 8)
                                           ? 2
                                           : 1;

/// The total of up to 32 pages that follow each other, of which thread i has number i, in thread 0.
template <class Statistic, class S = typename Statistic::S>
__device__ __forceinline__ S joined_pages(S s, int present) {
#pragma unroll 1
  for (int d = 1; d < present; d *= 2) {
    const S right = from_above(s, d);
    if ((lane_id() & (2 * d - 1)) == 0 && lane_id() + d < present) s = Statistic::join(s, right);
  }
  return s;
}

/// Makes the outcomes of a block's pages from the states of a line, by a warp: up to 32 pages, `of_block`
/// from each block. Writes what is written once a line, where `writes`.
template <class Statistic, bool Clusters, class A>
__device__ __forceinline__ void finish_line(const A& a, std::int64_t line, std::int64_t n,
                                            const typename Statistic::S* states, [[maybe_unused]] int of_block,
                                            typename Statistic::outcome* outcomes, bool writes) {
  constexpr std::int64_t page = page_elements(sizeof(typename Statistic::element));
  const int pages = max(static_cast<int>((n + page - 1) / page), 1), mine = min(lane_id(), pages - 1);
  typename Statistic::S total;
  if constexpr (Clusters)
    total = from_block(states + mine % of_block, mine / of_block);
  else
    total = states[mine];
  total = from_lane(joined_pages<Statistic>(total, pages), 0);
  constexpr int most_pages = most_warps_of_line / page_strips;
  if (lane_id() < most_pages) outcomes[lane_id()] = Statistic::of(a, n, total, states[lane_id()]);
  if (lane_id() == 0 && writes) Statistic::write(a, line, n, total);
}

/// What a warp of map_pages works on: elements from number `first` of a line on.
struct strip_of_line {
  std::int64_t line, part, n, first;
  int count;  ///< of elements
};

/// Longer lines: a warp has a strip, a block all of a line, or, where it only folds, a page. A cluster has one line,
/// and its blocks have equally many strips of it. One warp makes the outcome of a line, for all.
template <class Strip, class T, bool Clusters, bool Ahead>
__global__ void __launch_bounds__(32 * most_warps_of_line, blocks_of_pages<Strip>)
    map_pages(const __grid_constant__ line_arguments<T> a) {
  using statistic = typename Strip::statistic;
  using outcome = typename statistic::outcome;
  using V = line_value<T>;
  using S = typename statistic::S;
  using L = typename Strip::L;
  using F = typename Strip::F;
  using place = typename Strip::place;
  constexpr int lanes = Strip::lanes, K = Strip::K, strip = strip_rows * lanes;
  ONEFOLD_DYNAMIC_MEMORY(memory);
  L* const meeting = reinterpret_cast<L*>(memory);
  __shared__ V largest[most_warps_of_line];
  constexpr int most_pages = most_warps_of_line / page_strips;
  // Twice where lines follow each other: blocks of a cluster read those of one while others go on to the next.
  alignas(S) __shared__ unsigned char state_memory[2 * most_pages * sizeof(S)];
  alignas(outcome) __shared__ unsigned char outcome_memory[most_pages * sizeof(outcome)];
  int turn = 0;
  const auto states_of = [&](int of_turn) { return reinterpret_cast<S*>(state_memory) + of_turn * most_pages; };
  outcome* const outcomes = reinterpret_cast<outcome*>(outcome_memory);
  const int warp = static_cast<int>(threadIdx.x / 32), page = warp / page_strips, number = warp % page_strips;
  const int part_strips = Clusters ? static_cast<int>(blockDim.x / 32) : page_strips;
  const bool folds = !Clusters && a.folds;
  const std::int64_t all = a.lines * a.parts;
  const auto strip_at = [&](std::int64_t unit) {
    strip_of_line s;
    s.line = Clusters || folds ? quotient_of(unit, a.parts) : unit;
    s.part = unit - s.line * a.parts;
    s.n = size_of_line<place::selects>(a, s.line);
    s.first = (s.part * part_strips + warp) * strip;
    s.count = static_cast<int>(min(max(s.n - s.first, std::int64_t{0}), std::int64_t{strip}));
    return s;
  };
  const auto elements_of = [&](const strip_of_line& s) {
    return line_from<place>(a, s.line, a.elements(s.line), a.from_along, s.first);
  };
  char* const copies = reinterpret_cast<char*>(memory) + meeting_bytes<Strip>(static_cast<int>(blockDim.x / 32)) +
                       warp * strip * sizeof(T);
  const auto copy = [&](std::int64_t unit) {
    if constexpr (Ahead) {
      if (unit < all) {
        const strip_of_line s = strip_at(unit);
        const T* const p = elements_of(s);
#pragma unroll
        for (int r = 0; r < strip_rows; ++r) place::copy_words(p, r * lanes, s.count, copies);
      }
      end_copies();
    }
  };
  await_stream();
  copy(blockIdx.x);
#pragma unroll 1
  for (std::int64_t unit = blockIdx.x; unit < all; unit += gridDim.x) {
    const strip_of_line here = strip_at(unit);
    const std::int64_t line = here.line, n = here.n;
    if constexpr (place::selects)
      if (here.part > 0 && here.part * part_strips * strip >= n) continue;  // a page that the line does not have
    const int left = here.count;
    const int warps =
        static_cast<int>(min((n - here.part * part_strips * strip + strip - 1) / strip, std::int64_t{blockDim.x} / 32));
    Strip x;
    if constexpr (Ahead) {
      await_copies<0>();
      x.template load<true>(reinterpret_cast<const T*>(copies), elements_of(here), left);
      copy(unit + gridDim.x);
    } else if constexpr (Strip::in_shared) {
      x.load_into(copies, elements_of(here), left);
    } else {
      const auto p = elements_of(here);
      x.template load<false>(p, p, left);
    }
    L s[K];
    V m{}, c{};
    if constexpr (statistic::shifts) {
      m = largest_of(x, 32);
      if (lane_id() == 0) largest[warp] = m;
      __syncthreads();
      for (int i = page * page_strips; i < min(warps, (page + 1) * page_strips); ++i) m = largest_or_nan(m, largest[i]);
      c = statistic::of_page(m);
    }
    x.fold(a, c, left, s);
    if (number & 1)
#pragma unroll
      for (int k = 0; k < K; ++k) meeting[warp / 2 * lanes + 32 * k + lane_id()] = s[k];
    __syncthreads();
    if ((number & 1) == 0 && warp + 1 < warps)
#pragma unroll
      for (int k = 0; k < K; ++k) s[k] = F::combine(s[k], meeting[warp / 2 * lanes + 32 * k + lane_id()]);
    if (number == 2)
#pragma unroll
      for (int k = 0; k < K; ++k) meeting[warp / 2 * lanes + 32 * k + lane_id()] = s[k];
    __syncthreads();
    if (number == 0) {
      if (warp + 2 < warps)
#pragma unroll
        for (int k = 0; k < K; ++k) s[k] = F::combine(s[k], meeting[(warp / 2 + 1) * lanes + 32 * k + lane_id()]);
      const std::int64_t to_end = n - here.first;
      const S state = x.state(static_cast<int>(min(to_end, std::int64_t{page_strips * strip})), s, m);
      if (lane_id() == 0) {
        if (folds)
          static_cast<S*>(a.states)[unit] = state;
        else
          states_of(turn)[page] = state;
      }
    }
    if constexpr (Clusters)
      meet_cluster();
    else
      __syncthreads();
    if (folds) continue;
    if (warp == 0)
      finish_line<statistic, Clusters>(a, line, n, states_of(turn), part_strips / page_strips, outcomes,
                                       !Clusters || here.part == 0);
    if constexpr (Clusters && Ahead) turn ^= 1;
    __syncthreads();
    if (a.operation == row_operation::logsumexp) continue;
    x.store(a, line_from<place>(a, line, a.results(line), a.to_along, here.first), left, outcomes[page], here.first);
  }
  if constexpr (Clusters) meet_cluster();  // a block's shared memory must last while others read it
}

inline constexpr int most_joining_threads = 512;

/// Joins the pages of long lines, a block for each line: a thread joins neighboring pages, a power of two of them.
template <class Statistic, class T, bool Selects>
__global__ void __launch_bounds__(most_joining_threads) join_lines(const __grid_constant__ line_arguments<T> a) {
  using S = typename Statistic::S;
  constexpr std::int64_t page = page_elements(sizeof(typename Statistic::element));
  alignas(S) __shared__ unsigned char memory[most_joining_threads / 32 * sizeof(S)];
  S* const of_warps = reinterpret_cast<S*>(memory);
  const auto combine = [](const S& x, const S& y) { return Statistic::join(x, y); };
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
    s = joined_pages<Statistic>(s, min(threads - 32 * warp, 32));
    if (lane_id() == 0) of_warps[warp] = s;
    __syncthreads();
    if (warp == 0) {
      s = joined_pages<Statistic>(of_warps[min(lane_id(), warps - 1)], warps);
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
    typename Rows::shared parameters[rows];
#pragma unroll
    for (int k = 0; k < rows; ++k) {
      parameters[k] = its.template shared_of<Full>(a, results_of(0), first, (r + k) * Rows::lanes, count);
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
