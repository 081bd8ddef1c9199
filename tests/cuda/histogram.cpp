// Histograms on the device: of data in memory of every kind, of every element type and at every alignment, the counts
// of the definition, by exact comparisons on the host.
#include "onefold/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "memory.hpp"
#include "onefold/detail/histogram.hpp"
#include "support/bins.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"

namespace {

using onefold::backend;
using onefold::error_code;
using onefold::histogram;
using onefold::options;
using onefold::uniform_bins;
using counts = std::vector<std::int64_t>;

const options on_cuda{.backend = backend::cuda};

const uniform_bins some_bins[] = {{-1, 1, 1},        {0, 1, 10},     {-4, 4, 256},         {0.1, 0.7, 3000},
                                  {-3, 3, 65'537},   {0, 256, 256},  {1e15, 1e15 + 3, 24}, {-0x1p63, 0x1p64, 100},
                                  {-3e38, 3e38, 10}, {0, 1e-309, 10}};

template <class T>
std::int64_t compare(const support::sorted_numbers& here, const std::vector<double>& edges, std::span<const T> there) {
  const auto found = histogram(there, edges, on_cuda);
  CHECK(found.edges == edges);
  CHECK(found.counts == here.counts(edges));
  return 1;
}
template <class T>
std::int64_t compare(const support::sorted_numbers& here, const uniform_bins& bins, std::span<const T> there) {
  const auto found = histogram(there, bins, on_cuda);
  CHECK(found.counts == here.counts(found.edges));
  return 1;
}

/// All elements but those that no bins can span.
template <class T>
std::vector<T> finite(std::vector<T> x) {
  std::erase_if(x, [](T e) { return std::isinf(static_cast<double>(support::value_of(e))); });
  return x;
}

template <class T>
std::int64_t compare_all(std::int64_t n, std::int64_t offset) {
  const auto all = support::elements_for_bins<T>(n, static_cast<std::uint64_t>(n + offset));
  const std::span<const T> here(all);
  const support::copied<T> device(here, support::memory_kind::device, offset * static_cast<std::int64_t>(sizeof(T)));
  const std::span<const T> there(device.data(), all.size());
  INFO(onefold::name_of(onefold::dtype_of<T>) << ", " << n << " elements from " << offset);
  const support::sorted_numbers numbers(here);
  std::int64_t compared = 0;
  for (const auto& edges : support::edges_for_bins()) {
    INFO(edges.size() - 1 << " bins from " << edges.front() << " to " << edges.back());
    compared += compare(numbers, edges, there);
  }
  for (const auto& bins : some_bins) {
    INFO(bins.count << " equal bins from " << bins.low << " to " << bins.high);
    compared += compare(numbers, bins, there);
  }
  // From the smallest to the largest element.
  const auto finite_ones = finite(all);
  const support::copied<T> far_numbers{std::span<const T>(finite_ones)};
  const auto spanned = histogram(std::span<const T>(far_numbers.data(), finite_ones.size()), 33, on_cuda);
  const auto by_cpu = histogram(finite_ones, 33, {.backend = backend::sequential});
  CHECK(spanned.edges == by_cpu.edges);
  CHECK(spanned.counts == support::counts_by_definition(std::span<const T>(finite_ones), by_cpu.edges));
  return compared + 1;
}

}  // namespace

TEST_CASE("some histograms", "[small]") {
  CHECK(compare_all<float>(1000, 1) + compare_all<std::int64_t>(33, 0) + compare_all<onefold::bf16>(200, 3) +
            compare_all<std::uint8_t>(1000, 1) ==
        4 * 22);
}

TEST_CASE("histograms of every element type") {
  std::int64_t compared = 0;
  onefold::for_each_type(onefold::element_types{}, [&]<class T>() {
    for (const std::int64_t n : {1, 31, 32, 33, 1000})
      for (const std::int64_t offset : {0, 1, 3}) compared += compare_all<T>(n, offset);
    compared += compare_all<T>(1'000'007, 1);
  });
  CHECK(compared == 12 * 16 * 22);
}

TEST_CASE("histograms of no elements") {
  const support::copied<float> x(std::vector<float>{1});
  const std::span<const float> none(x.data(), 0);
  CHECK(histogram(none, std::vector{0.0, 1.0, 2.0}, on_cuda).counts == counts{0, 0});
  CHECK(histogram(none, 2, on_cuda).edges == std::vector{0.0, 0.5, 1.0});
}

TEST_CASE("histograms of memory of every kind, in several pieces") {
  const auto here = support::elements_for_bins<float>(9'000'001, 5);  // 36 MB
  const std::span<const float> x(here);
  const uniform_bins bins{-3, 3, 1000};
  const auto wanted = support::counts_by_definition(x, histogram(std::vector<float>{}, bins).edges);
  CHECK(histogram(x, bins, on_cuda).counts == wanted);
  CHECK(histogram(x.subspan(1), bins, on_cuda).counts ==
        support::counts_by_definition(x.subspan(1), histogram(std::vector<float>{}, bins).edges));
  for (const auto kind : {support::memory_kind::device, support::memory_kind::managed, support::memory_kind::pinned}) {
    const support::copied<float> there(x, kind, 4);
    const std::span<const float> y(there.data(), x.size());
    CHECK(histogram(y, bins, on_cuda).counts == wanted);
    CHECK(histogram(y, bins).counts == wanted);  // by whichever backend reads it
  }
}

TEST_CASE("histograms of elements that are all in one bin, or sorted") {
  std::vector<float> x(3'000'000);
  for (const std::int64_t bins : {1, 16, 1000, 65'537, 5'000'000}) {
    INFO(bins << " bins");
    std::fill(x.begin(), x.end(), 0.5f);
    const support::copied<float> equal{std::span<const float>(x)};
    const uniform_bins of{0, 1, bins};
    const auto found = histogram(std::span<const float>(equal.data(), x.size()), of, on_cuda);
    CHECK(*std::max_element(found.counts.begin(), found.counts.end()) == 3'000'000);
    CHECK(std::accumulate(found.counts.begin(), found.counts.end(), std::int64_t{0}) == 3'000'000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) / 3e6f;
    const support::copied<float> sorted{std::span<const float>(x)};
    const std::span<const float> there(sorted.data(), x.size());
    CHECK(histogram(there, of, on_cuda).counts == histogram(x, of, {.backend = backend::sequential}).counts);
    CHECK(histogram(there, found.edges, on_cuda).counts == histogram(there, of, on_cuda).counts);
  }
}

TEST_CASE("histograms of bytes that are equal, beside others") {
  std::vector<std::uint8_t> x(3'000'011, 7);
  for (std::size_t i = 0; i < x.size(); i += 1009) x[i] = static_cast<std::uint8_t>(i % 256);
  for (std::size_t i = 1'500'000; i < x.size(); ++i) x[i] = static_cast<std::uint8_t>(i % 4);  // words are equal
  const uniform_bins of{0, 256, 256};
  for (const std::int64_t offset : {0, 1, 15}) {
    const support::copied<std::uint8_t> there{std::span<const std::uint8_t>(x), support::memory_kind::device, offset};
    const auto found = histogram(std::span<const std::uint8_t>(there.data(), x.size()), of, on_cuda);
    CHECK(found.counts == support::counts_by_definition(std::span<const std::uint8_t>(x), found.edges));
  }
}

TEST_CASE("counts above 2^32") {
  const std::int64_t n = (std::int64_t{1} << 32) + 12'345;
  const support::memory x(support::memory_kind::device, n);
  support::cuda(cudaMemset(x.at(), 3, static_cast<std::size_t>(n)));
  const auto found = histogram(std::span<const std::uint8_t>(x.at<std::uint8_t>(), static_cast<std::size_t>(n)),
                               uniform_bins{0, 4, 4}, on_cuda);
  CHECK(found.counts == counts{0, 0, 0, n});
  // The same bytes as f32: 2^30 elements, all in one bin.
  const auto wide = histogram(std::span<const float>(x.at<float>(), static_cast<std::size_t>(n / 4)),
                              uniform_bins{-1, 1, 2}, on_cuda);
  CHECK(wide.counts == counts{0, n / 4});
}

TEST_CASE("the device is chosen for its data, and reported") {
  const std::vector<float> x{0.5f, 1, 2};
  const support::copied<float> there{std::span<const float>(x)};
  const double edges[] = {0, 1, 2};
  counts found(2);
  onefold::run_report ran;
  const auto count = [&](const float* data, const options& how) {
    onefold::detail::count_in_bins(onefold::dtype::f32, data, 3, edges, onefold::detail::bin_widths::any, found.data(),
                                   how, &ran);
    CHECK(found == counts{1, 2});
    return ran.backend;
  };
  CHECK(count(there.data(), {}) == backend::cuda);
  CHECK(ran.device >= 0);
  CHECK(count(x.data(), on_cuda) == backend::cuda);
  CHECK(count(x.data(), {}) != backend::cuda);
}

TEST_CASE("histograms that are refused") {
  const std::vector<float> x{1, std::numeric_limits<float>::infinity()};
  const support::copied<float> there{std::span<const float>(x)},
      odd{std::span<const float>(x), support::memory_kind::device, 2};
  const std::span<const float> data(there.data(), 2);
  const auto refuses = [](error_code code, const char* what, const auto& call) {
    support::check_error(code, what, call);
  };
  refuses(error_code::invalid_argument, "from 1 to inf", [&] { histogram(data, 3, on_cuda); });
  refuses(error_code::invalid_argument, "edge 1 of the bins is NaN", [&] {
    histogram(data, std::vector{0.0, std::nan(""), 1.0}, on_cuda);
  });
  refuses(error_code::invalid_argument, "the data is in device memory, which backend sequential cannot read", [&] {
    histogram(data, uniform_bins{0, 1, 3}, {.backend = backend::sequential});
  });
  refuses(error_code::invalid_argument, "the data is not aligned to 4 bytes", [&] {
    histogram(std::span<const float>(odd.data(), 2), {0, 1, 3}, on_cuda);
  });
  refuses(error_code::unsupported, "a histogram is computed on one device; name one of them", [&] {
    histogram(x, uniform_bins{0, 1, 3}, {.backend = backend::cuda, .devices = {0, 1}});
  });
  refuses(error_code::unsupported, "kernel shuffle does not compute histograms; use canonical", [&] {
    histogram(data, uniform_bins{0, 1, 3}, {.backend = backend::cuda, .kernel = onefold::kernel::shuffle});
  });
  refuses(error_code::invalid_argument, "device = 63 is out of range", [&] {
    histogram(data, uniform_bins{0, 1, 3}, {.backend = backend::cuda, .device = 63});
  });
}
