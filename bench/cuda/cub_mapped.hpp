// CUB's sums of computed elements, which are measured beside the library's.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "onefold/types.hpp"

namespace bench {

/// What is added up.
enum class vector_sum { products, squared_differences, magnitudes };

/// In which type, as onefold's verbs.
template <class T>
using vector_number = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// CUB's sum over n elements of x and y, on the device. With temporary == null sets `bytes` only. Throws
/// std::runtime_error for what CUB reports.
template <class T, class R>
void cub_vector_sum(void* temporary, std::size_t& bytes, vector_sum what, const T* x, const T* y, R* out,
                    std::int64_t n, cudaStream_t stream);

/// The same of the products in each of `rows` rows of n elements.
template <class T>
void cub_row_products(void* temporary, std::size_t& bytes, const T* x, const T* y, vector_number<T>* out,
                      std::int64_t rows, std::int64_t n, cudaStream_t stream);

}  // namespace bench
