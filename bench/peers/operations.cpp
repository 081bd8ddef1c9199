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
bool list_operations() {
  list_operation<T, dot<T>>("dot", "std::transform_reduce");
  list_operation<T, distance<T>>("distance", "std::transform_reduce");
  list_operation<T, cosine<T>>("cosine", "std::transform_reduce");
  list_operation<T, squares<T>>("squares", "std::transform_reduce");
  list_operation<T, norm1<T>>("norm1", "std::transform_reduce");
  list_operation<T, geometric_mean<T>>("geometric_mean", "std::transform_reduce");
  list_operation<T, histogram<T>>("histogram", "a loop");
  list_operation<T, edges<T>>("edges", "std::upper_bound");
  list_operation<T, top_k<T>>("top_k", "std::partial_sort_copy");
  list_operation<T, median<T>>("median", "std::nth_element");
  list_operation<T, skewness<T>>("skewness", "two loops");
  return true;
}
[[maybe_unused]] const bool are_listed = list_operations<float>() && list_operations<double>();

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
