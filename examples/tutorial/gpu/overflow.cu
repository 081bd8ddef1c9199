// A sum of ints in an int, and in 64 bits.
#include <cstring>

#include "check.cuh"

constexpr int n = 1 << 20, threads = 256;

__global__ void wrong(const int* x, int* total) { atomicAdd(total, x[blockIdx.x * threads + threadIdx.x]); }

__global__ void fixed(const int* x, unsigned long long* total) {
  const long long wide = x[blockIdx.x * threads + threadIdx.x];  // its sign first, then modulo 2^64
  atomicAdd(total, static_cast<unsigned long long>(wide));
}

int main(int argc, char** argv) {
  int *x, *narrow;
  unsigned long long* wide;
  check(cudaMallocManaged(&x, n * sizeof(int)));
  check(cudaMallocManaged(&narrow, sizeof(int)));
  check(cudaMallocManaged(&wide, sizeof(long long)));
  for (int i = 0; i < n; ++i) x[i] = 5000;
  *narrow = 0;
  *wide = 0;
  const bool as_int = argc > 1 && std::strcmp(argv[1], "wrong") == 0;
  if (as_int)
    wrong<<<n / threads, threads>>>(x, narrow);
  else
    fixed<<<n / threads, threads>>>(x, wide);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  const long long sum = as_int ? *narrow : static_cast<long long>(*wide);
  std::printf("sum %lld, expected %lld\n", sum, 5000LL * n);
  check(cudaFree(x));
  check(cudaFree(narrow));
  check(cudaFree(wide));
  return sum != 5000LL * n;
}
