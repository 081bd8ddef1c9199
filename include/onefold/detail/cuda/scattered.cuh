// Schedule *scattered*, for whatever has no other: a warp folds a page of an output, each thread from where its
// elements lie.
#pragma once

#include "onefold/detail/cuda/outputs.cuh"
#include "onefold/detail/cuda/page.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The elements of a page of an output, by number, wherever they lie.
template <class T>
struct scattered_elements {
  const T* data;
  const device_axes& axes;
  std::int64_t first;
  __device__ const T& operator[](int i) const { return data[axes.offset(first + i)]; }
};

/// The pages that a warp folds, one after the other.
template <class F, class T>
class page_walk {
 public:
  __device__ explicit page_walk(const outputs_arguments<F, T>& arguments) : a(arguments) {
    step_ = std::int64_t{gridDim.x} * (blockDim.x / 32);
    work_ = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32 - step_;
    all_ = a.segments.data ? a.segments.tiles(a.outputs, page_elements(sizeof(T))) : a.outputs * a.pages;
  }

  std::int64_t output, page;
  std::int64_t begin;  ///< of the output's elements
  std::int64_t n;      ///< how many they are

  /// Goes on to the next one; false where there is none.
  __device__ bool next() {
    if (!a.segments.data) {
      if ((work_ += step_) >= all_) return false;
      output = work_ / a.pages;
      page = work_ - output * a.pages;
      begin = a.kept.offset(output);
      n = a.n;
      return true;
    }
    if (page_elements(sizeof(T)) * ++at_.page >= at_.end - at_.begin) {
      const std::int64_t after = at_.segment + 1;
      at_ = {after, 0, at_.end, after < a.outputs ? max(a.segments[after + 1], at_.end) : at_.end};
    }
    while (at_.segment == past_.segment ? at_.page == past_.page : at_.segment > past_.segment) {
      if ((work_ += step_) >= all_) return false;
      at_ = a.segments.firsts[work_];
      past_ = a.segments.firsts[work_ + 1];
      if (lane_id() == 0) a.note_long(work_, at_, past_);
    }
    output = at_.segment;
    page = at_.page;
    begin = at_.begin;
    n = at_.end - at_.begin;
    return true;
  }

  /// Stores the state of the page, or the result of its output where that has no other. For one thread.
  __device__ void leave(const tree_state<F, T>& s) const {
    if (!a.segments.data)
      a.leave(output, page, s);
    else if (n <= page_elements(sizeof(T)))
      a.finish(output, n, s);
    else
      a.page_state(work_, page) = s;
  }

 private:
  const outputs_arguments<F, T>& a;
  std::int64_t work_, step_, all_;  ///< numbers of pages, or of tiles of segments
  segment_page at_{0, -1, 0, 0}, past_{0, 0, 0, 0};
};

template <class F, class T>
__global__ void __launch_bounds__(256) fold_scattered(const __grid_constant__ outputs_arguments<F, T> a) {
  await_stream();
  warp_page<F, T> page(a.fold);
  page_walk<F, T> walk(a);
#pragma unroll 1
  while (walk.next()) {
    const std::int64_t index = walk.page * page_elements(sizeof(T));
    const auto count = static_cast<int>(min(walk.n - index, page_elements(sizeof(T))));
    const scattered_elements<T> x{a.data + walk.begin, a.reduced, index};
    const tree_state<F, T> s = count > 0 ? page.fold(x, count, index, false) : empty_state<F, T>(a.fold);
    if (lane_id() == 0) walk.leave(s);
  }
  release_stream();
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
