// Selected elements of lines, brought together on the device, and their results brought back to their places.
#pragma once

#include <cstdint>

#include "onefold/device.hpp"
#include "onefold/row_problem.hpp"

namespace onefold::cuda {

/// The most elements of a line: places are numbers of 32 bits.
inline constexpr std::int64_t most_places = std::int64_t{1} << 32;

/// What is known of the selected elements of some lines, in device memory.
struct selected_lines {
  void* packed;           ///< the elements, and later the results, with room for n a line
  std::int64_t* before;   ///< for pack_selected and unpack_results alone
  std::int64_t* counts;   ///< how many each line has; they end where
  std::uint32_t* places;  ///< these begin: where they are in it, with room for n a line

  /// In memory of bytes().
  selected_lines(void* memory, std::int64_t lines, std::int64_t n, std::int64_t element_size);
  static std::int64_t bytes(std::int64_t lines, std::int64_t n, std::int64_t element_size);
};

/// Counts and packs the selected elements of lines how.first to how.first + what.from.outputs, each of n elements;
/// finds their places where the operation has weights or biases. `memory` has everything in device memory, as the mask.
/// Returns a cudaError_t.
int pack_selected(const device_launch& how, const row_request& what, const selection& by, const row_memory& memory,
                  const void* mask, const selected_lines& lines);

/// Writes the packed results to memory.results, and 0 for what is not selected, or -infinity in log_softmax. The rest
/// is as pack_selected had it. Returns a cudaError_t.
int unpack_results(const device_launch& how, const row_request& what, const selection& by, const row_memory& memory,
                   const void* mask, const selected_lines& lines);

}  // namespace onefold::cuda
