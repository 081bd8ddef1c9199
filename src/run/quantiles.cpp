// Quantiles: their places among the ranks, and the numbers between two elements. Compiled without fused
// multiply-additions, which would change bits.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "cpu.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/order_statistics.hpp"
#include "onefold/error.hpp"
#include "run/as_f64.hpp"
#include "run/checks.hpp"

namespace onefold::detail {
namespace {

/// Where a quantile is: at `rank`, or a part of the way from there to the next one.
struct quantile_place {
  std::int64_t rank;
  double way;
};

quantile_place place_of_quantile(double q, std::int64_t n, quantile_method method) {
  if (!(q >= 0 && q <= 1)) refuse("a quantile is between 0 and 1, not " + std::to_string(q));
  const double at = q * static_cast<double>(n - 1), below = std::floor(at);
  const std::int64_t rank = std::min(static_cast<std::int64_t>(below), n - 1);  // beyond 2^53 n - 1 may be rounded up
  const double way = rank == n - 1 ? 0 : at - below;
  if (method == quantile_method::linear || way == 0) return {rank, way};
  const bool up = method == quantile_method::higher ||
                  (method == quantile_method::nearest && (way > 0.5 || (way == 0.5 && rank % 2 != 0)));
  return {rank + (up ? 1 : 0), 0};
}

/// The number at t of the way from a to b.
double number_between(double a, double b, double t) {
  if (a == b || t == 0) return a;
  if (std::isinf(a) || std::isinf(b)) {
    const double sum = a + b;
    return std::isnan(sum) ? __builtin_nan("") : sum;
  }
  const double span = b - a;
  if (std::isinf(span)) return a * (1 - t) + b * t;  // of numbers that are not
  return t < 0.5 ? a + span * t : b - span * (1 - t);
}

}  // namespace

void select_quantiles(dtype element, const void* data, std::int64_t n, std::int64_t numbers,
                      std::span<const double> list, quantile_method method, void* results, const options& how,
                      run_report* ran) {
  const float_environment ieee;
  if (method > quantile_method::nearest)
    refuse("unknown method of quantiles " + std::to_string(static_cast<int>(method)));
  if (numbers == 0)
    throw error(error_code::empty_input, n == 0 ? "a quantile of no elements has no value: the input is empty"
                                                : "a quantile of no elements has no value: all elements are NaN");
  std::vector<quantile_place> places;
  std::vector<std::int64_t> ranks{numbers - 1};  // which is NaN if one of them is
  for (const double q : list) {
    const quantile_place p = place_of_quantile(q, numbers, method);
    places.push_back(p);
    ranks.push_back(p.rank);
    if (p.way > 0) ranks.push_back(p.rank + 1);
  }
  std::ranges::sort(ranks);
  for_each_type(element_types{}, [&]<class T>() {
    if (dtype_of<T> != element) return;
    using R = typename accumulator<T>::type;
    std::vector<T> values(ranks.size());
    select_ranks(element, data, n, ranks, values.data(), how, ran);
    const auto value_at = [&](std::int64_t rank) {
      return as_f64(values[static_cast<std::size_t>(std::ranges::lower_bound(ranks, rank) - ranks.begin())]);
    };
    const bool has_nan = std::isnan(as_f64(values.back()));
    for (std::size_t i = 0; i < places.size(); ++i) {
      const quantile_place& p = places[i];
      const double low = value_at(p.rank);
      static_cast<R*>(results)[i] = static_cast<R>(has_nan     ? __builtin_nan("")
                                                   : p.way > 0 ? number_between(low, value_at(p.rank + 1), p.way)
                                                               : low);
    }
  });
}

}  // namespace onefold::detail
