// A first reduction: the same sum by every backend of the CPU, and what an application learns about each run.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "onefold/onefold.hpp"

int main() {
  std::vector<float> data(1'000'000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = 1.0f / static_cast<float>(i + 1);

  std::printf("sum %.9g, largest %g\n", static_cast<double>(onefold::sum(data)),
              static_cast<double>(onefold::max(data)));

  for (const char* name : {"sequential", "openmp", "tbb", "threads"}) {
    const onefold::options how{.backend = onefold::backend_named(name), .threads = 2};
    const auto r = onefold::try_reduce<float, onefold::op::sum>(data, how);
    if (r)
      std::printf("%-10s %.9g, bits %08x\n", name, static_cast<double>(*r), std::bit_cast<std::uint32_t>(*r));
    else
      std::printf("%-10s %s\n", name, r.error().what());
  }

  const auto r = onefold::reduce_reported<float, onefold::op::sum>(data);
  std::printf("here: %s, %d threads, %s\n", onefold::name_of(r.ran.backend), r.ran.threads,
              onefold::name_of(r.ran.isa));
}
