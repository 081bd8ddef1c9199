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
  __device__ explicit page_walk(const outputs_arguments<F, T>& arguments)
      : a(arguments), step_(std::int64_t{gridDim.x} * (blockDim.x / 32)) {
    number_ = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32 - step_;
    all_ = a.segments.offsets ? a.segments.count(a.outputs, size) : a.outputs * a.pages;
  }

  std::int64_t begin;  ///< of the output's elements
  std::int64_t index;  ///< of the page's first element
  int count;           ///< elements of the page

  /// Goes on to the next one; false where there is none.
  __device__ bool next() {
    if (a.segments.offsets) return next_of_segments();
    if ((number_ += step_) >= all_) return false;
    output_ = number_ / a.pages;
    page_ = number_ - output_ * a.pages;
    begin = a.kept.offset(output_);
    index = page_ * size;
    count = a.count(page_);
    return true;
  }

  /// Publishes the state of the page, or the result of its output where that has no other. For one thread.
  __device__ void publish(const tree_state<F, T>& s) const {
    if (!a.segments.offsets)
      a.publish(output_, page_, s);
    else if (at_ > 0 && at_ <= tile_.whole)
      a.finish(output_, count, s);
    else
      a.page_state(number_, at_ == 0) = s;
  }

 private:
  static constexpr std::int64_t size = page_elements(sizeof(T));

  /// A tile's later page is number 0, its whole segments come next, and then the first page of another.
  __device__ bool next_of_segments() {
    while (++at_ > tile_.whole + tile_.begins) {
      if ((number_ += step_) >= all_) return false;
      tile_ = a.segments.tiles[number_];
      at_ = tile_.later > 0 ? -1 : 0;
    }
    output_ = tile_.segment + at_ - 1;
    begin = a.segments[output_];
    index = at_ == 0 ? tile_.later * size : 0;
    count = at_ == 0 ? tile_.of_later : static_cast<int>(min(a.segments[output_ + 1] - begin, size));
    return true;
  }

  const outputs_arguments<F, T>& a;
  std::int64_t number_, step_, all_;  ///< of pages, or of tiles of segments
  std::int64_t output_, page_;
  segment_tile tile_{};
  int at_ = 0;
};

template <class F, class T>
__global__ void __launch_bounds__(256) fold_scattered(const __grid_constant__ outputs_arguments<F, T> a) {
  await_stream();
  warp_page<F, T> page(a.fold);
  page_walk<F, T> walk(a);
#pragma unroll 1
  while (walk.next()) {
    const scattered_elements<T> x{a.data + walk.begin, a.reduced, walk.index};
    if (walk.count > 0) {
      const tree_state<F, T> s = page.fold(x, walk.count, walk.index, false);
      if (lane_id() == 0) walk.publish(s);
    } else if (lane_id() == 0) {
      walk.publish(empty_state<F, T>(a.fold));
    }
  }
  release_stream();
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
