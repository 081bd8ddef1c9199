// Operations of vectors and order statistics as the standard library has them, or a loop.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "../operations.hpp"
#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

/// Adds one peer's function of n elements to a row.
template <class T, double (*Function)(const T*, std::int64_t)>
void list_operation(const char* row, const char* name) {
  listed().push_back({row, type_name<T>, name, runtime::none,
                      [](const void* data, std::int64_t n, int) { return Function(static_cast<const T*>(data), n); }});
}

template <class T>
T products(const T* x, const T* y, std::int64_t n) {
  return std::transform_reduce(x, x + n, y, T{});
}
template <class T>
double dot(const T* x, std::int64_t n) {
  return products(x, x + n / 2, n / 2);
}
template <class T>
double distance(const T* x, std::int64_t n) {
  return std::sqrt(
      std::transform_reduce(x, x + n / 2, x + n / 2, T{}, std::plus{}, [](T a, T b) { return (a - b) * (a - b); }));
}
template <class T>
double cosine(const T* x, std::int64_t n) {
  const std::int64_t half = n / 2;
  const T* const y = x + half;
  return products(x, y, half) / std::sqrt(products(x, x, half) * products(y, y, half));
}
template <class T>
double weighted_mean(const T* x, std::int64_t n) {
  const std::int64_t half = n / 2;
  return products(x, x + half, half) / std::reduce(x + half, x + n);
}
/// The sums of products of distances from the means.
struct comoments {
  double xx, xy, yy;
};
template <class T>
comoments comoments_of(const T* x, std::int64_t n) {
  const T* const y = x + n / 2;
  n /= 2;
  const double mx = std::accumulate(x, x + n, 0.0) / static_cast<double>(n),
               my = std::accumulate(y, y + n, 0.0) / static_cast<double>(n);
  comoments sums{};
  for (std::int64_t i = 0; i < n; ++i) {
    const double u = x[i] - mx, v = y[i] - my;
    sums.xx += u * u;
    sums.xy += u * v;
    sums.yy += v * v;
  }
  return sums;
}
template <class T>
double covariance(const T* x, std::int64_t n) {
  return comoments_of(x, n).xy / static_cast<double>(n / 2);
}
template <class T>
double correlation(const T* x, std::int64_t n) {
  const comoments of = comoments_of(x, n);
  return of.xy / std::sqrt(of.xx * of.yy);
}
template <class T>
double norm_inf(const T* x, std::int64_t n) {
  return std::transform_reduce(
      x, x + n, T{}, [](T a, T b) { return std::max(a, b); }, [](T e) { return std::abs(e); });
}
template <class T>
double ptp(const T* x, std::int64_t n) {
  T low = x[0], high = x[0];
  for (std::int64_t i = 1; i < n; ++i) {
    low = std::min(low, x[i]);
    high = std::max(high, x[i]);
  }
  return high - low;
}
template <class T>
double summary(const T* x, std::int64_t n) {
  double sum = 0, squares = 0;
  T low = x[0], high = x[0];
  for (std::int64_t i = 0; i < n; ++i) {
    sum += x[i];
    squares += double{x[i]} * x[i];
    low = std::min(low, x[i]);
    high = std::max(high, x[i]);
  }
  const double mean = sum / static_cast<double>(n);
  return low + 2 * double{high} + mean + (squares / static_cast<double>(n) - mean * mean);
}
template <class T>
double squares(const T* x, std::int64_t n) {
  return std::transform_reduce(x, x + n, T{}, std::plus{}, [](T e) { return e * e; });
}
template <class T>
double norm1(const T* x, std::int64_t n) {
  return std::transform_reduce(x, x + n, T{}, std::plus{}, [](T e) { return std::abs(e); });
}
template <class T>
double histogram(const T* x, std::int64_t n) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(bins));
  for (std::int64_t i = 0; i < n; ++i)
    if (x[i] >= -1 && x[i] <= 1)
      ++counts[std::min(static_cast<std::size_t>((x[i] + 1) * (bins / T{2})), counts.size() - 1)];
  return weighted(counts);
}
template <class T>
double edges(const T* x, std::int64_t n) {
  static const std::vector<double> at = uneven_edges();
  std::vector<std::int64_t> counts(static_cast<std::size_t>(bins));
  for (std::int64_t i = 0; i < n; ++i)
    if (x[i] >= at.front() && x[i] <= at.back())
      ++counts[static_cast<std::size_t>(std::upper_bound(at.begin(), at.end() - 1, double{x[i]}) - at.begin() - 1)];
  return weighted(counts);
}
template <class T>
double top_k(const T* x, std::int64_t n) {
  std::vector<T> first(static_cast<std::size_t>(chosen));
  std::partial_sort_copy(x, x + n, first.begin(), first.end(), std::greater<>{});
  return std::accumulate(first.begin(), first.end(), 0.0);
}
template <class T>
double median(const T* x, std::int64_t n) {
  std::vector<T> copy(x, x + n);
  const auto middle = copy.begin() + n / 2;
  std::nth_element(copy.begin(), middle, copy.end());
  return (double{*middle} + double{*std::max_element(copy.begin(), middle)}) / 2;
}
template <class T>
double quantile(const T* x, std::int64_t n) {
  std::vector<T> copy(x, x + n);
  const double place = quantile_of_row * static_cast<double>(n - 1);
  const auto at = copy.begin() + static_cast<std::int64_t>(place);
  std::nth_element(copy.begin(), at, copy.end());
  const double next = *std::min_element(at + 1, copy.end());
  return *at + (place - std::floor(place)) * (next - *at);
}
template <class T>
double harmonic_mean(const T* x, std::int64_t n) {
  return static_cast<double>(n) / std::transform_reduce(x, x + n, 0.0, std::plus{}, [](T e) { return 1 / double{e}; });
}
template <class T>
double geometric_mean(const T* x, std::int64_t n) {
  const double logarithms = std::transform_reduce(x, x + n, 0.0, std::plus{}, [](T e) { return std::log(double{e}); });
  return std::exp(logarithms / static_cast<double>(n));
}
template <class T>
double skewness(const T* x, std::int64_t n) {
  const auto count = static_cast<double>(n);
  const double mean = std::accumulate(x, x + n, 0.0) / count;
  double second = 0, third = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const double d = x[i] - mean;
    second += d * d;
    third += d * d * d;
  }
  return third / count / std::pow(second / count, 1.5);
}
template <class T>
double excess_kurtosis(const T* x, std::int64_t n) {
  const auto count = static_cast<double>(n);
  const double mean = std::accumulate(x, x + n, 0.0) / count;
  double second = 0, fourth = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const double d = x[i] - mean;
    second += d * d;
    fourth += d * d * (d * d);
  }
  return fourth * count / (second * second) - 3;
}

template <class T>
bool list_operations() {
  list_operation<T, dot<T>>("dot", "std::transform_reduce");
  list_operation<T, dot<T>>("exact_dot", "std::transform_reduce");
  list_operation<T, distance<T>>("distance", "std::transform_reduce");
  list_operation<T, cosine<T>>("cosine", "std::transform_reduce");
  list_operation<T, squares<T>>("squares", "std::transform_reduce");
  list_operation<T, norm1<T>>("norm1", "std::transform_reduce");
  list_operation<T, geometric_mean<T>>("geometric_mean", "std::transform_reduce");
  list_operation<T, weighted_mean<T>>("weighted_mean", "std::transform_reduce");
  list_operation<T, covariance<T>>("covariance", "two loops");
  list_operation<T, correlation<T>>("correlation", "two loops");
  list_operation<T, norm_inf<T>>("norm_inf", "std::transform_reduce");
  list_operation<T, ptp<T>>("ptp", "a loop");
  list_operation<T, summary<T>>("summary", "a loop");
  list_operation<T, quantile<T>>("quantile", "std::nth_element");
  list_operation<T, harmonic_mean<T>>("harmonic_mean", "std::transform_reduce");
  list_operation<T, histogram<T>>("histogram", "a loop");
  list_operation<T, edges<T>>("edges", "std::upper_bound");
  list_operation<T, top_k<T>>("top_k", "std::partial_sort_copy");
  list_operation<T, median<T>>("median", "std::nth_element");
  list_operation<T, skewness<T>>("skewness", "two loops");
  list_operation<T, excess_kurtosis<T>>("excess_kurtosis", "two loops");
  return true;
}
[[maybe_unused]] const bool are_listed = list_operations<float>() && list_operations<double>();

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
