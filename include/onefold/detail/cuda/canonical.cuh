// The canonical kernel: the order of docs/order.md, one launch, the same bits as the CPU.
//
// Blocks fold aligned runs of pages and leave one state each as flagged words in a slot. One more block, the last,
// gathers: it polls the slots while the others work, walks the aligned tree over them, and writes the outcome. Blocks
// start in the order of their numbers, so that all others are running or done when it waits.
//
// Two schedules. *Strips*, for up to some pages a multiprocessor, where latency counts: four warps share a page,
// each loads one strip at once, and the lanes meet in shared memory. *Pages*, beyond: each warp folds pages by
// itself, without barriers.
#pragma once

#include "onefold/catalog.hpp"
#include "onefold/detail/cuda/page.cuh"
#include "onefold/device.hpp"
#include "onefold/options.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Where a launch leaves its outcome, and as what.
struct outcome_place {
  void* out;
  std::uint32_t mail;
  bool finish, has_init;
  int operation;
  alignas(16) unsigned char init[16];
};

inline outcome_place place_of(const device_launch& how) {
  outcome_place p{how.out, how.mail, how.finish, how.has_init, how.operation, {}};
  memcpy(p.init, how.init, sizeof p.init);
  return p;
}

/// What a kernel is told.
template <class F, class T>
struct kernel_arguments {
  F fold;
  const T* data;
  std::int64_t n;
  const std::int64_t* device_n;
  std::int64_t first;
  std::uint64_t* slots;
  int pages_per_warp;  ///< a power of two up to 32
  outcome_place place;

  __device__ std::int64_t count() const { return device_n ? min(max(*device_n, std::int64_t{0}), n) : n; }
};

// ---- the outcome -------------------------------------------------------------------------------------------

/// The folds of the catalogue whose kernel is F, or F itself for an operation of a user's own.
template <class F>
struct kernel_of { using type = F; };
template <class F>
  requires requires { typename F::kernel; }
struct kernel_of<F> { using type = typename F::kernel; };

template <class F, class T, class R, class Full>
__device__ void finish_as_result(const Full& full, tree_state<F, T> s, std::int64_t n, const outcome_place& place) {
  const R* const init = place.has_init ? reinterpret_cast<const R*>(place.init) : nullptr;
  *static_cast<R*>(place.out) = finish_from<Full, T, R>(full, s, n, init);
}

/// Writes an outcome; for one thread. Not inlined: kernels share one copy.
template <class F, class T>
__device__ __noinline__ void write_outcome(const F& f, tree_state<F, T> s, std::int64_t n, const outcome_place& place) {
  if (place.mail) return write_flagged(static_cast<std::uint64_t*>(place.out), s, place.mail);
  if (!place.finish) {
    *static_cast<tree_state<F, T>*>(place.out) = s;
    return;
  }
  if constexpr (requires { typename F::element; }) {
    for_each_type(operations{}, [&]<class Op>() {
      if constexpr (catalogued<Op, T>) {
        const auto with = [&]<accuracy A>() {
          if constexpr (Op::template declines<T>(A) == nullptr) {
            using Full = typename Op::template fold<T, A>;
            if constexpr (__is_same(typename kernel_of<Full>::type, F)) {
              if (place.operation != operation_index<Op>) return true;
              finish_as_result<F, T, result_of<Op, T>>(Full{}, s, n, place);
              return true;
            }
          }
          return false;
        };
        // Folds that are the same at all accuracies are finished once.
        static_cast<void>(with.template operator()<accuracy::native>() || with.template operator()<accuracy::wide>() ||
                          with.template operator()<accuracy::kahan>());
      }
    });
  } else {
    using R = decltype(finished(f, s));
    finish_as_result<F, T, R>(f, s, n, place);
  }
}

template <class F, class T>
__device__ tree_state<F, T> empty_state(const F& f) {
  return to_tree<F, T>(f, identity_of<F, lane_value<F, T>>(f));
}

/// The gathering block: the aligned tree over the states of `count` blocks. Not inlined: both schedules share it.
template <class F, class T>
__device__ __noinline__ void gather(const kernel_arguments<F, T>& a, std::int64_t n, int count, tree_state<F, T>* shared) {
  using S = tree_state<F, T>;
  constexpr int stride = words<S>::count;
  const int warps = static_cast<int>(blockDim.x) / 32, warp = static_cast<int>(threadIdx.x) / 32;
  int share = 32;  // slots of a warp
  while (share * warps < count) share *= 2;
  const int from = warp * share, past = min(count, from + share);
  constexpr int batch = sizeof(S) <= 8 ? 8 : 2;  // loads on their way at once
  aligned_tree<S> tree;
  const auto combine = [&](const S& x, const S& y) { return a.fold.combine(x, y); };
  for (int at = from; at < past; at += 32 * batch) {
    std::uint64_t early[batch * stride];
#pragma unroll
    for (int b = 0; b < batch; ++b)
      if (const int i = at + 32 * b + lane_id(); i < past)
#pragma unroll
        for (int w = 0; w < stride; ++w)
          early[b * stride + w] = *const_cast<volatile std::uint64_t*>(a.slots + std::int64_t{i} * stride + w);
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      const int first = at + 32 * b;
      if (first >= past) break;
      const int i = min(first + lane_id(), past - 1);
      words<S> x;
      if (first + lane_id() < past) {
#pragma unroll
        for (int w = 0; w < stride; ++w) {
          volatile std::uint64_t* p = a.slots + std::int64_t{i} * stride + w;
          std::uint64_t word = early[b * stride + w];
          while (word >> 32 == 0) word = *p;
          x.w[w] = static_cast<std::uint32_t>(word);
          *p = 0;
        }
      }
      const S s = aligned_warp_tree(a.fold, x.state(), past - first);
      if (lane_id() == 0) tree.push(s, combine);
    }
  }
  if (lane_id() == 0 && from < past) shared[warp] = tree.total(combine);
  __syncthreads();
  if (warp == 0) {
    const int present = (count + share - 1) / share;
    const S s = aligned_warp_tree(a.fold, shared[min(lane_id(), present - 1)], present);
    if (lane_id() == 0) write_outcome<F, T>(a.fold, s, n, a.place);
  }
}

/// A block's state leaves it: to its slot, or as the outcome where the block is the only one.
template <class F, class T>
__device__ void leave_block(const kernel_arguments<F, T>& a, std::int64_t n, int blocks, const tree_state<F, T>& s) {
  if (blocks == 1)
    write_outcome<F, T>(a.fold, s, n, a.place);
  else
    write_flagged(a.slots + std::int64_t{blockIdx.x} * words<tree_state<F, T>>::count, s, 1);
}

// ---- schedule: strips --------------------------------------------------------------------------------------

inline constexpr int most_warps = 16;

/// Bytes of shared memory of a page in the schedule of strips; that of folds for which it would be too much is `pages`.
template <class F, class T>
inline constexpr int strip_bytes = 0;
template <class F, class T>
  requires(is_commutative<F> && folds_packs<F, lane_value<F, T>> && warp_lanes<F, T>::groups == 1)
inline constexpr int strip_bytes<F, T> = page_strips * lanes_of(sizeof(T)) * static_cast<int>(sizeof(lane_state<F, T>));
template <class F, class T>
inline constexpr bool has_strips = strip_bytes<F, T> > 0 && strip_bytes<F, T> <= 8192;

template <class F, class T>
__global__ void __launch_bounds__(32 * most_warps) fold_strips(const __grid_constant__ kernel_arguments<F, T> a) {
  using page = warp_lanes<F, T>;
  using L = lane_state<F, T>;
  using S = tree_state<F, T>;
  constexpr int lanes = page::lanes, K = page::K;
  constexpr std::int64_t page_size = page_elements(sizeof(T));
  extern __shared__ uint4 memory[];
  __shared__ alignas(S) unsigned char state_memory[most_warps * sizeof(S)];
  S* const states = reinterpret_cast<S*>(state_memory);

  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int pages_of_block = static_cast<int>(blockDim.x) / 128;
  const std::int64_t n = a.count();
  const std::int64_t pages = pages_of(n, sizeof(T));
  const int blocks = static_cast<int>((pages + pages_of_block - 1) / pages_of_block);
  if (blocks > 1 && blockIdx.x == gridDim.x - 1) return gather(a, n, blocks, states);
  if (n == 0 && blockIdx.x == 0 && threadIdx.x == 0) write_outcome<F, T>(a.fold, empty_state<F, T>(a.fold), 0, a.place);
  if (static_cast<int>(blockIdx.x) >= blocks) return;

  const int page_in_block = warp / page_strips, strip = warp % page_strips;
  const std::int64_t p = std::int64_t{blockIdx.x} * pages_of_block + page_in_block;
  const bool has_page = p < pages;
  L* const lane_states = reinterpret_cast<L*>(memory) + page_in_block * page_strips * lanes;
  const bool aligned = reinterpret_cast<std::uintptr_t>(a.data) % (K * sizeof(T)) == 0;
  if (has_page) {
    const auto* data = reinterpret_cast<const storage_t<T>*>(a.data) + p * page_size;
    const int count = static_cast<int>(min(n - p * page_size, page_size));
    const int at = page::place(strip, 0);
    const auto t = aligned && count == page_size ? page::whole_strip(a.fold, data + at)
                                                 : page::part_strip(a.fold, data + at, count - at, aligned);
#pragma unroll
    for (int c = 0; c < K; ++c) lane_states[strip * lanes + lane_id() * K + c] = t.s[c];
  }
  __syncthreads();
  if (strip != 0) {
    if (pages_of_block > 1) __syncthreads();
    return;
  }
  L s = a.fold.template identity<typename page::value>();
  if (has_page) {
    L t[K];
#pragma unroll
    for (int i = 0; i < K; ++i) {
      const L* q = lane_states + lane_id() + 32 * i;
      t[i] = a.fold.combine(a.fold.combine(q[0], q[lanes]), a.fold.combine(q[2 * lanes], q[3 * lanes]));
    }
#pragma unroll
    for (int half = K / 2; half > 0; half /= 2)
#pragma unroll
      for (int i = 0; i < half; ++i) t[i] = a.fold.combine(t[i], t[i + half]);
    s = t[0];
#pragma unroll
    for (int w = 16; w > 0; w /= 2) s = page::ordered(a.fold, s, from_xor(s, w), w);
  }
  S total = to_tree<F, T>(a.fold, s);
  if (pages_of_block > 1) {
    if (lane_id() == 0) states[page_in_block] = total;
    __syncthreads();
    if (warp != 0) return;
    const int present = static_cast<int>(min(pages - std::int64_t{blockIdx.x} * pages_of_block, std::int64_t{pages_of_block}));
    total = aligned_warp_tree(a.fold, states[min(lane_id(), present - 1)], present);
  }
  if (lane_id() == 0) leave_block(a, n, blocks, total);
}

// ---- schedule: pages ---------------------------------------------------------------------------------------

inline constexpr int page_warps = 8;  ///< warps of a block

template <class F, class T>
__global__ void __launch_bounds__(32 * page_warps) fold_pages(const __grid_constant__ kernel_arguments<F, T> a) {
  using page = warp_page<F, T>;
  using S = tree_state<F, T>;
  constexpr std::int64_t page_size = page_elements(sizeof(T));
  __shared__ alignas(S) unsigned char state_memory[page_warps * sizeof(S)];
  S* const states = reinterpret_cast<S*>(state_memory);

  const int warp = static_cast<int>(threadIdx.x) / 32;
  const std::int64_t n = a.count();
  const std::int64_t pages = pages_of(n, sizeof(T));
  const std::int64_t pages_of_block = std::int64_t{page_warps} * a.pages_per_warp;
  const int blocks = static_cast<int>((pages + pages_of_block - 1) / pages_of_block);
  if (blocks > 1 && blockIdx.x == gridDim.x - 1) return gather(a, n, blocks, states);
  if (n == 0 && blockIdx.x == 0 && threadIdx.x == 0) write_outcome<F, T>(a.fold, empty_state<F, T>(a.fold), 0, a.place);
  if (static_cast<int>(blockIdx.x) >= blocks) return;

  const std::int64_t p = std::int64_t{blockIdx.x} * pages_of_block + warp * a.pages_per_warp;
  const int mine = static_cast<int>(min(pages - p, std::int64_t{a.pages_per_warp}));  // may be negative
  const bool aligned = reinterpret_cast<std::uintptr_t>(a.data) % 16 == 0;
  if (mine > 0) {
    const auto one = [&](int i) {
      const std::int64_t at = (p + i) * page_size;
      return page::fold(a.fold, a.data + at, static_cast<int>(min(n - at, page_size)), a.first + at, aligned);
    };
    words<S> kept;
#pragma unroll 1
    for (int i = 0; i < mine; ++i) {  // thread i keeps the state of page i
      const words<S> next = from_first(words<S>::of(one(i)));
      if (i == 0 || lane_id() == i) kept = next;
    }
    const S s = aligned_warp_tree(a.fold, kept.state(), mine);
    if (lane_id() == 0) states[warp] = s;
  }
  __syncthreads();
  if (warp != 0) return;
  const std::int64_t left = pages - std::int64_t{blockIdx.x} * pages_of_block;
  const int present = static_cast<int>(min((left + a.pages_per_warp - 1) / a.pages_per_warp, std::int64_t{page_warps}));
  const S total = aligned_warp_tree(a.fold, states[min(lane_id(), present - 1)], present);
  if (lane_id() == 0) leave_block(a, n, blocks, total);
}

// ---- choosing the schedule ---------------------------------------------------------------------------------

/// How n elements are spread.
struct schedule {
  bool strips;
  int warps;           ///< of a block
  int pages_per_warp;  ///< pages: of a run
  int blocks;          ///< with the one that gathers

  schedule(std::int64_t pages, bool can_strips, int processors) : strips(false), warps(page_warps), pages_per_warp(1) {
    // Measured on an H200 (docs/cuda.md).
    if (can_strips && pages <= 8 * processors) {
      strips = true;
      warps = pages <= 2 * processors ? 4 : pages <= 6 * processors ? 8 : 16;
      blocks = static_cast<int>((pages + warps / 4 - 1) / (warps / 4));
    } else {
      while (pages_per_warp < 32 && pages > std::int64_t{1} << 13 << 3 << (pages_per_warp > 1 ? 1 : 0)) {
        if (pages / (page_warps * pages_per_warp) <= 8192) break;
        pages_per_warp *= 2;
      }
      const std::int64_t of_block = std::int64_t{page_warps} * pages_per_warp;
      blocks = static_cast<int>((pages + of_block - 1) / of_block);
    }
    blocks = blocks < 1 ? 1 : blocks > 1 ? blocks + 1 : blocks;
  }
};

template <class F, class T>
std::int64_t canonical_slot_bytes(std::int64_t n) {
  // The most blocks: one a page while strips are short, else at most 2^14 or 2^-8 of the pages.
  const std::int64_t pages = pages_of(n, sizeof(T));
  const std::int64_t blocks = pages < (1 << 15) ? pages : (1 << 15) + pages / 256;
  return (blocks + 1) * flagged_bytes<tree_state<F, T>>;
}

/// The object behind device_launch::op.
template <class F>
F fold_object(const void* op) {
  if (op) return *static_cast<const F*>(op);
  if constexpr (std::is_default_constructible_v<F>) return F{};
  __builtin_unreachable();
}

template <class F, class T>
int launch_canonical(const device_launch& how) {
  const schedule s(pages_of(how.n, sizeof(T)), has_strips<F, T>, how.processors);
  kernel_arguments<F, T> a{fold_object<F>(how.op),
                           static_cast<const T*>(how.data),
                           how.n,
                           how.device_n,
                           how.first,
                           static_cast<std::uint64_t*>(how.slots),
                           s.pages_per_warp,
                           place_of(how)};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(s.blocks));
  config.blockDim = dim3(static_cast<unsigned>(32 * s.warps));
  config.stream = how.stream;
  if constexpr (has_strips<F, T>) {
    if (s.strips) {
      config.dynamicSmemBytes = static_cast<std::size_t>(s.warps / page_strips * strip_bytes<F, T>);
      return cudaLaunchKernelEx(&config, fold_strips<F, T>, a);
    }
  }
  return cudaLaunchKernelEx(&config, fold_pages<F, T>, a);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
