#include "histogram.hpp"

#include "histogram_launch.cuh"

namespace onefold::cuda {

cudaError_t enqueue_counting(const device_bins& bins, const void* data, std::int64_t n, counting from,
                             cudaStream_t stream) {
  return launch_all(bins, data, n, from, stream);
}

}  // namespace onefold::cuda
