// Timing a kernel without waiting for it, by waiting for it, and by events on its stream.
#include <chrono>
#include <cstring>

#include "check.cuh"

constexpr int n = 1 << 28, threads = 256, blocks = 2048;

__global__ void scale(float* x) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) x[i] *= 0.5f;
}

/// Milliseconds by the host's clock.
float wrong(float* x) {
  const auto begin = std::chrono::steady_clock::now();
  scale<<<blocks, threads>>>(x);  // returns as soon as the kernel is queued
  return std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Milliseconds between two events on the kernel's stream.
float fixed(float* x) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  scale<<<blocks, threads>>>(x);
  check(cudaEventRecord(end));
  check(cudaEventSynchronize(end));
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin, end));
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  return ms;
}

int main(int argc, char** argv) {
  const auto measure = argc > 1 && std::strcmp(argv[1], "wrong") == 0 ? wrong : fixed;
  float* x;
  check(cudaMalloc(&x, n * sizeof(float)));
  check(cudaMemset(x, 0, n * sizeof(float)));
  scale<<<blocks, threads>>>(x);  // the first launch loads the kernel
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  const float ms = measure(x);
  check(cudaDeviceSynchronize());
  std::printf("%.3f ms, %.0f GB/s read and written\n", static_cast<double>(ms), 8e-6 * n / static_cast<double>(ms));
  check(cudaFree(x));
}
