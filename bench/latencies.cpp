// Records how long single calls of the library take, as a file of real data.
#include "latencies.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "onefold/onefold.hpp"

namespace bench {
namespace {

constexpr std::int64_t elements = 1024;  // of the array that each call sums
constexpr std::size_t header_bytes = 128;
constexpr std::size_t calls = (4'000'000 - header_bytes) / sizeof(float);

std::vector<float> measure() {
  const std::vector<float> data(elements, 1.0f);
  onefold::plan<float, onefold::op::sum> sum(elements);
  std::vector<float> nanoseconds(calls);
  using clock = std::chrono::steady_clock;
  auto before = clock::now();
  for (float& x : nanoseconds) {
    benchmark::DoNotOptimize(sum(data.data(), elements));
    const auto after = clock::now();
    x = static_cast<float>(std::chrono::duration_cast<std::chrono::nanoseconds>(after - before).count());
    before = after;
  }
  return nanoseconds;
}

// The .npy format, version 1.0, of a one-dimensional little-endian f32 array (numpy.lib.format).
void write_npy(const std::string& path, const std::vector<float>& values) {
  std::string header("\x93NUMPY\x01\x00", 8);
  header += {static_cast<char>(header_bytes - 10), 0};
  header += "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",), }";
  header.resize(header_bytes - 1, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(float)));
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace

void record_latencies(const std::string& path) { write_npy(path, measure()); }

}  // namespace bench
