// Are prefix sums the sums of the prefixes? The standard library's, and onefold's.
#include <cstdio>
#include <numeric>
#include <span>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

/// How many results of a scan are not what a reduction of the prefix gives.
template <class Reduce>
std::size_t exceptions(std::span<const float> x, std::span<const float> scan, Reduce reduce) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < x.size(); ++i) found += scan[i] != reduce(x.first(i + 1));
  return found;
}

}  // namespace

int main() {
  std::vector<float> x(10'000), theirs(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0f / static_cast<float>(i + 1);

  std::inclusive_scan(x.begin(), x.end(), theirs.begin());
  const auto reduce = [](std::span<const float> prefix) { return std::reduce(prefix.begin(), prefix.end()); };
  std::printf("std::inclusive_scan, std::reduce: %5zu of %zu prefixes differ\n", exceptions(x, theirs, reduce),
              x.size());

  for (const char* name : {"sequential", "openmp", "tbb", "threads"}) {
    const auto ours = onefold::cumsum(x, {.backend = onefold::backend_named(name), .threads = 2});
    const auto sum = [](std::span<const float> prefix) { return onefold::sum(prefix); };
    std::printf("onefold::cumsum by %-10s sum:  %5zu of %zu prefixes differ\n", name, exceptions(x, ours, sum),
                x.size());
  }
}
