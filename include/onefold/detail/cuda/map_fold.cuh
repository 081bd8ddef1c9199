// Folds that compute their elements: a warp folds a page of what a function returns for the elements of arrays.
#pragma once

#include <utility>

#include "onefold/detail/cuda/map.cuh"
#include "onefold/detail/cuda/shapes.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// K neighboring elements of an array, by loads of up to 16 bytes.
template <class X, int K>
struct alignas(K * sizeof(X) < 16 ? K * sizeof(X) : 16) loaded_elements {
  static constexpr int at_once = K * sizeof(X) < 16 ? K : 16 / static_cast<int>(sizeof(X));
  storage_t<X> e[K];

  __device__ static loaded_elements load(const X* p) {
    loaded_elements r;
#pragma unroll
    for (int i = 0; i < K; i += at_once) {
      const auto part = neighbors<storage_t<X>, at_once>::load(reinterpret_cast<const storage_t<X>*>(p) + i);
      memcpy(r.e + i, &part, sizeof part);
    }
    return r;
  }
  __device__ X operator[](int i) const { return __builtin_bit_cast(X, e[i]); }
};

/// What f returns for the elements of contiguous arrays X, as the elements T of a page.
template <class F, class T, class... X>
struct computed_elements {
  using stored = storage_t<T>;
  F f;
  const void* arrays[sizeof...(X)];  ///< each element number 0

  __device__ computed_elements operator+(std::int64_t i) const {
    map_places<sizeof...(X)> to;
    for (std::int64_t& at : to.at) at = i;
    return moved(to);
  }
  /// Those with the places `to` in place of the first ones.
  __host__ __device__ computed_elements moved(const map_places<sizeof...(X)>& to) const {
    return moved(to, std::index_sequence_for<X...>{});
  }
  __device__ T operator[](int i) const { return at(i, std::index_sequence_for<X...>{}); }

  /// Whether each array begins at a multiple of 16 bytes.
  bool begin_at_words() const {
    return std::all_of(arrays, arrays + sizeof...(X),
                       [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; });
  }

  /// The elements i to i + K, of which each array has the first at a multiple of 16 bytes, or of K elements.
  template <int K>
  __device__ neighbors<stored, K> neighbors_at(int i) const {
    return neighbors_at<K>(i, std::index_sequence_for<X...>{});
  }

 private:
  template <std::size_t... k>
  __host__ __device__ computed_elements moved(const map_places<sizeof...(X)>& to, std::index_sequence<k...>) const {
    return {f, {static_cast<const X*>(arrays[k]) + to.at[k]...}};
  }
  template <std::size_t... k>
  __device__ T at(int i, std::index_sequence<k...>) const {
    return T(call_on_device(f, static_cast<const X*>(arrays[k])[i]...));
  }
  template <int K, std::size_t... k>
  __device__ neighbors<stored, K> neighbors_at(int i, std::index_sequence<k...>) const {
    return of_loaded<K>(loaded_elements<X, K>::load(static_cast<const X*>(arrays[k]) + i)...);
  }
  template <int K>
  __device__ neighbors<stored, K> of_loaded(const loaded_elements<X, K>&... x) const {
    neighbors<stored, K> r;
#pragma unroll
    for (int c = 0; c < K; ++c) r.e[c] = __builtin_bit_cast(stored, T(call_on_device(f, x[c]...)));
    return r;
  }
};

/// As fold_pages; a.data is not looked at.
template <class Fold, class T, class F, class... X>
__global__ void __launch_bounds__(32 * page_warps, page_blocks<Fold, T>)
    fold_computed_pages(const __grid_constant__ kernel_arguments<Fold, T> a,
                        const __grid_constant__ computed_elements<F, T, X...> elements, const bool aligned) {
  fold_pages_of(a, elements, aligned);
}

/// The arrays of a launch, from the first number of its inner range on, or of both.
template <class T, class F, class... X>
computed_elements<F, T, X...> first_computed(const map_launch& from, bool of_outer) {
  computed_elements<F, T, X...> elements{*static_cast<const F*>(from.function), {}};
  std::copy_n(from.arrays, sizeof...(X), elements.arrays);
  map_places<sizeof...(X)> first{};
  if (of_outer) first.move(from.outer, from.outer.first);
  first.move(from.inner, from.inner.first);
  return elements.moved(first);
}

/// mapped_fold::launch of Fold over the Ts that F returns for elements X.
template <class Fold, class T, class F, class... X>
int launch_computed_pages(const device_launch& how, const map_launch& from) {
  const auto elements = first_computed<T, F, X...>(from, true);
  return launch_pages_of(fold_layout_of<Fold, T>, how, code_of(fold_computed_pages<Fold, T, F, X...>),
                         arguments_for<Fold, T>(fold_object<Fold>(how.op), how.n, how), elements,
                         elements.begin_at_words());
}

/// Folds the pages of outputs, whose first elements are the numbers of `outer`; each array has them at a multiple of 16
/// bytes.
template <class Fold, class T, class F, class... X>
__global__ void __launch_bounds__(32 * page_warps, page_blocks<Fold, T>)
    fold_computed_outputs(const __grid_constant__ outputs_arguments<Fold, T> a,
                          const __grid_constant__ computed_elements<F, T, X...> first,
                          const __grid_constant__ mapped_range outer) {
  await_stream();
  warp_page<Fold, T> page(a.fold);
  const std::int64_t all = a.outputs * a.pages, step = std::int64_t{gridDim.x} * page_warps;
#pragma unroll 1
  for (std::int64_t i = std::int64_t{blockIdx.x} * page_warps + threadIdx.x / 32; i < all; i += step) {
    const std::int64_t output = divided(i, a.pages), number = i - output * a.pages;
    const std::int64_t index = number * page_elements(sizeof(T));
    map_places<sizeof...(X)> at{};
    at.move(outer, outer.first + output);
    const tree_state<Fold, T> s = page.fold(first.moved(at) + index, a.count(number), index, true);
    if (lane_id() == 0) a.publish(output, number, s);
  }
  release_stream();
}

/// mapped_fold::launch_outputs, likewise.
template <class Fold, class T, class F, class... X>
int launch_computed_outputs(const device_launch& how, const map_launch& from, std::int32_t distance) {
  const auto elements = first_computed<T, F, X...>(from, false);
  problem p{};
  p.outputs = from.outer.count;
  p.n = from.inner.count;
  return launch_shape<Fold, T>(
      how, p, distance, [&](const device_launch& by, const problem&, const outputs_arguments<Fold, T>& a) {
        return launch(
            by, blocks_for(p.outputs * a.pages, page_warps, std::int64_t{2} * page_blocks<Fold, T> * by.processors),
            32 * page_warps, 0, fold_computed_outputs<Fold, T, F, X...>, a, elements, from.outer);
      });
}

/// The record of both.
template <class Fold, class T, class F, class... X>
inline constexpr mapped_fold fold_of_computed = {launch_computed_pages<Fold, T, F, X...>,
                                                 launch_computed_outputs<Fold, T, F, X...>};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
