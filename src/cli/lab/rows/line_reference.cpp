// The formulas of docs/row-operations.md as they are meant, in 113 bits. What would cancel is summed exactly (means) or
// kept apart (the sum of the exponentials but for the largest one, which is 1).
#include "lab/rows/line_reference.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "onefold/exact.hpp"

namespace onefold::cli {
namespace {

using line_elements = std::span<const double>;

/// softmax, log_softmax and logsumexp: exp(x - C), C the largest; S = 1 + the others.
void exponential_line(row_operation operation, line_elements x, std::span<quad> results) {
  const auto top = std::ranges::max_element(x);
  const quad largest = *top;
  if (!is_finite(largest)) {
    std::ranges::fill(results, operation == row_operation::logsumexp ? largest : quad{no_number});
    return;
  }
  std::vector<quad> e(x.size());
  std::ranges::transform(x, e.begin(), [largest](double v) { return quad_exp(v - largest); });
  quad others = 0;
  for (std::size_t i = 0; i < e.size(); ++i)
    if (i != static_cast<std::size_t>(top - x.begin())) others += e[i];
  if (operation == row_operation::softmax) {
    std::ranges::transform(e, results.begin(), [others](quad v) { return v / (1 + others); });
    return;
  }
  const quad log_of_sum = quad_log1p(others);
  if (operation == row_operation::logsumexp)
    results[0] = largest + log_of_sum;
  else
    std::ranges::transform(x, results.begin(), [=](double v) { return (v - largest) - log_of_sum; });
}

/// n * x - sum for each element, which is n times its deviation from the mean. n * x is exact below 2^60 elements, and
/// the sum is subtracted in exact parts, largest first: where one cancels, the difference before it was exact.
std::vector<quad> scaled_deviations(line_elements x) {
  const double largest = std::ranges::max(x, {}, [](double v) { return std::fabs(v); });
  const double scale = std::fabs(largest) < 0x1p960 ? 1 : 0x1p-64;  // the sum of the parts must be finite
  exact_sum<double> sum;
  for (const double v : x) sum.push(v * scale);
  std::vector<quad> parts;
  double part = sum.value();
  while (part != 0) {
    parts.push_back(part / quad{scale});
    sum.push(-part);
    part = sum.value();
  }
  std::vector<quad> deviations(x.size());
  std::ranges::transform(x, deviations.begin(), [&](double v) {
    quad d = static_cast<quad>(x.size()) * v;
    for (const quad p : parts) d -= p;
    return d;
  });
  return deviations;
}

/// layer_norm and standardize, whose eps is 0.
void centered_line(line_elements x, double eps, std::span<quad> results) {
  if (!std::ranges::all_of(x, [](double v) { return std::isfinite(v); })) {
    std::ranges::fill(results, quad{no_number});
    return;
  }
  const std::vector<quad> d = scaled_deviations(x);
  const quad n = static_cast<quad>(x.size());
  quad squares = 0;
  for (const quad v : d) squares += v * v;
  const quad deviation = quad_sqrt(squares / n + eps * n * n);  // n times as much as the line's
  std::ranges::transform(d, results.begin(), [=](quad v) { return v / deviation; });
}

/// What rms_norm and the normalize operations divide by.
quad divisor_of(row_operation operation, line_elements x, double eps) {
  quad sum = 0, squares = 0, largest = 0;
  for (const quad v : x) {
    sum += size_of_quad(v);
    squares += v * v;
    largest = std::max(largest, size_of_quad(v));
  }
  switch (operation) {
    case row_operation::rms_norm:
      return quad_sqrt(squares / static_cast<quad>(x.size()) + eps);
    case row_operation::normalize_l1:
      return std::max<quad>(sum, eps);
    case row_operation::normalize_l2:
      return std::max<quad>(quad_sqrt(squares), eps);
    default:
      return std::max<quad>(largest, eps);
  }
}

}  // namespace

void exact_line(row_operation operation, std::span<const double> x, double eps, std::span<quad> results) {
  if (std::ranges::any_of(x, [](double v) { return std::isnan(v); })) {
    std::ranges::fill(results, quad{no_number});
  } else if (operation <= row_operation::logsumexp) {
    exponential_line(operation, x, results);
  } else if (operation == row_operation::layer_norm || operation == row_operation::standardize) {
    centered_line(x, operation == row_operation::standardize ? 0 : eps, results);
  } else {
    const quad divisor = divisor_of(operation, x, eps);
    std::ranges::transform(x, results.begin(), [divisor](double v) { return v / divisor; });
  }
}

}  // namespace onefold::cli
