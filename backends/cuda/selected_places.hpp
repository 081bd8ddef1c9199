// The places of selected elements of lines, found on the device.
#pragma once

#include <cstdint>

#include "onefold/device.hpp"
#include "onefold/row_problem.hpp"

namespace onefold::cuda {

/// The most elements of a line: places are numbers of 32 bits.
inline constexpr std::int64_t most_places = std::int64_t{1} << 32;

/// Bytes of device memory for those of some lines: for each how many are selected, in 64 bits, and after all of them
/// the places in 32 bits, with room for n a line. What follows is for find_places alone.
std::int64_t place_bytes(std::int64_t lines, std::int64_t n);

/// Finds the places of the selected elements of lines how.first to how.first + what.from.outputs, each of n elements,
/// and writes what the others get to their results, where there is one for each: 0, or -infinity in log_softmax.
/// `memory` has everything in device memory, as the mask and `to`, of place_bytes(). Returns a cudaError_t.
int find_places(const device_launch& how, const row_request& what, const selection& by, const row_memory& memory,
                const void* mask, void* to);

}  // namespace onefold::cuda
