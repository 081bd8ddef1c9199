// The kernel of lines of several strips: a block, or a cluster, has one of them, or folds its pages.
#pragma once

#include "rows/arguments.cuh"
#include "rows/cluster.cuh"
#include "rows/meeting.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

inline constexpr int most_warps_of_line = 16;  ///< of a block that has one line

/// Bytes of shared memory where the lanes of a block of map_pages meet.
template <class Strip>
constexpr int meeting_bytes(int warps) {
  return (warps + 1) / 2 * Strip::lanes * static_cast<int>(sizeof(typename Strip::L));
}
/// All bytes of its shared memory: for each warp also a strip that it copies there.
template <class Strip, class T, bool Ahead>
constexpr int bytes_of_pages(int warps) {
  const int strip = strip_rows * Strip::lanes * static_cast<int>(sizeof(T));
  return meeting_bytes<Strip>(warps) + (Ahead || Strip::in_shared ? warps * strip : 0);
}
/// Whether that fits on every device, beside a kilobyte of fixed size: compute capability 8.6 gives a block 99 KiB.
template <class Strip, class T, bool Ahead>
inline constexpr bool fits_devices = bytes_of_pages<Strip, T, Ahead>(most_warps_of_line) <= 98 << 10;

/// Blocks of map_pages of a multiprocessor: where lanes take few registers, two, so that one loads while one computes.
template <class Strip>
inline constexpr int blocks_of_pages = Strip::in_shared ||
                                               (sizeof(typename Strip::V) == 4 && Strip::statistic::is_one_number)
                                           ? 2
                                           : 1;

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
  total = from_lane(small_warp_tree(Statistic{}, total, pages), 0);
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
/// and its blocks have equally many strips of it. One warp of a block makes the outcomes of its pages.
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
  // Twice where a cluster has lines one after another: its blocks read those of one while others go on to the next.
  constexpr int turns = Clusters && Ahead ? 2 : 1;
  alignas(S) __shared__ unsigned char state_memory[turns * most_pages * sizeof(S)];
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
      x.load_copied(reinterpret_cast<const T*>(copies), elements_of(here), left);
      copy(unit + gridDim.x);
    } else if constexpr (Strip::in_shared) {
      x.load_into(copies, elements_of(here), left);
    } else {
      x.load(elements_of(here), left);
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
    if constexpr (turns == 2) turn ^= 1;
    __syncthreads();
    if (a.operation == row_operation::logsumexp) continue;
    x.store(a, line_from<place>(a, line, a.results(line), a.to_along, here.first), left, outcomes[page], here.first);
  }
  if constexpr (Clusters) meet_cluster();  // a block's shared memory must last while others read it
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
