// Operations of vectors and order statistics as contenders: what each row computes, in numbers that its contenders
// share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace bench {

/// The rows: of two vectors, the halves of the array, and of the whole array. "squares" is their sum by a function of
/// the caller's, and "exact_dot" the dot product at accuracy exact, beside those that are not.
inline constexpr const char* operation_rows[] = {
    "dot",     "exact_dot", "distance", "cosine",        "weighted_mean",  "covariance", "correlation",
    "squares", "norm1",     "norm_inf", "ptp",           "summary",        "histogram",  "edges",
    "top_k",   "median",    "quantile", "harmonic_mean", "geometric_mean", "skewness",   "excess_kurtosis"};
/// Those whose elements are positive.
inline bool is_of_positive(const std::string& row) {
  return row == "geometric_mean" || row == "harmonic_mean" || row == "weighted_mean";
}
inline bool is_operation(const std::string& row) {
  return std::ranges::find(operation_rows, row) != std::end(operation_rows);
}

inline constexpr std::int64_t chosen = 100;  ///< k of the row "top_k", whose result is their sum
inline constexpr double quantile_of_row = 0.99;
inline constexpr std::int64_t bins = 100;                ///< of the rows "histogram", from -1 to 1, and "edges"
inline constexpr std::int64_t most_operated = 16 << 20;  ///< bytes of the largest array

/// The edges of the row "edges": bins that become wider away from 0.
inline std::vector<double> uneven_edges() {
  std::vector<double> edges;
  for (std::int64_t i = 0; i <= bins; ++i) {
    const double x = 2 * static_cast<double>(i) / bins - 1;
    edges.push_back(x * std::abs(x));
  }
  return edges;
}

/// The result of counts: a number in which each bin matters.
template <class Counts>
double weighted(const Counts& counts) {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) sum += static_cast<double>(i + 1) * static_cast<double>(counts[i]);
  return sum;
}

/// Whether a contender's result for a row is right.
bool is_right(const std::string& row, const std::string& type, const void* data, std::int64_t n, double result);

}  // namespace bench
