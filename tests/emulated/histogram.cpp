// The kernels of the CUDA backend that count elements in bins, run on the CPU: with counters in shared memory, in
// that of several blocks and in global memory, by every search, they count what the definition says.
#include "emulation.hpp"
#include "histogram_launch.cuh"

#include <algorithm>
#include <vector>

#include "onefold/histogram.hpp"
#include "run/bin_limits.hpp"
#include "support/bins.hpp"
#include "support/catch.hpp"

namespace {

using namespace onefold;

/// A small device: the shared memory of a block, and how many multiprocessors there are.
int shared_bytes = 0, processors = 0;
std::int64_t launched = 0;

/// The counts of bins between edges, as an accelerator finds them.
template <class T>
std::vector<std::int64_t> counted(std::span<const T> x, std::span<const double> edges, detail::bin_widths widths) {
  std::vector<std::int64_t> counts(edges.size() - 1);
  const detail::bin_limits of = detail::limits_of(dtype_of<T>, edges, widths);
  if (of.first.empty()) return counts;
  const bin_request what{sizeof(bin_request),  dtype_of<T>, x.data(), std::ssize(x), of.first.data(), of.last,
                         std::ssize(of.first), of.guess,    -1};
  std::vector<std::int64_t> slots(static_cast<std::size_t>(cuda::slots_of(what.element, what.bins)), 5);
  const cuda::device_bins bins{what.element, what.limits, what.limits[0], what.last,   what.bins,
                               what.guess,   processors,  shared_bytes,   slots.data()};
  emulation::most_launched = shared_bytes;
  const std::int64_t some = what.n / 2;  // in two halves, where there are two elements or more
  if (some > 0) REQUIRE(cuda::launch_all(bins, x.data(), some, cuda::counting::anew, nullptr) == cudaSuccess);
  REQUIRE(cuda::launch_all(bins, x.data() + some, what.n - some, some > 0 ? cuda::counting::on : cuda::counting::anew,
                           nullptr) == cudaSuccess);
  cuda::copy_bins(what, slots.data(), counts.data());
  ++launched;
  return counts;
}

struct machine {
  int processors, shared_bytes;
};
const machine machines[] = {{3, 40'000}, {20, 3000}, {4, 1100}, {1, 100'000}};

}  // namespace

TEST_CASE("elements are counted in the bins of the definition") {
  std::int64_t compared = 0;
  for_each_type(element_types{}, [&]<class T>() {
    for (const machine& m : machines) {
      processors = m.processors;
      shared_bytes = m.shared_bytes;
      for (const std::int64_t n : {1, 31, 32, 33, 1000, 40'007}) {
        const auto all = support::elements_for_bins<T>(n + 3, static_cast<std::uint64_t>(n));
        for (const std::int64_t offset : {0, 1, 3}) {
          if (n == 40'007 && offset != 1) continue;
          const auto x = std::span(all).subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(n));
          const support::sorted_numbers numbers(x);
          INFO(name_of(dtype_of<T>) << ", " << n << " elements from " << offset << ", " << m.shared_bytes << " bytes");
          for (const auto& edges : support::edges_for_bins()) {
            INFO(edges.size() - 1 << " bins from " << edges.front() << " to " << edges.back());
            CHECK(counted(x, edges, detail::bin_widths::any) == numbers.counts(edges));
            ++compared;
          }
          // 3000 bytes have counters of 747 bins.
          for (const uniform_bins bins :
               {uniform_bins{-1, 1, 1}, uniform_bins{0, 1, 10}, uniform_bins{-4, 4, 256}, uniform_bins{0.1, 0.7, 3000},
                uniform_bins{-3, 3, 65'537}, uniform_bins{1e15, 1e15 + 3, 24}, uniform_bins{-1e308, 7e307, 11},
                uniform_bins{0, 1e-309, 10}, uniform_bins{0, 256, 256}, uniform_bins{-0x1p63, 0x1p64, 100},
                uniform_bins{100, 101, 7}, uniform_bins{0, 1, 747}, uniform_bins{0, 1, 748},
                uniform_bins{-3e38, 3e38, 10}}) {
            if (bins.count > 5000 && n > 1000 && m.processors != 20) continue;
            const auto edges = detail::uniform_edges(bins);
            INFO(bins.count << " equal bins from " << bins.low << " to " << bins.high);
            CHECK(counted(x, edges, detail::bin_widths::equal) == numbers.counts(edges));
            ++compared;
          }
        }
      }
    }
  });
  CHECK(compared > 10'000);
  CHECK(launched > 8000);
}

TEST_CASE("elements at the edges of equal bins and beside them") {
  processors = 2;
  shared_bytes = 60'000;
  const auto compare = []<class T>(const uniform_bins& bins, T) {
    const auto edges = detail::uniform_edges(bins);
    std::vector<T> x;
    for (const double e : edges)
      for (T near : {std::nextafter(static_cast<T>(e), static_cast<T>(-HUGE_VAL)), static_cast<T>(e),
                     std::nextafter(static_cast<T>(e), static_cast<T>(HUGE_VAL))})
        x.push_back(near);
    INFO(bins.count << " bins from " << bins.low << " to " << bins.high);
    CHECK(counted(std::span<const T>(x), edges, detail::bin_widths::equal) ==
          support::counts_by_definition(std::span<const T>(x), edges));
  };
  for (const std::int64_t count : {1, 3, 10, 100, 1000, 10'000})
    for (const auto& [low, high] : {std::pair{0.0, 1.0},
                                    {-1.0, 1.0},
                                    {0.1, 0.7},
                                    {-1e6, 3.0},
                                    {1e6, 1e6 + 1},
                                    {-1e38, 3e38},
                                    {1e-38, 1e-37},
                                    {0.0, 1e-40}}) {
      compare({low, high, count}, 0.0f);
      compare({low, high, count}, 0.0);
    }
}

TEST_CASE("all elements in one bin") {
  processors = 6;
  for (const int bytes : {50'000, 2000, 100}) {
    shared_bytes = bytes;
    const std::vector<float> x(100'003, 0.5f);
    const auto edges = detail::uniform_edges({0, 1, 1000});
    for (const auto widths : {detail::bin_widths::equal, detail::bin_widths::any}) {
      const auto counts = counted(std::span(x), edges, widths);
      CHECK(counts[500] == 100'003);
      CHECK(std::ranges::count(counts, 0) == 999);
    }
  }
}

TEST_CASE("bytes that are equal, beside others") {
  processors = 3;
  shared_bytes = 50'000;
  std::vector<std::uint8_t> x(100'003, 7);
  for (std::size_t i = 0; i < x.size(); i += 1009) x[i] = static_cast<std::uint8_t>(i % 256);
  for (std::size_t i = 50'000; i < x.size(); ++i) x[i] = static_cast<std::uint8_t>(i % 4);  // words are equal
  const auto edges = detail::uniform_edges({0, 256, 256});
  for (std::size_t offset = 0; offset < 16; ++offset) {
    const auto some = std::span<const std::uint8_t>(x).subspan(offset);
    CHECK(counted(some, edges, detail::bin_widths::equal) == support::counts_by_definition(some, edges));
  }
}
