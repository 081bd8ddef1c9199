// A block that scans pages, one after the other, in shared memory. Its warps have roles:
//
//   loader   starts copying a page as soon as a slot for it is free;
//   folder   folds it when it is there, and leaves its state for all blocks, before anyone scans it;
//   scout    waits for the nodes before it;
//   four scanners, a strip each, put those in front of its prefixes, and write them.
//
// Pages are taken in their sequence by blocks that run: no block waits for a page that has not begun.
#pragma once

#include "onefold/detail/cuda/outputs.cuh"
#include "scans/job.cuh"
#include "scans/strip.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The roles by the number of the warp; the scanners come first.
enum scan_role { folder = page_strips, scout, loader, scan_block_warps };

/// Full: the fold with its result. Ring: a block takes pages until none is left; else it has the one of its number.
template <class Full, class T, class R, int Slots, bool Ring, bool Init>
struct scan_block {
  using F = kernel_t<Full>;
  using L = lane_state<F, T>;
  using S = tree_state<F, T>;
  using memory = scan_memory<F, T, Slots>;
  using strips = strip_prefixes<F, T>;
  using lanes_of_warp = warp_lanes<F, T>;
  static constexpr int K = strips::K, lanes = strips::lanes, size = static_cast<int>(page_elements(sizeof(T)));
  static constexpr int strip_size = size / page_strips;
  static_assert(sizeof(R) == sizeof(T) && lanes_of_warp::groups == 1 && lanes_of_warp::K == K);

  const scan_job<F, T, R>& a;
  memory& m;

  __device__ int count(int page) const {
    return static_cast<int>(min(a.n - std::int64_t{page} * size, std::int64_t{size}));
  }
  __device__ int take_page() const {
    return static_cast<int>(Ring ? atomicAdd(&a.nodes.run->next_page, 1u) : blockIdx.x);
  }

  // ---- loader: one thread ----------------------------------------------------------------------------------

  __device__ void make_barriers() const {
    for (int i = 0; i < Slots; ++i) {
      begin_barrier(&m.loaded[i], 1);
      begin_barrier(&m.folded[i], 1);
      begin_barrier(&m.read[i], page_strips + 1);  // scanners and scout
    }
    for (int i = 0; i < fronts; ++i) {
      begin_barrier(&m.found[i], 1);
      begin_barrier(&m.used[i], page_strips);
    }
    end_of_barriers();
  }
  /// Starts loading a page into a slot, or says that there is none.
  __device__ void load(int page, int slot) const {
    if (page >= a.nodes.pages) {
      m.page[slot] = -1;
      arrive(&m.loaded[slot]);
      return;
    }
    constexpr int unit = 16 / static_cast<int>(sizeof(T));
    const int n = count(page), whole = n & ~(unit - 1);
    const storage_t<T>* const from = a.data + std::int64_t{page} * size;
    m.page[slot] = page;
    for (int i = whole; i < n; ++i) m.x[slot][i] = from[i];
    arrive_for(&m.loaded[slot], static_cast<unsigned>(whole * sizeof(T)));
    if (whole > 0) copy_bulk(m.x[slot], from, static_cast<unsigned>(whole * sizeof(T)), &m.loaded[slot]);
  }
  /// Leaves the run: the last block to do so begins the next one. After that a block looks at nodes only.
  __device__ void leave(unsigned flag) const {
    run_counters& run = *a.nodes.run;
    __threadfence();
    if (atomicInc(&run.finished_blocks, gridDim.x - 1) != gridDim.x - 1) return;
    __threadfence();
    if constexpr (Ring) atomicExch(&run.next_page, 0u);
    atomicExch(&run.runs, flag == ~0u ? 0u : flag);
  }
  /// How many pages a block loads before it has read the first of them: fewer where there are few, so that none waits
  /// in one block while another has nothing to do.
  __device__ int ahead() const {
    if constexpr (!Ring) return 1;
    const int rounds = a.nodes.pages / static_cast<int>(gridDim.x);
    return min(rounds < 2 ? 1 : rounds < 4 ? 2 : 3, Slots);
  }
  /// Loads the first pages, at most so many, and shares the number of the run; returns the last of them. Each is taken
  /// once the one before is on its way: meanwhile other blocks take theirs, so that a block's pages lie a round apart.
  __device__ int begin(int most) const {
    make_barriers();
    const unsigned flag = *static_cast<volatile unsigned*>(&a.nodes.run->runs) + 1;
    int last = 0;
#pragma unroll 1
    for (int i = 0; i < most && last < a.nodes.pages; ++i) {
      last = take_page();
      load(last, i);
    }
    m.flag = flag;
    return last;
  }
  __device__ void go_on_loading(int most, int last) const {
    if constexpr (Ring)
#pragma unroll 1
      for (int i = most; last < a.nodes.pages; ++i) {
        const int read = i - most;
        await_phase(&m.read[read % Slots], static_cast<unsigned>(read / Slots) & 1);
        last = take_page();
        load(last, i % Slots);
      }
    leave(m.flag);
  }

  // ---- folder ----------------------------------------------------------------------------------------------

  __device__ __forceinline__ void fold_page(int slot, int page) const {
    const F& f = a.fold;
    L s[page_strips][K];
    const storage_t<T>* const x = m.x[slot] + lane_id() * K;
#pragma unroll
    for (int r = 0; r < page_rows; ++r) {
      const auto row = *reinterpret_cast<const neighbors<storage_t<T>, K>*>(x + r * lanes);
#pragma unroll
      for (int c = 0; c < K; ++c) {
        L& strip = s[r / strip_rows][c];
        const auto e = lanes_of_warp::element(row.e[c]);
        strip = r % strip_rows == 0 ? f.lift(e) : f.push(strip, e);
        if (r % strip_rows == strip_rows - 1) strip = end_full_strip(f, strip);
      }
    }
    L total[K];
#pragma unroll
    for (int c = 0; c < K; ++c) {
      const int lane = lane_id() * K + c;
      const L half = f.combine(s[0][c], s[1][c]);
      m.first[slot][lane] = s[0][c];
      m.half[slot][lane] = half;
      m.third[slot][lane] = s[2][c];
      total[c] = f.combine(half, f.combine(s[2][c], s[3][c]));
    }
    __syncwarp();
    if (lane_id() == 0) arrive(&m.folded[slot]);
    // The last page may be partly filled. Its state is not read, but the counters count it as any other.
    const lanes_of_warp lanes_fold(f);
    a.nodes.publish(f, page, to_tree<F, T>(f, lanes_fold.template halve<true, K>(f, total)), m.flag);
  }

  // ---- scanners --------------------------------------------------------------------------------------------

  __device__ R result(const S& s) const {
    const Full full{};
    if constexpr (Init)
      return finish_from<Full, T, R>(full, s, 1, &a.init);
    else if constexpr (requires { full.template finish_pack<R>(s); })
      return full.template finish_pack<R>(s);
    else
      return finish_as<Full, T, R>(full, s, 1);
  }

  /// The state before a strip: of the row before it, or of the nodes before the page.
  __device__ S before_strip(const strips& p, int strip, int front) const {
    if (strip > 0) return to_tree<F, T>(a.fold, p.v[0][K - 1]);  // which the last thread has
    const int nodes = m.front_count[front];
    S s = nodes > 0 ? m.front[front][0] : empty_state<F, T>(a.fold);
#pragma unroll 1
    for (int i = 1; i < nodes; ++i) s = a.fold.combine(m.front[front][i], s);
    return s;
  }

  __device__ __forceinline__ void scan_strip(int strip, const turn<Slots>& t, const turn<fronts>& front) const {
    const F& f = a.fold;
    const int page = m.page[t.at];
    strips p(f);
    p.read(m.x[t.at] + strip * strip_size);
    await_phase(&m.folded[t.at], t.parity);
    if (strip == 0)
      p.begin();
    else
      p.join(strip, m.first[t.at], m.half[t.at], m.third[t.at]);
    __syncwarp();
    if (lane_id() == 0) arrive(&m.read[t.at]);
    p.halve();
    await_phase(&m.found[front.at], front.parity);
    // The row before the page has no state: its last one is made of the nodes alone.
    S v[strip_rows + 1][K];
#pragma unroll
    for (int r = 0; r <= strip_rows; ++r)
#pragma unroll
      for (int c = 0; c < K; ++c) v[r][c] = to_tree<F, T>(f, p.v[r][c]);
    if (a.exclusive) v[0][K - 1] = before_strip(p, strip, front.at);
    const int nodes = m.front_count[front.at];
#pragma unroll 1
    for (int i = 0; i < nodes; ++i) {
      const S node = m.front[front.at][i];
#pragma unroll
      for (int r = 1; r <= strip_rows; ++r)
#pragma unroll
        for (int c = 0; c < K; ++c) v[r][c] = f.combine(node, v[r][c]);
      if (a.exclusive && strip > 0) v[0][K - 1] = f.combine(node, v[0][K - 1]);
    }
    __syncwarp();
    if (lane_id() == 0) arrive(&m.used[front.at]);
    write(strip, page, v);
  }

  __device__ __forceinline__ void write(int strip, int page, const S (&v)[strip_rows + 1][K]) const {
    const int begin = strip * strip_size + lane_id() * K, n = count(page);
    R* const out = a.out + std::int64_t{page} * size + begin;
    R last_before{};  // of thread 31, in the row before
    if (a.exclusive) last_before = result(v[0][K - 1]);
#pragma unroll
    for (int r = 0; r < strip_rows; ++r) {
      neighbors<R, K> x;
#pragma unroll
      for (int c = 0; c < K; ++c) x.e[c] = result(v[r + 1][c]);
      if (a.exclusive) {
        const R last = x.e[K - 1];
        const R first = from_lane(selected(lane_id() == 31, last_before, last), (lane_id() - 1) & 31);
        last_before = last;
#pragma unroll
        for (int c = K - 1; c > 0; --c) x.e[c] = x.e[c - 1];
        x.e[0] = first;
      }
      const int left = n - begin - r * lanes;
      if (left >= K) {
        x.store(out + r * lanes);
      } else {
#pragma unroll
        for (int c = 0; c < K; ++c)
          if (c < left) out[r * lanes + c] = x.e[c];
      }
    }
  }

  // ---- roles -----------------------------------------------------------------------------------------------

  /// Calls work(turn, turn of the front) for each page of the block, when it is loaded.
  template <class Work>
  __device__ __forceinline__ void for_each_page(const Work& work) const {
    turn<Slots> t;
    turn<fronts> front;
#pragma unroll 1
    for (;; t.next(), front.next()) {
      await_phase(&m.loaded[t.at], t.parity);
      if (m.page[t.at] < 0) return;
      work(t, front);
      if (!Ring) return;
    }
  }
  __device__ __forceinline__ void run() const {
    const int role = static_cast<int>(threadIdx.x) / 32;
    const int pages_ahead = ahead();
    int last = 0;
    if (role == loader && lane_id() == 0) last = begin(pages_ahead);
    __syncthreads();
    if (role == loader) {
      if (lane_id() == 0) go_on_loading(pages_ahead, last);
    } else if (role == scout) {
      for_each_page([&](const turn<Slots>& t, const turn<fronts>& front) {
        const int page = m.page[t.at];
        __syncwarp();
        if (lane_id() == 0) arrive(&m.read[t.at]);
        await_phase(&m.used[front.at], front.parity ^ 1);
        const int found = a.nodes.gather(a.fold, page, m.flag, m.front[front.at]);
        if (lane_id() == 0) m.front_count[front.at] = found;
        __syncwarp();
        if (lane_id() == 0) arrive(&m.found[front.at]);
      });
    } else if (role == folder) {
      for_each_page([&](const turn<Slots>& t, const turn<fronts>&) { fold_page(t.at, m.page[t.at]); });
    } else {
      for_each_page([&](const turn<Slots>& t, const turn<fronts>& front) { scan_strip(role, t, front); });
    }
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
