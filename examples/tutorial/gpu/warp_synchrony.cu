// The last warp of a tree in step by belief, and by shuffles that synchronize it.
#include <cstring>

#include "check.cuh"

constexpr unsigned warp = 32;

__global__ void wrong(const float* x, float* sum) {
  __shared__ float shared[2 * warp];
  const unsigned t = threadIdx.x;
  shared[t] = x[t];
  shared[t + warp] = 0;
  shared[t] += shared[t + 16];  // "a warp runs in step": neither the compiler nor the hardware promises it
  shared[t] += shared[t + 8];
  shared[t] += shared[t + 4];
  shared[t] += shared[t + 2];
  shared[t] += shared[t + 1];
  if (t == 0) *sum = shared[0];
}

__global__ void fixed(const float* x, float* sum) {
  float s = x[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffff, s, d);  // waits for the lanes of its mask
  if (threadIdx.x == 0) *sum = s;
}

int main(int argc, char** argv) {
  const auto kernel = argc > 1 && std::strcmp(argv[1], "wrong") == 0 ? wrong : fixed;
  float *x, *sum;
  check(cudaMallocManaged(&x, warp * sizeof(float)));
  check(cudaMallocManaged(&sum, sizeof(float)));
  for (unsigned i = 0; i < warp; ++i) x[i] = 1;
  kernel<<<1, warp>>>(x, sum);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  const float result = *sum;
  std::printf("sum %g, expected %u\n", static_cast<double>(result), warp);
  check(cudaFree(x));
  check(cudaFree(sum));
  return result != warp;
}
