#include "operations.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <stdexcept>

#include "contender.hpp"
#include "onefold/onefold.hpp"

namespace bench {
namespace {

/// A row's result by its definition, and how far from it a contender may be: they round differently.
struct right_result {
  long double value, within;
};

template <class T>
right_result result_of(const std::string& row, const T* x, std::int64_t n) {
  const std::int64_t half = n / 2;
  const auto sum = [&](std::int64_t count, const auto& f) {
    long double total = 0;
    for (std::int64_t i = 0; i < count; ++i)
      total += f(static_cast<long double>(x[i]), static_cast<long double>(x[i % half + half]));
    return total;
  };
  const auto product = [](long double a, long double b) { return a * b; };
  const auto square = [](long double a, long double) { return a * a; };
  const auto half_mean = [&](bool second) {
    return sum(half, [&](long double a, long double b) { return second ? b : a; }) / static_cast<long double>(half);
  };
  const auto comoment = [&](bool x_second, bool y_second) {
    const long double mx = half_mean(x_second), my = half_mean(y_second);
    return sum(half,
               [&](long double a, long double b) { return ((x_second ? b : a) - mx) * ((y_second ? b : a) - my); }) /
           static_cast<long double>(half);
  };
  if (row == "dot" || row == "exact_dot") return {sum(half, product), 1e-4L * static_cast<long double>(half)};
  if (row == "distance") {
    const long double d = std::sqrt(sum(half, [](long double a, long double b) { return (a - b) * (a - b); }));
    return {d, 1e-2L * d};
  }
  if (row == "cosine") {
    const long double yy = sum(half, [](long double, long double b) { return b * b; });
    return {sum(half, product) / std::sqrt(sum(half, square) * yy), 1e-3L};
  }
  if (row == "weighted_mean") return {sum(half, product) / (half_mean(true) * static_cast<long double>(half)), 1e-2L};
  if (row == "covariance") return {comoment(false, true), 1e-5L};
  if (row == "correlation")
    return {comoment(false, true) / std::sqrt(comoment(false, false) * comoment(true, true)), 1e-5L};
  if (row == "norm_inf" || row == "ptp") {
    const auto [low, high] = std::minmax_element(x, x + n);
    const long double least = *low, most = *high;
    return {row == "ptp" ? most - least : std::max(-least, most), 1e-6L};
  }
  if (row == "summary") {
    const auto [low, high] = std::minmax_element(x, x + n);
    const auto count = static_cast<long double>(n);
    const long double mean = sum(n, [](long double a, long double) { return a; }) / count;
    return {*low + 2.0L * *high + mean +
                sum(n, [=](long double a, long double) { return (a - mean) * (a - mean); }) / count,
            1e-2L};
  }
  if (row == "harmonic_mean")
    return {static_cast<long double>(n) / sum(n, [](long double a, long double) { return 1 / a; }), 1e-2L};
  // A float that all elements are added to one by one is off by some thousandths.
  if (row == "squares") return {sum(n, square), 1e-2L * static_cast<long double>(n)};
  if (row == "norm1")
    return {sum(n, [](long double a, long double) { return std::abs(a); }), 1e-2L * static_cast<long double>(n)};
  if (row == "geometric_mean")
    return {std::exp(sum(n, [](long double a, long double) { return std::log(a); }) / static_cast<long double>(n)),
            1e-2L};
  if (row == "skewness" || row == "excess_kurtosis") {
    const long double mean = sum(n, [](long double a, long double) { return a; }) / static_cast<long double>(n);
    const auto moment = [&](int power) {
      return sum(n, [=](long double a, long double) { return std::pow(a - mean, power); }) /
             static_cast<long double>(n);
    };
    if (row == "excess_kurtosis") return {moment(4) / (moment(2) * moment(2)) - 3, 1e-3L};
    return {moment(3) / std::pow(moment(2), 1.5L), 1e-3L};
  }
  if (row == "histogram" || row == "edges") {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(bins));
    std::vector<double> edges = uneven_edges();
    if (row == "histogram")
      for (std::int64_t i = 0; i <= bins; ++i)
        edges[static_cast<std::size_t>(i)] = static_cast<double>(i) * (2.0 / bins) - 1;
    for (std::int64_t i = 0; i < n; ++i)
      ++counts[static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end() - 1, double{x[i]}) - edges.begin() -
                                        1)];
    return {weighted(counts), 1e-4L * weighted(counts)};  // a peer's guesses are off at the edges
  }
  std::vector<T> sorted(x, x + n);
  if (row == "top_k") {
    std::partial_sort(sorted.begin(), sorted.begin() + chosen, sorted.end(), std::greater<>{});
    long double total = 0;
    for (std::int64_t i = 0; i < chosen; ++i) total += sorted[static_cast<std::size_t>(i)];
    return {total, 1e-4L};
  }
  if (row == "quantile") {
    std::ranges::sort(sorted);
    const long double place = static_cast<long double>(quantile_of_row) * static_cast<long double>(n - 1);
    const auto below = static_cast<std::size_t>(place);
    const long double a = sorted[below], b = sorted[below + 1];
    return {a + (place - std::floor(place)) * (b - a), 1e-5L};
  }
  if (row != "median") throw std::invalid_argument("no row " + row);
  const auto middle = sorted.begin() + half;
  std::nth_element(sorted.begin(), middle, sorted.end());
  return {(static_cast<long double>(*middle) + *std::max_element(sorted.begin(), middle)) / 2, 1e-7L};
}

/// A verb as a contender.
template <class T, class Verb>
contender made(const char* row, runtime needs, Verb verb) {
  contender c{row, type_name<T>, "onefold", "sequential", needs, [verb](std::int64_t n, int) {
                return [=](const void* data) {
                  const std::span elements(static_cast<const T*>(data), static_cast<std::size_t>(n));
                  return static_cast<double>(verb(elements, onefold::options{.backend = onefold::backend::sequential}));
                };
              }};
  c.most_bytes = most_operated;
  return c;
}

template <class T>
void add_type(std::vector<contender>& list, runtime needs) {
  using elements = std::span<const T>;
  using onefold::options;
  const auto add = [&](const char* row, auto verb) { list.push_back(made<T>(row, needs, verb)); };
  const auto add_pair = [&](const char* row, auto verb) {
    add(row, [verb](elements x, const options& o) { return verb(x.first(x.size() / 2), x.last(x.size() / 2), o); });
  };
  add_pair("dot", [](elements x, elements y, const options& o) { return onefold::dot(x, y, o); });
  add_pair("exact_dot", [](elements x, elements y, options o) {
    o.accuracy = onefold::accuracy::exact;
    return onefold::dot(x, y, o);
  });
  add_pair("distance",
           [](elements x, elements y, const options& o) { return onefold::distance(x, y, onefold::norm::l2, o); });
  add_pair("cosine", [](elements x, elements y, const options& o) { return onefold::cosine_similarity(x, y, o); });
  add_pair("weighted_mean", [](elements x, elements y, const options& o) { return onefold::weighted_mean(x, y, o); });
  add_pair("covariance", [](elements x, elements y, const options& o) { return onefold::covariance(x, y, o); });
  add_pair("correlation", [](elements x, elements y, const options& o) { return onefold::correlation(x, y, o); });
  add("squares",
      [](elements x, const options& o) { return onefold::sum(onefold::mapped([](T e) { return e * e; }, x), o); });
  add("norm1", [](elements x, const options& o) { return onefold::norm1(x, o); });
  add("norm_inf", [](elements x, const options& o) { return onefold::norm_inf(x, o); });
  add("ptp", [](elements x, const options& o) { return onefold::ptp(x, o); });
  add("summary", [](elements x, const options& o) {
    const auto of = onefold::summary(x, o);
    return double{of.min} + 2 * double{of.max} + double{of.mean} + double{of.variance};
  });
  add("histogram", [](elements x, const options& o) {
    return weighted(onefold::histogram(x, onefold::uniform_bins{-1, 1, bins}, o).counts);
  });
  add("edges", [edges = uneven_edges()](elements x, const options& o) {
    return weighted(onefold::histogram(x, std::span<const double>(edges), o).counts);
  });
  add("top_k", [](elements x, const options& o) {
    double total = 0;
    for (const T value : onefold::top_k(x, chosen, o).values) total += value;
    return total;
  });
  add("median", [](elements x, const options& o) { return onefold::median(x, o); });
  add("quantile", [](elements x, const options& o) { return onefold::quantile(x, quantile_of_row, o); });
  add("harmonic_mean", [](elements x, const options& o) { return onefold::harmonic_mean(x, o); });
  add("geometric_mean", [](elements x, const options& o) { return onefold::geometric_mean(x, o); });
  add("skewness", [](elements x, const options& o) { return onefold::skewness(x, o); });
  add("excess_kurtosis", [](elements x, const options& o) { return onefold::excess_kurtosis(x, o); });
}

}  // namespace

bool is_right(const std::string& row, const std::string& type, const void* data, std::int64_t n, double result) {
  const right_result meant = type == "f32" ? result_of(row, static_cast<const float*>(data), n)
                                           : result_of(row, static_cast<const double*>(data), n);
  return std::abs(result - meant.value) <= meant.within;
}

void add_onefold_operations(std::vector<contender>& list, runtime used) {
  add_type<float>(list, used);
  add_type<double>(list, used);
}

}  // namespace bench
