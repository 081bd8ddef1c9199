// Which thread is it? Grid, block, warp and lane, and the element that each thread takes.
#include "check.cuh"

struct place {
  unsigned block, thread, warp, lane;
};

__global__ void who_takes(place* places, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;  // of all threads of the grid
  if (i >= n) return;                                        // the last block may have threads without an element
  places[i] = {blockIdx.x, threadIdx.x, threadIdx.x / warpSize, threadIdx.x % warpSize};
}

int main() {
  constexpr unsigned n = 300, threads = 128, blocks = (n + threads - 1) / threads;
  place* places;
  check(cudaMallocManaged(&places, n * sizeof(place)));
  who_takes<<<blocks, threads>>>(places, n);
  check(cudaGetLastError());       // was the launch accepted?
  check(cudaDeviceSynchronize());  // has the kernel ended without an error?
  std::printf("%u elements: %u blocks of %u threads, %u of them idle\n", n, blocks, threads, blocks * threads - n);
  for (const unsigned i : {0u, 1u, 31u, 32u, 127u, 128u, 299u})
    std::printf("element %3u: block %u, thread %3u, warp %u, lane %2u\n", i, places[i].block, places[i].thread,
                places[i].warp, places[i].lane);
  check(cudaFree(places));
}
