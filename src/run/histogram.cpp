// Histograms: the edges of bins, and the bin of each element on a CPU. Compiled without fused multiply-additions, which
// would move edges.
#include "onefold/detail/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <string>
#include <type_traits>

#include "cpu.hpp"
#include "onefold/catalog.hpp"
#include "onefold/dynamic.hpp"
#include "quantity.hpp"
#include "run/as_f64.hpp"
#include "run/bin_counts.hpp"
#include "run/checks.hpp"
#include "run/cpu_team.hpp"
#include "run/device_histogram.hpp"
#include "run/ordered_keys.hpp"

namespace onefold::detail {
namespace {

std::string number_text(double x) { return scalar{"", dtype::f64, std::bit_cast<std::uint64_t>(x)}.text(); }

void check_edges(std::span<const double> edges) {
  if (edges.size() < 2) refuse("bins have at least 2 edges, but " + there_are(edges.size(), "edge"));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (std::isnan(edges[i])) refuse("edge " + std::to_string(i) + " of the bins is NaN");
    if (i > 0 && edges[i] < edges[i - 1])
      refuse("edge " + std::to_string(i) + " of the bins, " + number_text(edges[i]) + ", is below the one before it, " +
             number_text(edges[i - 1]));
  }
}

/// The element as f64; on the side that is named if f64 does not have it.
template <class T>
double outside_of(T x, bool above) {
  const double near = as_f64(x);
  if constexpr (is_integer<T> && sizeof(T) == 8) {
    __extension__ using wide_integer = __int128;
    const auto rounded = static_cast<wide_integer>(near);
    if (above ? rounded < x : rounded > x) return std::nextafter(near, above ? HUGE_VAL : -HUGE_VAL);
  }
  return near;
}

}  // namespace

std::vector<double> uniform_edges(uniform_bins bins) {
  const float_environment ieee;
  if (bins.count < 1) refuse("a histogram has at least 1 bin, not " + std::to_string(bins.count));
  const std::string ends = "from " + number_text(bins.low) + " to " + number_text(bins.high);
  if (!std::isfinite(bins.low) || !std::isfinite(bins.high) || !(bins.low <= bins.high))
    refuse("bins have finite ends that ascend, not " + ends);
  if (bins.low == bins.high) {
    const double low = std::fabs(bins.low), ulp = std::nextafter(low, HUGE_VAL) - low;
    const double width = ulp * static_cast<double>(bins.count);  // of bins that f64 tells apart
    const double apart = width > 1 ? width : 0.5;
    bins = {bins.low - apart, bins.high + apart, bins.count};
  }
  const double width = (bins.high - bins.low) / static_cast<double>(bins.count);
  if (!std::isfinite(width)) refuse("the bins " + ends + " are wider together than any f64");
  const std::string too_many = quantity(bins.count, "bin") + " " + ends + " are too many for f64: edges are equal";
  if (bins.count > std::int64_t{1} << 53) refuse(too_many);
  std::vector<double> edges;
  try {
    edges.resize(static_cast<std::size_t>(bins.count) + 1);
  } catch (const std::bad_alloc&) {
    refuse("not enough memory for " + quantity(bins.count, "bin"));
  }
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) edges[i] = bins.low + static_cast<double>(i) * width;
  edges.back() = bins.high;
  if (std::ranges::adjacent_find(edges, std::greater_equal{}) != edges.end()) refuse(too_many);
  return edges;
}

uniform_bins bins_of(dtype element, const void* data, std::int64_t n, std::int64_t count, const options& how) {
  const float_environment ieee;
  static_cast<void>(choose_for_histogram(element, data, n, how, nullptr));  // throws what count_in_bins would
  uniform_bins bins{0, 1, count};
  options native = how;
  native.accuracy = accuracy::native;
  native.init = {};
  for_each_type(element_types{}, [&]<class T>() {
    if (dtype_of<T> != element || n == 0) return;
    const auto extreme = [&](int operation) {
      return std::bit_cast<T>(
          static_cast<word_of<T>>(reduce_dynamic(operation, element, data, n, native).values.front().bits));
    };
    const T least = extreme(operation_index<op::fmin>), largest = extreme(operation_index<op::fmax>);
    const bool all_equal = std::bit_cast<word_of<T>>(least) == std::bit_cast<word_of<T>>(largest);
    bins.low = all_equal ? as_f64(least) : outside_of(least, false);
    bins.high = all_equal ? bins.low : outside_of(largest, true);
  });
  if (!std::isfinite(bins.low) || !std::isfinite(bins.high))
    refuse("the elements are from " + number_text(bins.low) + " to " + number_text(bins.high) +
           "; name the finite ends of the bins");
  return bins;
}

void count_in_bins(dtype element, const void* data, std::int64_t n, std::span<const double> edges, bin_widths widths,
                   std::int64_t* counts, const options& how, run_report* ran) {
  const float_environment ieee;
  check_edges(edges);
  const choice c = choose_for_histogram(element, data, n, how, ran);
  if (c.accelerator) return count_on_device(c, data, edges, widths, counts, ran);
  const cpu_team opened(c, n, ran);
  const int counted = count_by_threads(element, data, n, edges, widths, opened.threads(), counts);
  if (ran) ran->threads = counted;
}

}  // namespace onefold::detail
