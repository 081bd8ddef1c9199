// Differences to unrounded results, which are rounded to f64 only to be shown.
#include "lab/rows/errors.hpp"

#include <algorithm>
#include <cmath>

#include "input/with_type.hpp"
#include "lab/reference.hpp"
#include "onefold/detail/format.hpp"

namespace onefold::cli {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// From where on numbers are rounded to infinity.
quad overflow_of(dtype type) {
  quad from = 0;
  with_type(type, [&]<class T>() {
    if constexpr (detail::is_float<T>) {
      using F = detail::format_of<T>;
      from = std::ldexp(1, F::bias) * (2 - static_cast<quad>(std::ldexp(1, -F::precision)));
    }
  });
  return from;
}

/// The size of the error of a result.
quad error_of(quad exact, double result, quad overflow) {
  if (is_finite(exact) && std::isfinite(result)) return size_of_quad(exact - result);
  const bool same = std::isnan(result)   ? is_nan(exact)
                    : std::isinf(result) ? (result < 0 ? -exact : exact) >= overflow
                                         : false;
  return same ? quad{0} : static_cast<quad>(infinite);
}

/// An error over what it is measured by.
double ratio(quad error, quad unit) {
  return error == 0 ? 0 : is_finite(error) ? static_cast<double>(error / unit) : infinite;
}

/// |1 - sum|.
double off_1(std::span<const double> results) {
  quad sum = 0;
  for (const double r : results) sum += r;
  return static_cast<double>(size_of_quad(1 - sum));
}

}  // namespace

row_errors errors_of(std::span<const quad> exact, std::span<const double> results, dtype type, std::size_t length,
                     bool sums) {
  row_errors found;
  const quad overflow = overflow_of(type);
  double total = 0;
  std::int64_t counted = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const quad error = error_of(exact[i], results[i], overflow), size = size_of_quad(exact[i]);
    found.absolute = std::max(found.absolute, static_cast<double>(error));
    if (size == 0) {
      if (error != 0) found.relative = infinite;
      continue;
    }
    const double ulps = ratio(error, ulp_at(static_cast<double>(size), type));
    total += ulps;
    ++counted;
    found.relative = std::max(found.relative, ratio(error, size));
    if (!(ulps > found.ulps)) continue;
    found.ulps = ulps;
    found.line = static_cast<std::int64_t>(i / length);
    found.place = static_cast<std::int64_t>(i % length);
  }
  if (counted > 0) found.mean_ulps = total / static_cast<double>(counted);
  for (std::size_t first = 0; sums && first < results.size(); first += length)
    if (const double off = off_1(results.subspan(first, length)); std::isfinite(off))
      found.off_1 = std::max(found.off_1.value_or(0), off);
  return found;
}

}  // namespace onefold::cli
