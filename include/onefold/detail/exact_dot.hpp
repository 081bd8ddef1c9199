// The parts of the exact dot product that the library compiles.
#pragma once

#include <cstdint>

#include "onefold/detail/exact/superaccumulator.hpp"
#include "onefold/options.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {

/// Throws invalid_argument where the second array, which a CPU is to read, is in device memory. The first one is looked
/// at as any reduction's.
ONEFOLD_API void require_host_reads_second(const void* y, const options& how);

/// Where an accelerator is requested, or `automatic` finds both arrays in its memory: *sum gets the sum of the products
/// of n floating-point elements; true. Else false: a CPU is to add them. Throws as map_reduce does of two arrays.
ONEFOLD_API bool dot_on_device(dtype element, const void* x, const void* y, std::int64_t n, const options& how,
                               product_accumulator* sum);

/// Adds the products of n floating-point elements of x and y, on this CPU.
ONEFOLD_API void add_products(dtype element, const void* x, const void* y, std::int64_t n, product_accumulator* sum);

}  // namespace onefold::detail
