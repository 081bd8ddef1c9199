// The last block has more threads than there are elements: without a test of the index, and with one.
#include <cstring>

#include "check.cuh"

constexpr int n = 1000, threads = 256, blocks = (n + threads - 1) / threads;

__global__ void wrong(const int* x, int* total) {
  const int i = blockIdx.x * threads + threadIdx.x;
  atomicAdd(total, x[i]);  // threads 232 to 255 of the last block read beyond the end
}

__global__ void fixed(const int* x, int* total) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) atomicAdd(total, x[i]);
}

int main(int argc, char** argv) {
  const auto kernel = argc > 1 && std::strcmp(argv[1], "wrong") == 0 ? wrong : fixed;
  int host[n], *x, *total, result = 0;
  for (int& one : host) one = 1;
  check(cudaMalloc(&x, sizeof host));
  check(cudaMalloc(&total, sizeof(int)));
  check(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
  check(cudaMemset(total, 0, sizeof(int)));
  kernel<<<blocks, threads>>>(x, total);
  check(cudaGetLastError());
  check(cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("sum %d, expected %d\n", result, n);
  check(cudaFree(x));
  check(cudaFree(total));
  return result != n;
}
