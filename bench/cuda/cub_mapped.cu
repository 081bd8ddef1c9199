#include "cub_mapped.hpp"

#include <cuda_fp16.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>

#include "device_time.hpp"

namespace bench {
namespace {

template <class R, class T>
__device__ R as_number(T x) {
  if constexpr (std::is_same_v<T, onefold::f16>)
    return __half2float(__ushort_as_half(x.bits));
  else
    return static_cast<R>(x);
}

template <vector_sum What, class T, class R>
struct computed {
  const T *x, *y;
  __device__ R operator()(std::int64_t i) const {
    const R a = as_number<R>(x[i]);
    if constexpr (What == vector_sum::magnitudes) return a < 0 ? -a : a;
    const R b = as_number<R>(y[i]);
    return What == vector_sum::products ? a * b : (a - b) * (a - b);
  }
};

struct row_begin {
  std::int64_t n;
  __device__ std::int64_t operator()(std::int64_t row) const { return row * n; }
};

template <class F>
auto iterator(const F& f) {
  return thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), f);
}

template <vector_sum What, class T, class R>
void sum_of(void* temporary, std::size_t& bytes, const T* x, const T* y, R* out, std::int64_t n, cudaStream_t stream) {
  check(cub::DeviceReduce::Sum(temporary, bytes, iterator(computed<What, T, R>{x, y}), out, n, stream));
}

}  // namespace

template <class T, class R>
void cub_vector_sum(void* temporary, std::size_t& bytes, vector_sum what, const T* x, const T* y, R* out,
                    std::int64_t n, cudaStream_t stream) {
  if (what == vector_sum::products)
    sum_of<vector_sum::products>(temporary, bytes, x, y, out, n, stream);
  else if (what == vector_sum::squared_differences)
    sum_of<vector_sum::squared_differences>(temporary, bytes, x, y, out, n, stream);
  else
    sum_of<vector_sum::magnitudes>(temporary, bytes, x, y, out, n, stream);
}

template <class T>
void cub_row_products(void* temporary, std::size_t& bytes, const T* x, const T* y, vector_number<T>* out,
                      std::int64_t rows, std::int64_t n, cudaStream_t stream) {
  const auto begins = iterator(row_begin{n});
  check(cub::DeviceSegmentedReduce::Sum(temporary, bytes,
                                        iterator(computed<vector_sum::products, T, vector_number<T>>{x, y}), out, rows,
                                        begins, begins + 1, stream));
}

#define ONEFOLD_INSTANCE(T)                                                                                          \
  template void cub_vector_sum(void*, std::size_t&, vector_sum, const T*, const T*, vector_number<T>*, std::int64_t, \
                               cudaStream_t);                                                                        \
  template void cub_row_products(void*, std::size_t&, const T*, const T*, vector_number<T>*, std::int64_t,           \
                                 std::int64_t, cudaStream_t);
ONEFOLD_INSTANCE(float)
ONEFOLD_INSTANCE(double)
ONEFOLD_INSTANCE(onefold::f16)
#undef ONEFOLD_INSTANCE
template void cub_vector_sum(void*, std::size_t&, vector_sum, const float*, const float*, double*, std::int64_t,
                             cudaStream_t);
template void cub_vector_sum(void*, std::size_t&, vector_sum, const onefold::f16*, const onefold::f16*, double*,
                             std::int64_t, cudaStream_t);

}  // namespace bench
