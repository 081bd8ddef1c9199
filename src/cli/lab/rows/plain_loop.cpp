// One operation after the other: without -ffast-math no compiler may reorder them.
#include "lab/rows/plain_loop.hpp"

#include <algorithm>
#include <cmath>

#include "input/with_type.hpp"
#include "lab/rows/shape.hpp"
#include "onefold/catalog.hpp"

#ifdef __FAST_MATH__
#error "onefold: with -ffast-math this is not a plain loop"
#endif

namespace onefold::cli {
namespace {

template <class V>
using plain_elements = std::span<const V>;

template <class V>
void plain_exponentials(row_operation operation, plain_elements<V> x, std::span<V> y) {
  V largest = x[0], sum = 0;
  for (const V v : x) largest = std::max(largest, v);
  for (const V v : x) sum += std::exp(v - largest);
  if (operation == row_operation::logsumexp)
    y[0] = largest + std::log(sum);
  else if (operation == row_operation::softmax)
    std::ranges::transform(x, y.begin(), [=](V v) { return std::exp(v - largest) / sum; });
  else
    std::ranges::transform(x, y.begin(), [=](V v) { return v - largest - std::log(sum); });
}

template <class V>
void plain_centered(plain_elements<V> x, V eps, std::span<V> y) {
  const V n = static_cast<V>(x.size());
  V sum = 0, squares = 0;
  for (const V v : x) sum += v;
  const V mean = sum / n;
  for (const V v : x) squares += (v - mean) * (v - mean);
  const V deviation = std::sqrt(squares / n + eps);
  std::ranges::transform(x, y.begin(), [=](V v) { return (v - mean) / deviation; });
}

template <class V>
void plain_divided(row_operation operation, plain_elements<V> x, V eps, std::span<V> y) {
  V sum = 0, squares = 0, largest = 0;
  for (const V v : x) {
    sum += std::fabs(v);
    squares += v * v;
    largest = std::max(largest, std::fabs(v));
  }
  const V divisor = operation == row_operation::rms_norm       ? std::sqrt(squares / static_cast<V>(x.size()) + eps)
                    : operation == row_operation::normalize_l1 ? std::max(sum, eps)
                    : operation == row_operation::normalize_l2 ? std::max(std::sqrt(squares), eps)
                                                               : std::max(largest, eps);
  std::ranges::transform(x, y.begin(), [=](V v) { return v / divisor; });
}

template <class V>
void plain_line(row_operation operation, plain_elements<V> x, V eps, std::span<V> y) {
  if (operation <= row_operation::logsumexp)
    plain_exponentials(operation, x, y);
  else if (operation == row_operation::layer_norm)
    plain_centered(x, eps, y);
  else if (operation == row_operation::standardize)
    plain_centered(x, V{0}, y);
  else
    plain_divided(operation, x, eps, y);
}

}  // namespace

std::vector<std::byte> plain_rows(row_operation operation, dtype type, std::span<const std::byte> elements,
                                  std::size_t length, double eps) {
  std::vector<std::byte> results;
  with_type(type, [&]<class T>() {
    if constexpr (detail::is_float<T>) {
      using V = typename detail::accumulator<T>::type;
      const std::span<const T> x(reinterpret_cast<const T*>(elements.data()), elements.size() / sizeof(T));
      const std::size_t given = results_of_line(operation, length);
      std::vector<V> widened(length), line(given);
      results.resize(x.size() / length * given * sizeof(T));
      T* to = reinterpret_cast<T*>(results.data());
      for (std::size_t first = 0; first < x.size(); first += length) {
        std::ranges::transform(x.subspan(first, length), widened.begin(), [](T v) { return static_cast<V>(v); });
        plain_line<V>(operation, widened, static_cast<V>(eps), line);
        to = std::ranges::transform(line, to, [](V v) { return static_cast<T>(v); }).out;
      }
    }
  });
  return results;
}

}  // namespace onefold::cli
