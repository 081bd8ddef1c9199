// The ladder of the CUDA backend's kernels, which reports and benchmarks measure step by step.
#pragma once

#include <array>

#include "onefold/options.hpp"

namespace onefold::measure {

/// From the naive kernel to the default one, in the order of docs/cuda.md.
inline constexpr std::array ladder{kernel::global_interleaved, kernel::interleaved, kernel::sequential_addressing,
                                   kernel::first_add,          kernel::unrolled,    kernel::shuffle,
                                   kernel::coarsened,          kernel::canonical};

}  // namespace onefold::measure
