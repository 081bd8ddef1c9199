// A tree in shared memory without the barrier between its steps, and with it.
#include <cstring>

#include "check.cuh"

constexpr unsigned threads = 256;
constexpr int blocks = 1024;

__global__ void wrong(const float* x, float* sums) {
  __shared__ float shared[threads];
  const unsigned t = threadIdx.x;
  shared[t] = x[blockIdx.x * threads + t];
  for (unsigned d = threads / 2; d > 0; d /= 2)
    if (t < d) shared[t] += shared[t + d];  // has the other warp written it yet?
  if (t == 0) sums[blockIdx.x] = shared[0];
}

__global__ void fixed(const float* x, float* sums) {
  __shared__ float shared[threads];
  const unsigned t = threadIdx.x;
  shared[t] = x[blockIdx.x * threads + t];
  for (unsigned d = threads / 2; d > 0; d /= 2) {
    __syncthreads();  // before each step, all of the one before is there
    if (t < d) shared[t] += shared[t + d];
  }
  if (t == 0) sums[blockIdx.x] = shared[0];
}

int main(int argc, char** argv) {
  const auto kernel = argc > 1 && std::strcmp(argv[1], "wrong") == 0 ? wrong : fixed;
  float *x, *sums;
  check(cudaMallocManaged(&x, blocks * threads * sizeof(float)));
  check(cudaMallocManaged(&sums, blocks * sizeof(float)));
  for (unsigned i = 0; i < blocks * threads; ++i) x[i] = 1;
  kernel<<<blocks, threads>>>(x, sums);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  int bad = 0;
  for (int b = 0; b < blocks; ++b) bad += sums[b] != threads;
  std::printf("%d of %d blocks have a wrong sum\n", bad, blocks);
  check(cudaFree(x));
  check(cudaFree(sums));
  return bad > 0;
}
