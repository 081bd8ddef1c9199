#include "offsets.hpp"

#include <algorithm>

#include "errors.hpp"

namespace onefold::cuda {
namespace {

template <class Offset>
__global__ void find(const Offset* offsets, std::int64_t count, std::uint64_t elements, unsigned long long* found) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i <= count; i += step) {
    const Offset x = offsets[i];
    if (x > elements || (i > 0 && x < offsets[i - 1])) atomicMin(found, static_cast<unsigned long long>(i));
    if (i < count && x == offsets[i + 1]) atomicMin(found + 1, static_cast<unsigned long long>(i));
  }
}

}  // namespace

std::int64_t copied_offset(const device_segments& segments, std::int64_t i) {
  const std::size_t size = segments.wide ? 8 : 4;
  std::int64_t offset = 0;  // of which the lower half is the first
  check(cudaMemcpy(&offset, static_cast<const char*>(segments.offsets) + static_cast<std::size_t>(i) * size, size,
                   cudaMemcpyDefault),
        "a copy");
  return offset;
}

segment_faults find_faults(const device_segments& segments, void* room) {
  auto* const found = static_cast<unsigned long long*>(room);
  check(cudaMemsetAsync(room, 0x7f, sizeof(segment_faults), cudaStreamLegacy), "a memset");
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(segments.count / 256 + 1, 4096));
  const auto elements = static_cast<std::uint64_t>(segments.elements);
  if (segments.wide)
    find<<<blocks, 256, 0, cudaStreamLegacy>>>(static_cast<const std::uint64_t*>(segments.offsets), segments.count,
                                               elements, found);
  else
    find<<<blocks, 256, 0, cudaStreamLegacy>>>(static_cast<const std::uint32_t*>(segments.offsets), segments.count,
                                               elements, found);
  check(cudaGetLastError(), "the launch of a kernel");
  segment_faults faults{};
  check(cudaMemcpy(&faults, room, sizeof faults, cudaMemcpyDefault), "a copy");
  return faults;
}

}  // namespace onefold::cuda
