// Schedule *direct*: outputs whose elements follow each other are read straight into registers. Short outputs share a
// warp; a warp folds up to a strip; of what is longer, a warp folds a strip, and the strips of a page meet in shared
// memory.
#pragma once

#include "arrays/words.cuh"
#include "onefold/detail/cuda/shapes.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How the outputs of a launch are shared out among warps.
struct direct_schedule : word_places {
  int width;          ///< threads of an output of up to a row, a power of two from 1 to 32
  int warps;          ///< warps of a page: 2 or 4; 1: outputs of up to a strip
  int turns;          ///< how often a block folds pages
  std::int64_t runs;  ///< of pages of an output, each in one block; 0: blocks have any neighboring pages
};

/// Folds for which this is: their states leave room for the words, and their speed is worth the code. Not for
/// user-defined operations, which are given elements only: here zeros are folded, too, to a state that is not used.
template <class F, class T>
inline constexpr bool is_direct = false;
template <class F, class T>
requires(has_tiles<F, T>&& of_library<F> &&
         !is_rare<F>) inline constexpr bool is_direct<F, T> = word_fold<F, T>::registers <= 32;

/// Where the outputs number first, first + step, ... begin, as far as they exist.
template <int M>
__device__ __noinline__ void far_offsets(const device_axes& kept, std::int64_t first, int step, std::int64_t outputs,
                                         std::int64_t* to) {
#pragma unroll 1
  for (int m = 0; m < M; ++m)
    if (first + m * step < outputs) to[m] = kept.offset(first + m * step);
}
template <int M>
__device__ __forceinline__ void offsets_of(const device_axes& kept, std::int64_t first, int step, std::int64_t outputs,
                                           std::int64_t (&to)[M]) {
  if (kept.count > 1) {
    std::int64_t far[M];
    far_offsets<M>(kept, first, step, outputs, far);
#pragma unroll
    for (int m = 0; m < M; ++m) to[m] = far[m];
  } else {
    const std::int64_t stride = kept.count == 1 ? kept.of[0].stride : 0;
    to[0] = first * stride;
#pragma unroll
    for (int m = 1; m < M; ++m) to[m] = to[m - 1] + step * stride;
  }
}

inline constexpr int direct_warps = 8;  ///< of a block
/// Such blocks of a multiprocessor: where registers are spilled, all waits for memory.
template <class F, class T>
inline constexpr int direct_blocks = word_fold<F, T>::registers <= 16 ? 3 : 2;
template <class F, class T>
inline constexpr int direct_blocks_of_rows = word_fold<F, T>::registers <= 4 ? 4 : direct_blocks<F, T>;
inline constexpr int direct_run = 8;  ///< outputs of up to a strip that a warp finishes at once

/// The totals of up to 32 outputs of a warp, one a thread: they are finished at once.
template <class F, class T>
struct warp_results {
  using L = lane_state<F, T>;
  const outputs_arguments<F, T>& a;
  L mine;

  /// Takes the total of output i, which this thread's `total` is where i is the number of its lane.
  __device__ __forceinline__ void take(bool is_mine, const L& total) { mine = selected(is_mine, total, mine); }
  /// Finishes the outputs from `first` on, `count` of them at most.
  __device__ __forceinline__ void flush(std::int64_t first, int count) const {
    if (lane_id() < count && first + lane_id() < a.outputs)
      a.finish(first + lane_id(), a.n, to_tree<F, T>(a.fold, mine));
  }
};

/// What the warps of a launch go through: runs of neighboring outputs, each in passes.
struct passes {
  std::int64_t first;  ///< output of the run
  int before = 0;      ///< outputs of the run that are in earlier passes
  int of_pass, of_run;

  __device__ passes(int of_pass_, int of_run_)
      : first((std::int64_t{blockIdx.x} * direct_warps + threadIdx.x / 32) * of_run_),
        of_pass(of_pass_),
        of_run(of_run_) {}
  __device__ std::int64_t output() const { return first + before; }
  __device__ bool is_last() const { return before + of_pass >= of_run; }
  __device__ void advance() {
    const bool last = is_last();
    before = last ? 0 : before + of_pass;
    if (last) first += std::int64_t{gridDim.x} * direct_warps * of_run;
  }
};

/// Aligned outputs of whole words: of more than Width / 2 and up to Width words, which as many threads read; or of up
/// to `Rows` rows, by a warp. Several at once.
template <class F, class T, int Width, int Rows>
__global__ void __launch_bounds__(32 * direct_warps, direct_blocks_of_rows<F, T>)
    fold_rows(const __grid_constant__ outputs_arguments<F, T> a, const __grid_constant__ direct_schedule how) {
  using fold = word_fold<F, T>;
  using L = typename fold::L;
  constexpr int K = fold::K, M = Rows == 1 || fold::at_once == 1 ? fold::at_once : fold::at_once / 2;
  constexpr int groups = 32 / Width, of_pass = M * groups;
  await_stream();
  const fold folds{a.fold, how};
  const int group = lane_id() / Width, n = static_cast<int>(a.n);
  const int first_lane = K * (lane_id() & (Width - 1));
  const bool partner = Rows > 1 || (first_lane | (K * Width / 2)) < n;
  passes at(of_pass, of_pass > 32 ? of_pass : 32), now = at;
  now.first = a.outputs;  // none: what is folded first is nothing
  typename fold::word x[M][Rows] = {};
  // In a pass, this thread wants output `wanted`, which another one has.
  const int wanted = lane_id() & (of_pass - 1);
  const int from = wanted % groups * Width + wanted / groups * Width / M;
  warp_results<F, T> results{a, lift_at(a.fold, x[0][0].element(0), 0)};
#pragma unroll 1
  for (bool more = at.first < a.outputs; more || now.first < a.outputs;) {
    L v[K * M];
#pragma unroll
    for (int m = 0; m < M; ++m) {
#pragma unroll
      for (int c = 0; c < K; ++c) {
        L& s = v[K * m + c];
        s = lift_at(a.fold, x[m][0].element(c), first_lane + c);
#pragma unroll
        for (int r = 1; r < Rows; ++r)
          s = selected(r * fold::lanes + first_lane < n,
                       push_at(a.fold, s, x[m][r].element(c), r * fold::lanes + first_lane + c), s);
        s = end_strip(a.fold, s);
      }
    }
    if (more) {  // what comes next is on its way while lanes meet
      std::int64_t begin[M];
      offsets_of<M>(a.kept, at.output() + group, groups, a.outputs, begin);
#pragma unroll
      for (int m = 0; m < M; ++m)
#pragma unroll
        for (int r = 0; r < Rows; ++r)
          if (at.output() + group + m * groups < a.outputs && r * fold::lanes + first_lane < n)
            x[m][r] = fold::word::load(reinterpret_cast<const char*>(a.data + begin[m] + first_lane) + 512 * r);
    }
    L total[fold::template totals_of<Width, M>];
    const int own = folds.template totals<Width, M>(v, partner, total);
    if constexpr (of_pass >= 32 && Width <= M) {  // every thread has others
#pragma unroll
      for (int i = 0; i < fold::template totals_of<Width, M>; ++i) {
        const std::int64_t output = now.first + (own + i) * groups + group;
        if (output < a.outputs)  // inlined: with a call rows of 4 take an eighth longer (H200)
          write_result<F, T>(a.fold, to_tree<F, T>(a.fold, total[i]), n, a.to, a.result(output));
      }
    } else {
      results.take(lane_id() - wanted == now.before, from_lane(total[0], from));
      if (now.is_last()) results.flush(now.first, now.of_run);
    }
    now = at;
    if (!more) break;
    at.advance();
    more = at.first < a.outputs;
  }
  release_stream();
}

/// Outputs of a row or more and up to a strip, of which `Rows` rows hold as much as is read: a warp folds several at
/// once.
template <class F, class T, int Rows>
__global__ void __launch_bounds__(32 * direct_warps, direct_blocks<F, T>)
    fold_strips_of_outputs(const __grid_constant__ outputs_arguments<F, T> a,
                           const __grid_constant__ direct_schedule how) {
  using fold = word_fold<F, T>;
  using L = typename fold::L;
  constexpr int K = fold::K;
  await_stream();
  const fold folds{a.fold, how};
  const int n = static_cast<int>(a.n);
  passes at(1, direct_run), now = at;
  now.first = a.outputs;
  typename fold::word x[Rows] = {};
  const auto begin = [&](const passes& of) { return a.data + a.kept.offset(min(of.output(), a.outputs - 1)); };
  warp_results<F, T> results{a, lift_at(a.fold, x[0].element(0), 0)};
#pragma unroll 1
  for (bool more = at.first < a.outputs; more || now.first < a.outputs;) {
    if (how.shifted) folds.align(begin(now), n, x);
    L s[K];
    folds.template rows<false>(x, n, 0, s);
    if (more) folds.load(begin(at), n, x);
    L total[1];
    folds.template totals<32, 1>(s, true, total);
    results.take(lane_id() == now.before, total[0]);
    if (now.is_last()) results.flush(now.first, now.of_run);
    now = at;
    if (!more) break;
    at.advance();
    more = at.first < a.outputs;
  }
  release_stream();
}

/// Outputs of more than a strip: how.warps warps of a block share a page. A block has neighboring pages, each of which
/// leaves its state; or, where an output has many, a run of them, whose node it leaves.
template <class F, class T>
__global__ void __launch_bounds__(32 * direct_warps, direct_blocks<F, T>)
    fold_strips_of_pages(const __grid_constant__ outputs_arguments<F, T> a,
                         const __grid_constant__ direct_schedule how) {
  using fold = word_fold<F, T>;
  using L = typename fold::L;
  using S = typename fold::S;
  constexpr int K = fold::K, lanes = fold::lanes, page_size = static_cast<int>(page_elements(sizeof(T)));
  ONEFOLD_DYNAMIC_MEMORY(memory);
  alignas(S) __shared__ unsigned char state_memory[32 * sizeof(S)];
  S* const states = reinterpret_cast<S*>(state_memory);
  await_stream();
  const fold folds{a.fold, how};
  const int warp = static_cast<int>(threadIdx.x / 32), strip = warp & (how.warps - 1), place = warp / how.warps;
  const int at_once = direct_warps / how.warps, of_block = at_once * how.turns;
  const std::int64_t block = blockIdx.x, of_run = how.runs > 0 ? quotient_of(block, how.runs) : 0;
  const std::int64_t first = (how.runs > 0 ? block - of_run * how.runs : block) * of_block;
  const std::int64_t all = how.runs > 0 ? pages_of(a.n, sizeof(T)) : a.outputs * a.pages;
  const int present = static_cast<int>(min(all - first, std::int64_t{of_block}));
#pragma unroll 1
  for (int turn = 0; turn < how.turns; ++turn) {
    const int u = turn * at_once + place;
    std::int64_t output = of_run, page = first + u;
    if (how.runs == 0) {
      output = a.pages > 1 ? quotient_of(page, a.pages) : page;
      page -= output * a.pages;
    }
    const int count = a.count(page), left = count - strip * fold::strip;
    L* const here = reinterpret_cast<L*>(memory) + ((turn & 1) * at_once + place) * how.warps * lanes;
    if (u < present && left > 0) {
      const std::int64_t index = page * page_size + strip * fold::strip;
      L s[K];
      typename fold::word x[strip_rows];
      const T* const p = a.data + a.kept.offset(output) + index;
      folds.load(p, min(left, fold::strip), x);
      if (how.shifted) folds.align(p, min(left, fold::strip), x);
      if (left >= fold::strip)
        folds.template rows<true>(x, fold::strip, index, s);
      else
        folds.template rows<false>(x, left, index, s);
#pragma unroll
      for (int c = 0; c < K; ++c) here[strip * lanes + K * lane_id() + c] = s[c];
    }
    __syncthreads();
    if (u >= present || strip != (turn & (how.warps - 1))) continue;  // the warps of a page collapse it in turns
    const S s =
        to_tree<F, T>(a.fold, count == how.warps * fold::strip ? folds.template page<true>(here, how.warps, count)
                                                               : folds.template page<false>(here, how.warps, count));
    if (lane_id() != 0) continue;
    if (how.runs > 0)
      states[u] = s;
    else
      a.publish(output, page, s);
  }
  release_stream();
  if (how.runs == 0) return;
  __syncthreads();
  if (warp != 0) return;
  const S s = aligned_warp_tree(a.fold, states[min(lane_id(), present - 1)], present);
  if (lane_id() == 0) a.publish(of_run, first / of_block, s);
}

/// Whether the elements of an output of a shape follow each other, aligned to their size: then `how` gets their places.
template <class F, class T>
bool lie_in_words(const device_launch& where, const problem& p, word_places& how) {
  constexpr std::int64_t size = sizeof(T), whole = 16;
  const char* const data = static_cast<const char*>(where.data);
  const auto divides = [](std::int64_t by, std::int64_t bytes) { return bytes % by == 0; };
  const bool follow = p.reduced_axes == 0 || (p.reduced_axes == 1 && p.reduced[0].stride == 1);
  if (!follow || !divides(size, reinterpret_cast<std::intptr_t>(data))) return false;
  std::int64_t least = 0, most = p.n;  // of the elements' places
  how.shifted = !divides(whole, reinterpret_cast<std::intptr_t>(data));
  for (int i = 0; i < p.kept_axes; ++i) {
    const std::int64_t reach = (p.kept[i].extent - 1) * p.kept[i].stride;
    (reach < 0 ? least : most) += reach;
    how.shifted = how.shifted || (reach != 0 && !divides(whole, p.kept[i].stride * size));
  }
  how.from = data + least * size;
  how.past = data + most * size;
  how.edges = how.shifted || !divides(whole, p.n * size);
  return true;
}

/// How the outputs of a shape are shared out; width is 0 if not so.
template <class F, class T>
direct_schedule spread_directly(const device_launch& where, const problem& p) {
  using fold = word_fold<F, T>;
  constexpr std::int64_t size = sizeof(T), whole = 16;
  direct_schedule how{};
  if (!lie_in_words<F, T>(where, p, how)) return how;
  // Measured on an H200 (docs/notes/cuda.md): tiles and segments are faster for short outputs of words that are not
  // whole, for those of one word of many lanes, for elements of 8 bytes where a strip takes all registers, and for
  // large states but where outputs have more than a row and up to a strip.
  const std::int64_t most = size == 8 ? 4 * fold::lanes : fold::registers > 16 ? fold::strip : p.n;
  const std::int64_t least = how.edges ? 4 * fold::lanes : fold::registers >= 16 ? fold::lanes : 0;
  if (p.n > most || p.n <= least) return how;
  const std::int64_t words = std::min<std::int64_t>((p.n * size + whole - 1) / whole, 64);
  if (words == 1 && fold::registers > 8) return how;
  how.width = static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(words)));
  how.warps = p.n <= fold::strip ? 1 : p.n <= 2 * fold::strip ? 2 : 4;
  how.turns = 1;
  if (how.warps > 1) {
    const std::int64_t pages = pages_of(p.n, size), at_once = direct_warps / how.warps;
    const std::int64_t wave = at_once * direct_blocks<F, T> * where.processors;  // pages that are folded at once
    while (how.turns < 8 && p.outputs * pages > 2 * wave * how.turns) how.turns *= 2;
    // Runs, unless the last one of an output would leave many warps without a page.
    const std::int64_t of_run = at_once * how.turns, runs = (pages + of_run - 1) / of_run;
    if (7 * runs * of_run <= 8 * pages) how.runs = runs;
  }
  return how;
}

/// Folds all pages of all outputs; afterwards a.pages is how many nodes of each are left to join.
template <class F, class T>
cudaError_t launch_directly(const device_launch& how, const direct_schedule& spread, outputs_arguments<F, T>& a) {
  using fold = word_fold<F, T>;
  constexpr unsigned threads = 32 * direct_warps;
  if (spread.warps > 1) {
    const std::int64_t of_block = direct_warps / spread.warps * spread.turns;
    const std::int64_t blocks =
        spread.runs > 0 ? a.outputs * spread.runs : (a.outputs * a.pages + of_block - 1) / of_block;
    if (blocks > 1 << 30) return cudaErrorInvalidValue;
    if (spread.runs > 0) a.pages = spread.runs;
    constexpr int lanes_of_turn = direct_warps * fold::lanes * static_cast<int>(sizeof(typename fold::L));
    return launch(how, static_cast<unsigned>(blocks), threads, (spread.turns > 1 ? 2 : 1) * lanes_of_turn,
                  fold_strips_of_pages<F, T>, a, spread);
  }
  using kernel = void (*)(outputs_arguments<F, T>, direct_schedule);
  const auto start = [&](kernel code, std::int64_t of_warp, int resident) {
    const std::int64_t most = std::int64_t{resident} * how.processors;
    return launch(how, blocks_for(a.outputs, of_warp * direct_warps, most), threads, 0, code, a, spread);
  };
  if (spread.width <= 32) {
    constexpr kernel of_width[] = {fold_rows<F, T, 1, 1>, fold_rows<F, T, 2, 1>,  fold_rows<F, T, 4, 1>,
                                   fold_rows<F, T, 8, 1>, fold_rows<F, T, 16, 1>, fold_rows<F, T, 32, 1>};
    return start(of_width[std::bit_width(static_cast<unsigned>(spread.width)) - 1],
                 std::max(fold::at_once * (32 / spread.width), 32), direct_blocks_of_rows<F, T>);
  }
  if (a.n <= 2 * fold::lanes) return start(fold_rows<F, T, 32, 2>, 32, direct_blocks_of_rows<F, T>);
  if (a.n <= 4 * fold::lanes) return start(fold_strips_of_outputs<F, T, 4>, direct_run, direct_blocks<F, T>);
  return start(fold_strips_of_outputs<F, T, 8>, direct_run, direct_blocks<F, T>);
}

/// As launch_pages.
template <class F, class T>
cudaError_t launch_pages_directly(const device_launch& how, const problem& p, outputs_arguments<F, T>& a) {
  if constexpr (is_direct<F, T>)
    if (const direct_schedule spread = spread_directly<F, T>(how, p); spread.width > 0)
      return launch_directly<F, T>(how, spread, a);
  return launch_pages<F, T>(how, p, a);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
