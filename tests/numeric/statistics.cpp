// ptp, geometric and harmonic means, skewness and kurtosis: exact oracles over integers, the bits of formulas over
// reductions of stored values, and the bits of each row alone, on every backend.
#include "onefold/statistics.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "onefold/math.hpp"
#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/exact_moments.hpp"
#include "support/result_bits.hpp"
#include "support/values.hpp"

namespace op = onefold::op;
using onefold::accuracy;
using onefold::array_view;
using support::bits_of;
using support::check_error;
using support::error_of;
using support::exact_moments_of;
using support::on_backend;

namespace {

constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();

/// What SciPy computes: distances from the rounded mean, and means of their powers.
double plain_skewness(const std::vector<double>& x) {
  const auto n = static_cast<double>(x.size());
  const double mean = onefold::sum(x) / n;
  std::vector<double> squares, cubes;
  for (const double y : x) {
    squares.push_back((y - mean) * (y - mean));
    cubes.push_back((y - mean) * (y - mean) * (y - mean));
  }
  return onefold::sum(cubes) / n / std::pow(onefold::sum(squares) / n, 1.5);
}

/// The formula of the header over reductions of stored values.
double stored_skewness(const std::vector<double>& x, const onefold::options& how) {
  const double mean = onefold::mean(x, how), n = static_cast<double>(x.size());
  std::vector<double> d, squares, cubes;
  for (const double y : x) {
    d.push_back(y - mean);
    squares.push_back(d.back() * d.back());
    cubes.push_back(squares.back() * d.back());
  }
  const double off = onefold::sum(d, how) / n, a2 = onefold::sum(squares, how) / n, a3 = onefold::sum(cubes, how) / n;
  const double m2 = a2 - off * off, m3 = a3 - off * (3 * a2 - 2 * off * off);
  return m3 / m2 / std::sqrt(m2);
}

std::vector<int> skewed(std::int64_t n) {
  support::random_numbers r(97);
  std::vector<int> x;
  for (std::int64_t i = 0; i < n; ++i) x.push_back(static_cast<int>(std::exp(1.2 * r.normal()) * 10));
  return x;
}

/// All moments of a vector by name, to compare them in one go.
template <class X, class... More>
auto all_of(const X& x, const More&... more) {
  return std::array{onefold::skewness(x, more...),        onefold::sample_skewness(x, more...),
                    onefold::excess_kurtosis(x, more...), onefold::sample_excess_kurtosis(x, more...),
                    onefold::geometric_mean(x, more...),  onefold::harmonic_mean(x, more...)};
}

}  // namespace

TEST_CASE("moments are those of exact integer arithmetic, however far the elements are from zero") {
  for (const std::int64_t n : {4, 5, 100, 2047, 50'000})
    for (const double offset : {0.0, 1e6, -1e9, 0x1p40, 0x1p50})
      for (const auto mode : {accuracy::native, accuracy::wide, accuracy::kahan, accuracy::exact}) {
        const std::vector<int> x = skewed(n);
        const std::vector<double> y(x.begin(), x.end());
        std::vector<double> moved;
        for (const double z : y) moved.push_back(z + offset);
        INFO("n " << n << " offset " << offset << " accuracy " << static_cast<int>(mode));
        const exact_moments_of exact(x);
        const auto how = on_backend(mode, 1 + static_cast<int>(n % 3));
        CHECK(error_of(onefold::skewness(moved, how), exact.g1()) < 2e-15);
        CHECK(error_of(onefold::sample_skewness(moved, how), exact.G1()) < 2e-15);
        CHECK(error_of(onefold::excess_kurtosis(moved, how), exact.g2()) < 4e-15);
        CHECK(error_of(onefold::sample_excess_kurtosis(moved, how), exact.G2()) < 4e-15);
        if (mode == accuracy::native)
          CHECK(error_of(onefold::skewness(moved, how), exact.g1()) <=
                error_of(plain_skewness(moved), exact.g1()) + 5e-16);
        if (offset == 0 && mode == accuracy::native) {
          CHECK(error_of(onefold::skewness(x, how), exact.g1()) < 2e-15);
          static_assert(std::is_same_v<decltype(onefold::skewness(x)), double>);
          const std::vector<float> narrow(x.begin(), x.end());
          static_assert(std::is_same_v<decltype(onefold::excess_kurtosis(narrow)), float>);
          CHECK(onefold::excess_kurtosis(narrow, how) == static_cast<float>(onefold::excess_kurtosis(y, how)));
        }
      }
}

TEST_CASE("geometric and harmonic means are those of long double") {
  for (const std::int64_t n : {1, 2, 99, 10'000}) {
    const auto x = support::lognormal_data<double>(n, 5);
    long double logs = 0, reciprocals = 0;
    for (const double y : x) {
      logs += std::log(static_cast<long double>(y));
      reciprocals += 1 / static_cast<long double>(y);
    }
    const auto how = on_backend(accuracy::native, 3);
    CHECK(error_of(onefold::geometric_mean(x, how), std::exp(logs / static_cast<long double>(n))) < 1e-15);
    CHECK(error_of(onefold::harmonic_mean(x, how), static_cast<long double>(n) / reciprocals) < 1e-15);
  }
  CHECK(onefold::geometric_mean(std::vector<int>{2, 8}, on_backend()) == 4);
  CHECK(onefold::harmonic_mean(std::vector<float>{2, 6}, on_backend()) == 3);
}

TEST_CASE("results have the bits of formulas over stored values, whatever the backend and its threads") {
  const std::int64_t page = onefold::page_elements(sizeof(double));
  for (const std::int64_t n : {std::int64_t{5}, page - 1, page + 1, 7 * page + 3}) {
    auto x = support::lognormal_data<double>(n, 11);
    for (const auto mode : {accuracy::native, accuracy::kahan, accuracy::exact}) {
      const auto alone = all_of(x, onefold::options{.backend = onefold::backend::sequential, .accuracy = mode});
      for (const int threads : {1, 2, 3}) {
        const auto how = on_backend(mode, threads);
        CHECK(bits_of(onefold::skewness(x, how)) == bits_of(stored_skewness(x, how)));
        const auto found = all_of(x, how);
        for (std::size_t i = 0; i < found.size(); ++i) CHECK(bits_of(found[i]) == bits_of(alone[i]));
      }
      const auto how = on_backend(mode, 2);
      std::vector<double> logs, reciprocals;
      for (const double y : x) {
        logs.push_back(onefold::log(y));
        reciprocals.push_back(1 / y);
      }
      CHECK(bits_of(onefold::geometric_mean(x, how)) == bits_of(onefold::exp(onefold::mean(logs, how))));
      CHECK(bits_of(onefold::harmonic_mean(x, how)) == bits_of(1 / onefold::mean(reciprocals, how)));
    }
  }
}

TEST_CASE("results over axes have the bits of each row alone") {
  const auto x = support::lognormal_data<float>(3 * 40 * 50, 13);
  const auto how = on_backend(accuracy::native, 3);
  const array_view<float> cube(x.data(), {3, 40, 50});
  const auto rows = all_of(cube, -1, how), columns = all_of(cube, onefold::axis_list(0, 1), how);
  for (std::size_t s = 0; s < rows.size(); ++s) {
    REQUIRE(rows[s].size() == 120);
    REQUIRE(columns[s].size() == 50);
  }
  for (std::size_t r = 0; r < 120; ++r) {
    const auto alone = all_of(std::span(x).subspan(r * 50, 50), how);
    for (std::size_t s = 0; s < alone.size(); ++s) CHECK(bits_of(rows[s][r]) == bits_of(alone[s]));
    CHECK(onefold::ptp(cube, 2, how)[r] == onefold::ptp(std::span(x).subspan(r * 50, 50), how));
  }
  for (std::size_t c = 0; c < 50; ++c) {
    std::vector<float> column;
    for (std::size_t r = 0; r < 120; ++r) column.push_back(x[r * 50 + c]);
    const auto alone = all_of(column, how);
    for (std::size_t s = 0; s < alone.size(); ++s) CHECK(bits_of(columns[s][c]) == bits_of(alone[s]));
  }
  const array_view<float> backwards(x.data() + 2, {1, 3}, {7, -1});
  CHECK(onefold::skewness(backwards, 1, how).size() == 1);
  CHECK(bits_of(onefold::skewness(backwards, 1, how)[0]) ==
        bits_of(onefold::skewness(std::vector{x[2], x[1], x[0]}, how)));
  CHECK(onefold::skewness(array_view<float>(nullptr, {0, 3}), 1, how).size() == 0);
}

TEST_CASE("ptp is the distance of the extremes, rounded once") {
  const auto how = on_backend();
  CHECK(onefold::ptp(std::vector<double>{3, -1.5, 2}, how) == 4.5);
  static_assert(std::is_same_v<decltype(onefold::ptp(std::vector<onefold::f16>{})), float>);
  CHECK(onefold::ptp(std::vector<onefold::f16>{onefold::f16(65504), onefold::f16(-65504)}, how) == 131008);
  CHECK(onefold::ptp(std::vector<float>{1e9f, -0.1f}, how) == 1e9f - -0.1f);
  CHECK(std::isinf(onefold::ptp(std::vector<float>{3e38f, -3e38f}, how)));
  CHECK(bits_of(onefold::ptp(std::vector<float>{1, std::nanf("1")}, how)) == support::result_bits{0x7fc00000});
  static_assert(std::is_same_v<decltype(onefold::ptp(std::vector<std::int8_t>{})), std::uint8_t>);
  CHECK(onefold::ptp(std::vector<std::int8_t>{127, -128}, how) == 255);
  using limits = std::numeric_limits<std::int64_t>;
  CHECK(onefold::ptp(std::vector<std::int64_t>{limits::max(), 0, limits::min()}, how) == ~std::uint64_t{0});
  CHECK(onefold::ptp(std::deque<int>{4, 9, 2}, how) == 7u);
  const std::vector<double> x{1, 5, 2, 8};
  CHECK(support::values(onefold::ptp(onefold::segments(x, std::vector{0, 2, 4}), how)) == std::vector<double>{4, 6});
  CHECK(support::values(onefold::ptp(onefold::by_key(x, std::vector{1, 2, 1, 2}), how).results) ==
        std::vector<double>{1, 3});
  CHECK(onefold::ptp(onefold::where(x, std::vector<std::uint8_t>{1, 1, 1, 0}), how) == 4);
  check_error(onefold::error_code::empty_input, "ptp: minmax of no elements",
              [&] { onefold::ptp(std::vector<float>{}, how); });
}

TEST_CASE("what has no statistic") {
  const auto how = on_backend();
  const auto all_nan = [](const auto& results, std::size_t first, std::size_t count) {
    bool holds = true;
    for (std::size_t i = first; i < first + count; ++i) holds = holds && bits_of(results[i]) == bits_of(quiet_nan);
    return holds;
  };
  for (std::size_t n = 1; n < 400; ++n)  // the mean of equal elements may be rounded to another number
    CHECK(all_nan(all_of(std::vector<double>(n, 1.0 / static_cast<double>(n)), how), 0, 4));
  CHECK(all_nan(all_of(std::vector<double>{1, 2, 4, quiet_nan}, how), 0, 6));
  CHECK(all_nan(all_of(std::vector<double>{1, 2, 4, HUGE_VAL}, how), 0, 4));
  CHECK(all_nan(all_of(std::vector<double>{1, 2, 4, -8}, how), 4, 2));
  CHECK(std::isnan(onefold::sample_skewness(std::vector<double>{1, 3}, how)));
  CHECK(onefold::skewness(std::vector<double>{1, 3}, how) == 0);
  CHECK(std::isnan(onefold::sample_excess_kurtosis(std::vector<double>{1, 3, 4}, how)));
  CHECK(onefold::geometric_mean(std::vector<double>{0, 3}, how) == 0);
  CHECK(onefold::harmonic_mean(std::vector<double>{0, 3}, how) == 0);
  for (const double zero : {0.0, -0.0}) {
    CHECK(bits_of(onefold::harmonic_mean(std::vector<double>{0.0, zero, -0.0}, how)) == bits_of(0.0));
    CHECK(bits_of(onefold::geometric_mean(std::vector<double>{zero, 3}, how)) == bits_of(0.0));
  }
  CHECK(onefold::harmonic_mean(std::vector<double>{0, HUGE_VAL}, how) == 0);
  CHECK(std::isnan(onefold::geometric_mean(std::vector<double>{0, HUGE_VAL}, how)));
  const std::vector<float> none;
  check_error(onefold::error_code::empty_input, "skewness of no elements has no value: the input is empty",
              [&] { onefold::skewness(none, how); });
  check_error(onefold::error_code::empty_input, "geometric_mean of no elements", [&] {
    onefold::geometric_mean(array_view<float>(nullptr, {2, 0}), 1, how);
  });
  auto from = how;
  from.init = 1;
  check_error(onefold::error_code::invalid_argument, "harmonic_mean takes no initial value",
              [&] { onefold::harmonic_mean(std::vector<float>{1}, from); });
  check_error(onefold::error_code::unsupported, "cuda",
              [&] { onefold::skewness(std::vector<float>{1}, {.backend = onefold::backend::cuda}); });
}
