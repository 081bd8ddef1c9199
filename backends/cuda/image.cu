// A kernel that does nothing, to ask whether this module has code for a device.
#include "instances.hpp"

namespace onefold::cuda {
namespace {
__global__ void nothing() {}
}  // namespace

cudaError_t kernel_image() {
  cudaFuncAttributes ignored{};
  return cudaFuncGetAttributes(&ignored, nothing);
}

}  // namespace onefold::cuda
