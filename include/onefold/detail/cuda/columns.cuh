// Schedule *columns*: neighboring outputs whose elements are neighbors in memory, as those of axis 0. A thread takes
// a few columns and up to 8 lanes of each; the lanes of several threads meet in shared memory.
#pragma once

#include "onefold/detail/cuda/outputs.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How the columns of a launch are shared out. A group is as many neighboring columns as a block's threads take.
struct column_schedule {
  int across;                   ///< threads beside each other: each has `K` columns
  int classes;                  ///< threads that share a column: thread c takes the lanes c, c + classes, ...
  int units;                    ///< groups, or pages of one, of a block
  std::int64_t columns;         ///< neighboring outputs in memory: the innermost kept axis
  std::int64_t groups_in_line;  ///< of this many columns
  std::int64_t all;             ///< groups times pages
  std::int64_t along;           ///< elements from one of a column to its next
  bool aligned;                 ///< whether K neighbors can be loaded at once everywhere
};

inline constexpr int column_lanes = 8;  ///< of a thread, of each of its columns

/// Columns of a thread.
constexpr int columns_of_thread(int lane, int element) {
  const int by_state = lane <= 16 ? 16 / lane : 1, by_load = 16 / element;
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(by_state < by_load ? by_state : by_load)));
}

/// Bytes of shared memory of a block.
constexpr int column_bytes(const column_schedule& how, int lane, int element) {
  return how.classes == 1 ? 0 : how.units * how.classes * how.across * columns_of_thread(lane, element) * lane;
}

template <class F, class T>
struct column_fold {
  using stored = storage_t<T>;
  using L = lane_state<F, T>;
  using S = tree_state<F, T>;
  static constexpr int lanes = lanes_of(sizeof(T));
  static constexpr int lanes_log2 = 3, lanes_of_thread = 1 << lanes_log2;
  static_assert(lanes_of_thread == column_lanes);
  static constexpr int K = columns_of_thread(sizeof(L), sizeof(T));

  /// K neighbors; in place of those that do not exist, the first one again.
  __device__ static neighbors<stored, K> load(const stored* p, int present, bool aligned) {
    if (aligned && present >= K) return neighbors<stored, K>::load(p);
    neighbors<stored, K> x;
#pragma unroll
    for (int c = 0; c < K; ++c) x.e[c] = p[c < present ? c : 0];
    return x;
  }
  __device__ static auto element(stored x) { return liftable<F, T>(__builtin_bit_cast(T, x)); }

  /// Lane j of a page of n elements: of K columns at p.
  __device__ static void lane(const F& f, const stored* p, std::int64_t along, int n, std::int64_t index, int j,
                              int present, bool aligned, L (&s)[K]) {
    const int rows = (n - j + lanes - 1) / lanes;
    L b[K];
#pragma unroll 1
    for (int strip = 0; strip * strip_rows < rows; ++strip) {
      const int first = j + strip * strip_rows * lanes, here = min(rows - strip * strip_rows, strip_rows);
      neighbors<stored, K> x[strip_rows];
#pragma unroll
      for (int r = 0; r < strip_rows; ++r)
        if (r < here) x[r] = load(p + (first + r * lanes) * along, present, aligned);
      L t[K];
#pragma unroll
      for (int c = 0; c < K; ++c) {
        t[c] = lift_at(f, element(x[0].e[c]), index + first);
#pragma unroll
        for (int r = 1; r < strip_rows; ++r)
          if (r < here) t[c] = push_at(f, t[c], element(x[r].e[c]), index + first + r * lanes);
        t[c] = end_strip(f, t[c]);
      }
#pragma unroll
      for (int c = 0; c < K; ++c) {
        if (strip == 0)
          s[c] = t[c];
        else if (strip == 1)
          s[c] = f.combine(s[c], t[c]);
        else if (strip == 2)
          b[c] = t[c];
        else
          b[c] = f.combine(b[c], t[c]);
      }
    }
    if (rows > 2 * strip_rows)
#pragma unroll
      for (int c = 0; c < K; ++c) s[c] = f.combine(s[c], b[c]);
  }

  /// So many lanes of K columns of a page of n elements, of up to 8 / Lanes rows, all on their way at once: the lanes
  /// number first_lane, first_lane + 1, ... of the thread, which meet. The first one has elements.
  template <int Lanes, class Lane>
  __device__ static void some_lanes(const F& f, const stored* p, std::int64_t along, int n, std::int64_t index,
                                    const Lane& lane, int first_lane, int present, bool aligned, L (&s)[K]) {
    constexpr int rows = lanes_of_thread / Lanes;
    const auto there = [&](int v, int r) { return lane(first_lane + v) + r * lanes < n; };
    neighbors<stored, K> x[Lanes][rows];
#pragma unroll
    for (int v = 0; v < Lanes; ++v)
#pragma unroll
      for (int r = 0; r < rows; ++r)
        if (there(v, r)) x[v][r] = load(p + (lane(first_lane + v) + r * lanes) * along, present, aligned);
#pragma unroll
    for (int c = 0; c < K; ++c) {
      L t[Lanes];
#pragma unroll
      for (int v = 0; v < Lanes; ++v) {
        const std::int64_t first = index + lane(first_lane + v);
        if (there(v, 0)) t[v] = lift_at(f, element(x[v][0].e[c]), first);
#pragma unroll
        for (int r = 1; r < rows; ++r)
          if (there(v, r)) t[v] = push_at(f, t[v], element(x[v][r].e[c]), first + r * lanes);
        if (there(v, 0)) t[v] = end_strip(f, t[v]);
      }
#pragma unroll
      for (int d = 1; d < Lanes; d *= 2)
#pragma unroll
        for (int v = 0; v < Lanes; v += 2 * d)
          if (there(v + d, 0)) t[v] = f.combine(t[v], t[v + d]);
      s[c] = t[0];
    }
  }

  /// All lanes of a thread, which calls lanes_at(v, s) for Lanes of them at a time, from number v on.
  template <int Lanes, class Lane, class LanesAt>
  __device__ __forceinline__ static void all_lanes(const F& f, int lanes_there, const Lane& lane, L (&s)[K],
                                                   const LanesAt& lanes_at) {
    constexpr int level = std::bit_width(static_cast<unsigned>(Lanes)) - 1;
    L left[lanes_log2 - level][K];
#pragma unroll 1
    for (int v = 0; v < lanes_of_thread; v += Lanes) {
      bool there = lane(v) < lanes_there;
      if (there) lanes_at(v, s);
      for (int l = level; l < lanes_log2; ++l) {  // a loop: the states in `left` need no registers
        if ((v >> l & 1) == 0) {
#pragma unroll
          for (int c = 0; c < K; ++c) left[l - level][c] = s[c];
          break;
        }
#pragma unroll
        for (int c = 0; c < K; ++c) s[c] = selected(there, f.combine(left[l - level][c], s[c]), left[l - level][c]);
        there = lane(v >> (l + 1) << (l + 1)) < lanes_there;
      }
    }
  }
};

/// Lanes: how many of its lanes a thread takes at a time; of more than one, n is at most 8 / Lanes rows. (A kernel for
/// each, for its registers: in one for all of them, 64 rows took an eighth longer. H200.)
template <class F, class T, int Lanes>
__global__ void __launch_bounds__(512, sizeof(lane_state<F, T>) <= 8 ? 2 : 1)
    fold_columns(const __grid_constant__ outputs_arguments<F, T> a, const __grid_constant__ column_schedule how) {
  using fold = column_fold<F, T>;
  using L = typename fold::L;
  constexpr int K = fold::K, lanes = fold::lanes;
  ONEFOLD_DYNAMIC_MEMORY(memory);
  await_stream();
  const int across = static_cast<int>(threadIdx.x) & (how.across - 1), row = static_cast<int>(threadIdx.x) / how.across;
  const int own = row & (how.classes - 1), unit = row / how.classes;
  const std::int64_t number = std::int64_t{blockIdx.x} * how.units + unit;
  const bool exists = number < how.all;
  const std::int64_t group = !exists ? 0 : a.pages > 1 ? quotient_of(number, a.pages) : number;
  const std::int64_t page = exists ? number - group * a.pages : 0;
  const std::int64_t line = quotient_of(group, how.groups_in_line),
                     place = (group - line * how.groups_in_line) * how.across * K + across * K;
  const int present =
      exists ? static_cast<int>(min(how.columns - place, std::int64_t{K})) : 0;  // columns of this thread
  const int n = a.count(page);
  const int lanes_there = min(n, lanes), classes = min(how.classes, lanes_there);
  const std::int64_t first_output = line * how.columns + place;

  L s[K];
  if (present > 0 && own < classes) {
    const auto* const p = reinterpret_cast<const typename fold::stored*>(a.data) + a.kept.offset(line * how.columns) +
                          place + page * page_elements(sizeof(T)) * how.along;
    const auto lane = [&](int v) {  // those that meet first are neighbors
      return own + how.classes * static_cast<int>(__brev(static_cast<unsigned>(v)) >> (32 - fold::lanes_log2));
    };
    const std::int64_t index = page * page_elements(sizeof(T));
    const auto some_lanes = [&](int v, L(&to)[K]) {
      if constexpr (Lanes > 1)
        fold::template some_lanes<Lanes>(a.fold, p, how.along, n, index, lane, v, present, how.aligned, to);
      else
        fold::lane(a.fold, p, how.along, n, index, lane(v), present, how.aligned, to);
    };
    if constexpr (Lanes == fold::lanes_of_thread)
      some_lanes(0, s);
    else
      fold::template all_lanes<Lanes>(a.fold, lanes_there, lane, s, some_lanes);
  }
  if (how.classes > 1) {
    // Class c meets c + w. States stand column by column, so that those of neighboring threads are neighbors.
    L* const states = reinterpret_cast<L*>(memory) + std::int64_t{unit} * how.classes * how.across * K;
    const int width = how.across * K;
    for (int w = how.classes / 2; w > 0; w /= 2) {
      if (present > 0 && own >= w && own < 2 * w && own < classes)
#pragma unroll
        for (int c = 0; c < K; ++c) states[own * width + c * how.across + across] = s[c];
      __syncthreads();
      if (present > 0 && own < w && own + w < classes)
#pragma unroll
        for (int c = 0; c < K; ++c) s[c] = a.fold.combine(s[c], states[(own + w) * width + c * how.across + across]);
    }
  }
  release_stream();
  if (own != 0) return;
#pragma unroll
  for (int c = 0; c < K; ++c)
    if (c < present) a.publish(first_output + c, page, to_tree<F, T>(a.fold, s[c]));
}

/// The kernel for columns of n elements. Rare folds have two.
template <class F, class T>
auto columns_kernel(std::int64_t n) -> void (*)(outputs_arguments<F, T>, column_schedule) {
  using fold = column_fold<F, T>;
  if (n <= fold::lanes) return fold_columns<F, T, fold::lanes_of_thread>;
  if constexpr (!is_rare<F>) {
    if (n <= 2 * fold::lanes) return fold_columns<F, T, fold::lanes_of_thread / 2>;
    if (n <= 4 * fold::lanes) return fold_columns<F, T, fold::lanes_of_thread / 4>;
  }
  return fold_columns<F, T, 1>;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
