// A barrier that some threads of a block do not reach, and one that all reach.
#include <chrono>
#include <cstring>
#include <thread>

#include "check.cuh"

constexpr unsigned threads = 256;

__global__ void wrong(const float* x, float* sum) {
  __shared__ float shared[threads];
  const unsigned t = threadIdx.x;
  shared[t] = x[t];
  __syncthreads();
  for (unsigned d = threads / 2; d > 0; d /= 2)
    if (t < d) {
      shared[t] += shared[t + d];
      __syncthreads();  // the other threads do not come here
    }
  if (t == 0) *sum = shared[0];
}

__global__ void fixed(const float* x, float* sum) {
  __shared__ float shared[threads];
  const unsigned t = threadIdx.x;
  shared[t] = x[t];
  __syncthreads();
  for (unsigned d = threads / 2; d > 0; d /= 2) {
    if (t < d) shared[t] += shared[t + d];
    __syncthreads();  // outside the branch
  }
  if (t == 0) *sum = shared[0];
}

int main(int argc, char** argv) {
  const auto kernel = argc > 1 && std::strcmp(argv[1], "wrong") == 0 ? wrong : fixed;
  float *x, *sum;
  check(cudaMallocManaged(&x, threads * sizeof(float)));
  check(cudaMallocManaged(&sum, sizeof(float)));
  for (unsigned i = 0; i < threads; ++i) x[i] = 1;
  kernel<<<1, threads>>>(x, sum);
  check(cudaGetLastError());
  // The kernel may wait for ever: this program looks for 2 seconds and leaves.
  cudaError_t state = cudaErrorNotReady;
  for (int i = 0; i < 200 && state == cudaErrorNotReady; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    state = cudaStreamQuery(nullptr);
  }
  if (state == cudaErrorNotReady) {
    std::puts("the kernel has not ended after 2 seconds");
    std::fflush(stdout);
    std::_Exit(1);
  }
  check(state);
  const float result = *sum;
  std::printf("sum %g, expected %u\n", static_cast<double>(result), threads);
  check(cudaFree(x));
  check(cudaFree(sum));
  return result != threads;
}
