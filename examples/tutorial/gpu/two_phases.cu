// Two ways to add up the sums of blocks: a second kernel, and atomics; each a hundred times over the same data.
#include <set>

#include "check.cuh"

constexpr int threads = 256, blocks = 512;

/// The sum of x over the block's threads, in thread 0.
__device__ float block_sum(float x) {
  __shared__ float shared[threads];
  const unsigned t = threadIdx.x;
  shared[t] = x;
  for (unsigned d = threads / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) shared[t] += shared[t + d];
  }
  return shared[0];
}

/// What a thread adds up: elements one grid apart, so that neighbors load neighbors.
__device__ float thread_sum(const float* x, int n) {
  float s = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) s += x[i];
  return s;
}

/// One sum a block; launched again with one block, the sum of these.
__global__ void sum_blocks(const float* x, int n, float* sums) {
  const float s = block_sum(thread_sum(x, n));
  if (threadIdx.x == 0) sums[blockIdx.x] = s;
}

/// The blocks add to one number, in the order in which they happen to end.
__global__ void sum_atomically(const float* x, int n, float* total) {
  const float s = block_sum(thread_sum(x, n));
  if (threadIdx.x == 0) atomicAdd(total, s);
}

int main() {
  constexpr int n = 1 << 24;
  float *x, *sums;
  check(cudaMallocManaged(&x, n * sizeof(float)));
  check(cudaMallocManaged(&sums, (blocks + 1) * sizeof(float)));
  float* const total = sums + blocks;
  for (int i = 0; i < n; ++i) x[i] = 1.0f / static_cast<float>(i + 1);

  bool same = true;  // for two phases
  for (const bool atomic : {false, true}) {
    std::set<float> seen;
    for (int run = 0; run < 100; ++run) {
      *total = 0;
      if (atomic) {
        sum_atomically<<<blocks, threads>>>(x, n, total);
      } else {
        sum_blocks<<<blocks, threads>>>(x, n, sums);
        sum_blocks<<<1, threads>>>(sums, blocks, total);
      }
      check(cudaGetLastError());
      check(cudaDeviceSynchronize());
      seen.insert(*total);
    }
    if (!atomic) same = seen.size() == 1;
    std::printf("%-10s answers in 100 runs: %zu, from %.9g to %.9g\n", atomic ? "atomics" : "two phases", seen.size(),
                static_cast<double>(*seen.begin()), static_cast<double>(*seen.rbegin()));
  }
  check(cudaFree(x));
  check(cudaFree(sums));
  return same ? 0 : 1;
}
