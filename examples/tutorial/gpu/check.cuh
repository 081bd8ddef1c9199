// How the tutorial's programs for a GPU deal with errors.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

/// Ends the program where a call of CUDA's failed; with code 77, which tests count as skipped, where there is no GPU.
inline void check(cudaError_t e) {
  if (e == cudaSuccess) return;
  const bool missing = e == cudaErrorNoDevice || e == cudaErrorInsufficientDriver;
  std::printf("%s%s\n", missing ? "skipped: " : "", cudaGetErrorString(e));
  std::exit(missing ? 77 : 1);
}
