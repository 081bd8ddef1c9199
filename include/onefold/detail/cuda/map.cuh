// The kernel that computes elements by a function from those of arrays: a thread computes some, neighbors by neighbors.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "onefold/detail/cuda/launch.cuh"
#include "onefold/detail/cuda/stream.cuh"
#include "onefold/detail/unroll.hpp"
#include "onefold/map_request.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Threads of a block, and elements of a thread, whose loads are in flight together.
inline constexpr unsigned map_threads = 256, mapped_by_thread = 4;

/// Which elements a launch computes.
struct map_numbers {
  mapped_range outer, inner;
  unsigned count;  ///< of elements
};

__host__ __device__ __noinline__ inline std::int64_t divided_in_64_bits(std::int64_t a, std::int64_t b) {
  return a / b;
}
/// a / b of numbers that are not negative; few have more than 32 bits, in which a device divides in a fifth of the
/// time.
__host__ __device__ inline std::int64_t divided(std::int64_t a, std::int64_t b) {
  return (a | b) >> 32 == 0 ? static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b) : divided_in_64_bits(a, b);
}

/// Places of elements in N arrays, which count from the first one of each.
template <int N>
struct map_places {
  std::int64_t at[N];

  /// Moves on to an element by its number along a range's axes.
  __host__ __device__ void move(const mapped_range& along, std::int64_t number) {
    ONEFOLD_ROLLED
    for (int i = along.axes - 1; i > 0; --i) {
      const std::int64_t rest = divided(number, along.extent[i]), digit = number - rest * along.extent[i];
      number = rest;
      for (int k = 0; k < N; ++k) at[k] += digit * along.stride[k][i];
    }
    if (along.axes > 0)
      for (int k = 0; k < N; ++k) at[k] += number * along.stride[k][0];
  }
};

/// f(x...), where f may also point to a member of x or of what x points to.
template <class F, class X, class... More>
__device__ decltype(auto) call_on_device(const F& f, const X& x, const More&... more) {
  if constexpr (!std::is_member_object_pointer_v<F>)
    return f(x, more...);
  else if constexpr (requires { x.*f; })
    return (x.*f);
  else if constexpr (requires { x.get().*f; })
    return (x.get().*f);
  else
    return ((*x).*f);
}

/// An element that is read once: it leaves the caches first, so that what is computed stays there. Of other elements
/// than words a function may read some members only: those are not copied.
template <class X>
__device__ decltype(auto) read_once(const X* p) {
  if constexpr (std::is_trivially_copyable_v<X> && alignof(X) == sizeof(X) &&
                (sizeof(X) == 1 || sizeof(X) == 2 || sizeof(X) == 4 || sizeof(X) == 8)) {
    using word =
        std::conditional_t<sizeof(X) == 1, unsigned char,
                           std::conditional_t<sizeof(X) == 2, unsigned short,
                                              std::conditional_t<sizeof(X) == 4, unsigned, unsigned long long>>>;
    return __builtin_bit_cast(X, __ldcs(reinterpret_cast<const word*>(p)));
  } else {
    return (*p);
  }
}

/// Room for a T, which need not have a default.
template <class T>
union map_slot {
  T value;
  __device__ map_slot() {}
};

/// Computes this thread's elements. `IsLine`: arrays begin at the launch's first element, and its elements lie a fixed
/// distance apart. `AreAll`: there is an element for each thread of the block, so that no branch keeps loads apart.
template <bool IsLine, bool AreAll, class F, class T, class... X, std::size_t... K>
__device__ void compute_mapped(const map_numbers& numbers, const F& f, T* __restrict__ to, std::index_sequence<K...>,
                               const X* __restrict__... arrays) {
  const unsigned first = blockIdx.x * (map_threads * mapped_by_thread) + threadIdx.x;
  map_slot<T> computed[mapped_by_thread];
#pragma unroll
  for (unsigned j = 0; j < mapped_by_thread; ++j) {
    const unsigned i = first + j * map_threads;
    if (!AreAll && i >= numbers.count) break;
    map_places<sizeof...(X)> places{};
    if constexpr (IsLine) {
      for (std::size_t k = 0; k < sizeof...(X); ++k) places.at[k] = i * numbers.inner.stride[k][0];
    } else {
      const auto length = static_cast<unsigned>(numbers.inner.count);
      places.move(numbers.outer, numbers.outer.first + i / length);
      places.move(numbers.inner, numbers.inner.first + i % length);
    }
    new (&computed[j].value) T(call_on_device(f, read_once(arrays + places.at[K])...));
  }
#pragma unroll
  for (unsigned j = 0; j < mapped_by_thread; ++j) {
    const unsigned i = first + j * map_threads;
    if (AreAll || i < numbers.count) new (to + i) T(computed[j].value);
  }
}

template <bool IsLine, class F, class T, class... X>
__global__ void __launch_bounds__(map_threads)
    compute_elements(const __grid_constant__ map_numbers numbers, const F f, T* to, const X*... arrays) {
  await_stream();
  constexpr std::index_sequence_for<X...> each;
  if ((blockIdx.x + 1) * (map_threads * mapped_by_thread) <= numbers.count)
    compute_mapped<IsLine, true>(numbers, f, to, each, arrays...);
  else
    compute_mapped<IsLine, false>(numbers, f, to, each, arrays...);
}

template <class F, class T, class... X, std::size_t... K>
cudaError_t launch_map(const map_launch& how, std::index_sequence<K...>) {
  map_numbers numbers{how.outer, how.inner, static_cast<unsigned>(how.outer.count * how.inner.count)};
  const F& f = *static_cast<const F*>(how.function);
  T* const to = static_cast<T*>(how.to);
  device_launch on{};
  on.stream = how.stream;
  on.follows = how.follows;
  const unsigned blocks = (numbers.count - 1) / (map_threads * mapped_by_thread) + 1;
  if (how.outer.count > 1 || how.inner.axes > 1)
    return launch(on, blocks, map_threads, 0, compute_elements<false, F, T, X...>, numbers, f, to,
                  static_cast<const X*>(how.arrays[K])...);
  map_places<sizeof...(X)> first{};
  first.move(how.outer, how.outer.first);
  first.move(how.inner, how.inner.first);
  return launch(on, blocks, map_threads, 0, compute_elements<true, F, T, X...>, numbers, f, to,
                static_cast<const X*>(how.arrays[K]) + first.at[K]...);
}

/// device_map::launch of a function F that returns Ts for elements X.
template <class F, class T, class... X>
int launch_map(const map_launch& how) {
  return launch_map<F, T, X...>(how, std::index_sequence_for<X...>{});
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
