// The elementary functions on the device: the checksums that the CPU's results have, over all f32 and many f64.
#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

#include "onefold/math.hpp"

#include "../math/checksums.hpp"
#include "../math/functions.hpp"
#include "support/catch.hpp"

namespace {

#define ONEFOLD_MATH_CALL(f)      \
  struct call_##f {               \
    template <class V>            \
    static __device__ V of(V x) { \
      return onefold::f(x);       \
    }                             \
  };
ONEFOLD_MATH_FUNCTIONS(ONEFOLD_MATH_CALL)
#undef ONEFOLD_MATH_CALL

/// Adds the checksum over n arguments, whose bits are first + i * step, to *total.
template <class F, class T, class Bits>
__global__ void sum_shares(Bits first, Bits step, std::int64_t n, unsigned long long* total) {
  std::uint64_t sum = 0;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    const Bits argument = first + static_cast<Bits>(i) * step;
    const T y = F::of(__builtin_bit_cast(T, argument));
    sum += math::share(argument, __builtin_bit_cast(Bits, y));
  }
  atomicAdd(total, static_cast<unsigned long long>(sum));
}

/// The function's results themselves, for a message that says which one differs.
template <class F>
__global__ void results(std::uint32_t first, std::uint32_t n, float* out) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = F::of(__builtin_bit_cast(float, first + i));
}

void ok(cudaError_t e) {
  INFO(cudaGetErrorString(e));
  REQUIRE(e == cudaSuccess);
}

template <class F, class T, class Bits>
std::uint64_t checksum(Bits first, Bits step, std::int64_t n) {
  unsigned long long *total = nullptr, sum = 0;
  ok(cudaMalloc(&total, sizeof sum));
  ok(cudaMemset(total, 0, sizeof sum));
  sum_shares<F, T><<<1024, 256>>>(first, step, n, total);
  ok(cudaGetLastError());
  ok(cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost));
  ok(cudaFree(total));
  return sum;
}

/// The first argument of a block for which the device and the CPU differ.
template <class F>
std::string first_difference(const char* name, std::uint32_t first) {
  constexpr std::uint32_t n = math::block_size;
  float* out = nullptr;
  ok(cudaMalloc(&out, n * sizeof(float)));
  results<F><<<1024, 256>>>(first, n, out);
  std::vector<std::uint32_t> x(n), device(n), host(n);
  ok(cudaMemcpy(device.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
  ok(cudaFree(out));
  for (std::uint32_t i = 0; i < n; ++i) x[i] = first + i;
  math::best_level().of(name, 4).run(x.data(), host.data(), n);
  for (std::uint32_t i = 0; i < n; ++i)
    if (device[i] != host[i])
      return "of bits " + std::to_string(x[i]) + ": bits " + std::to_string(device[i]) + " on the device, " +
             std::to_string(host[i]) + " on the CPU";
  return "none: the record is another one's";
}

template <class F>
void check_function(const char* name, int index) {
  for (const math::golden& g : math::recorded) {
    if (std::string(g.function) != name) continue;
    INFO(name << " of " << g.bytes << " bytes");
    if (g.bytes == 4)
      CHECK(checksum<F, float, std::uint32_t>(0, math::argument32(1), math::arguments32) == g.sum);
    else
      CHECK(checksum<F, double, std::uint64_t>(0, math::argument64(1), math::arguments64) == g.sum);
  }
  for (int block = 0; block < math::blocks; ++block) {
    const std::uint32_t first = static_cast<std::uint32_t>(block) << 24;
    const auto sum = static_cast<std::uint32_t>(checksum<F, float, std::uint32_t>(first, 1, math::block_size));
    if (sum != math::recorded_blocks[block][index]) {
      FAIL_CHECK(name << ", block " << block << ": first difference " << first_difference<F>(name, first));
      return;
    }
  }
}

}  // namespace

TEST_CASE("the device has the recorded bits of all f32 arguments, and of many f64") {
  int index = 0;
#define ONEFOLD_MATH_CHECK(f) check_function<call_##f>(#f, index++);
  ONEFOLD_MATH_FUNCTIONS(ONEFOLD_MATH_CHECK)
#undef ONEFOLD_MATH_CHECK
  CHECK(index == math::functions);
}
