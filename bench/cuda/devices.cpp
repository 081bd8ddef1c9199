// How reductions scale with GPUs: one array of parts, of which each device has one in its memory (weak scaling), and
// one array in pinned host memory that the devices share (strong scaling).
//
// usage: onefold_devices_speed [LOG2 of f32 elements a device] [RUNS]. Prints the median milliseconds of a call and the
// speed over that of one device; the bits are compared with those of one device.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "onefold/onefold.hpp"
#include "onefold/partial.hpp"

namespace {

using onefold::op::sum;

void require(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::printf("CUDA: %s\n", cudaGetErrorString(e));
  std::exit(1);
}

/// The median seconds of a call, after a few that warm up.
template <class Call>
double seconds(int runs, const Call& call) {
  std::vector<double> all;
  for (int i = -3; i < runs; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (i >= 0) all.push_back(took.count());
  }
  std::ranges::sort(all);
  return all[all.size() / 2];
}

void print(const char* what, int devices, double time, double speedup, std::int64_t bytes, bool same) {
  std::printf("%-22s %d device%s %9.3f ms %8.1f GB/s  speed-up %5.2f  bits %s\n", what, devices,
              devices == 1 ? " " : "s", 1e3 * time, static_cast<double>(bytes) / time / 1e9, speedup,
              same ? "equal" : "DIFFER");
}

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t n = std::int64_t{1} << (argc > 1 ? std::atoi(argv[1]) : 30);
  const int runs = argc > 2 ? std::atoi(argv[2]) : 20;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::puts("skipped: no GPU");
    return 0;
  }
  const auto bytes = static_cast<std::size_t>(n) * sizeof(float);
  float* host = nullptr;
  require(cudaHostAlloc(reinterpret_cast<void**>(&host), bytes, cudaHostAllocPortable));
  for (std::int64_t i = 0; i < n; ++i) host[i] = 1 / static_cast<float>(i % 1'000'003 + 1);
  std::vector<std::span<const float>> parts;
  for (int d = 0; d < count; ++d) {
    float* data = nullptr;
    require(cudaSetDevice(d));
    require(cudaMalloc(reinterpret_cast<void**>(&data), bytes));
    require(cudaMemcpy(data, host, bytes, cudaMemcpyHostToDevice));
    parts.emplace_back(data, static_cast<std::size_t>(n));
  }
  require(cudaSetDevice(0));

  double one = 0;
  for (int devices = 1; devices <= count; devices *= 2) {
    const std::span<const std::span<const float>> used = std::span(parts).first(static_cast<std::size_t>(devices));
    const std::vector<std::span<const float>> on_host(static_cast<std::size_t>(devices),
                                                      {host, static_cast<std::size_t>(n)});
    const float wanted = onefold::reduce_parts<float, sum>(on_host);
    float got = 0;
    const double time = seconds(runs, [&] { got = onefold::reduce_parts<float, sum>(used); });
    if (devices == 1) one = time;
    print("parts on the devices", devices, time, devices * one / time, devices * n * 4, bits(got) == bits(wanted));
  }
  const std::span<const float> shared(host, static_cast<std::size_t>(n));
  const float wanted = onefold::sum(shared, {.backend = onefold::backend::cpu});
  for (int devices = 1; devices <= count; devices *= 2) {
    onefold::options how{.backend = onefold::backend::cuda};
    for (int d = 0; d < devices; ++d) how.devices.insert(d);
    onefold::plan<float, sum> plan(n, how);
    float got = 0;
    const double time = seconds(std::max(3, runs / 4), [&] { got = plan(shared); });
    if (devices == 1) one = time;
    print("pinned host memory", devices, time, one / time, n * 4, bits(got) == bits(wanted));
  }
}
