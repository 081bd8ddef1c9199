// covariance, sample_covariance and correlation: an exact oracle over integers and one in long double, the bits of
// formulas over reductions of stored values, and the bits of each row alone, on every CPU backend.
#include "onefold/covariance.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/exact_moments.hpp"
#include "support/result_bits.hpp"

using onefold::accuracy;
using onefold::array_view;
using support::bits_of;
using support::check_error;
using support::error_of;
using support::on_backend;

namespace {

constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();

/// The statistics of two arrays of integers, from sums that are exact in 128 bits.
struct exact_joint_moments {
  long double n, xy, xx, yy;  ///< n, and n² times the mean products

  exact_joint_moments(const std::vector<int>& x, const std::vector<int>& y) : n(static_cast<long double>(x.size())) {
    __extension__ using wide = __int128;
    wide s_x = 0, s_y = 0, s_xy = 0, s_xx = 0, s_yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const wide a = x[i], b = y[i];
      s_x += a;
      s_y += b;
      s_xy += a * b;
      s_xx += a * a;
      s_yy += b * b;
    }
    const wide c = static_cast<wide>(x.size());
    xy = static_cast<long double>(c * s_xy - s_x * s_y);
    xx = static_cast<long double>(c * s_xx - s_x * s_x);
    yy = static_cast<long double>(c * s_yy - s_y * s_y);
  }
  long double covariance() const { return xy / (n * n); }
  long double sample_covariance() const { return xy / n / (n - 1); }
  long double correlation() const { return xy / std::sqrt(xx) / std::sqrt(yy); }
  /// What rounding is relative to: products of distances cancel.
  long double scale() const { return std::sqrt(xx) * std::sqrt(yy) / (n * n); }
};

/// The formula of the library over reductions of stored values.
double stored_covariance(const std::vector<double>& x, const std::vector<double>& y, const onefold::options& how) {
  const double mean_x = onefold::mean(x, how), mean_y = onefold::mean(y, how), n = static_cast<double>(x.size());
  std::vector<double> a, b, products;
  for (std::size_t i = 0; i < x.size(); ++i) {
    a.push_back(x[i] - mean_x);
    b.push_back(y[i] - mean_y);
    products.push_back(a.back() * b.back());
  }
  return (onefold::sum(products, how) - onefold::sum(a, how) * (onefold::sum(b, how) / n)) / n;
}

struct pair_of_arrays {
  std::vector<int> x, y;
};

/// Two arrays that are correlated to some degree.
pair_of_arrays related(std::int64_t n, double share) {
  support::random_numbers r(71);
  pair_of_arrays p;
  for (std::int64_t i = 0; i < n; ++i) {
    const double common = r.normal();
    p.x.push_back(static_cast<int>(1000 * common));
    p.y.push_back(static_cast<int>(500 * (share * common + r.normal())));
  }
  return p;
}

template <class X, class Y, class... More>
auto joint_statistics_of(const X& x, const Y& y, const More&... more) {
  return std::array{onefold::covariance(x, y, more...), onefold::sample_covariance(x, y, more...),
                    onefold::correlation(x, y, more...)};
}

}  // namespace

TEST_CASE("covariance and correlation are those of exact integer arithmetic, however far the elements are from zero") {
  for (const std::int64_t n : {2, 3, 100, 2047, 50'000})
    for (const double share : {0.0, 1.0, -30.0})
      for (const double offset : {0.0, 1e6, -1e9, 0x1p40})
        for (const auto mode : {accuracy::native, accuracy::wide, accuracy::kahan, accuracy::exact}) {
          const auto [x, y] = related(n, share);
          std::vector<double> a, b;
          for (const double z : x) a.push_back(z + offset);
          for (const double z : y) b.push_back(z - 3 * offset);
          INFO("n " << n << " share " << share << " offset " << offset << " accuracy " << static_cast<int>(mode));
          const exact_joint_moments exact(x, y);
          const auto how = on_backend(mode, 1 + static_cast<int>(n % 3));
          const auto off = [&](double found, long double expected) {
            return static_cast<double>(std::abs(static_cast<long double>(found) - expected) / exact.scale());
          };
          CHECK(off(onefold::covariance(a, b, how), exact.covariance()) < 1e-15);
          CHECK(off(onefold::sample_covariance(a, b, how), exact.sample_covariance()) < 3e-15);
          CHECK(error_of(onefold::correlation(a, b, how), exact.correlation()) < 1e-15);
        }
}

TEST_CASE("the covariance of numbers with fractions is that of two passes in long double") {
  for (const std::int64_t n : {2, 17, 4096, 20'000}) {
    const auto x = support::lognormal_data<double>(n, 3), y = support::lognormal_data<double>(n, 4);
    long double mean_x = 0, mean_y = 0, xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      mean_x += x[i];
      mean_y += y[i];
    }
    mean_x /= static_cast<long double>(n);
    mean_y /= static_cast<long double>(n);
    for (std::size_t i = 0; i < x.size(); ++i) {
      xy += (x[i] - mean_x) * (y[i] - mean_y);
      xx += (x[i] - mean_x) * (x[i] - mean_x);
      yy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    const auto how = on_backend(accuracy::native, 3);
    const auto norms = std::sqrt(xx) * std::sqrt(yy);
    CHECK(std::abs(onefold::covariance(x, y, how) - xy / static_cast<long double>(n)) <
          1e-15 * norms / static_cast<long double>(n));
    CHECK(std::abs(onefold::correlation(x, y, how) - xy / norms) < 1e-15);
  }
}

TEST_CASE("results have the bits of the formula over stored values, whatever the backend and its threads") {
  const std::int64_t page = onefold::page_elements(sizeof(double));
  for (const std::int64_t n : {std::int64_t{5}, page - 1, page + 1, 7 * page + 3}) {
    const auto x = support::lognormal_data<double>(n, 11), y = support::lognormal_data<double>(n, 12);
    for (const auto mode : {accuracy::native, accuracy::wide, accuracy::kahan, accuracy::exact}) {
      const auto alone =
          joint_statistics_of(x, y, onefold::options{.backend = onefold::backend::sequential, .accuracy = mode});
      for (const int threads : {1, 2, 3}) {
        const auto how = on_backend(mode, threads);
        CHECK(bits_of(onefold::covariance(x, y, how)) == bits_of(stored_covariance(x, y, how)));
        const auto found = joint_statistics_of(x, y, how);
        for (std::size_t i = 0; i < found.size(); ++i) CHECK(bits_of(found[i]) == bits_of(alone[i]));
      }
    }
  }
}

TEST_CASE("results over axes have the bits of each row alone") {
  const auto x = support::lognormal_data<float>(3 * 40 * 50, 13);
  const auto y = support::lognormal_data<double>(3 * 40 * 50, 14);
  const auto how = on_backend(accuracy::native, 3);
  const array_view<float> a(x.data(), {3, 40, 50});
  const array_view<double> b(y.data(), {3, 40, 50});
  const auto rows = joint_statistics_of(a, b, -1, how),
             columns = joint_statistics_of(a, b, onefold::axis_list(0, 1), how);
  for (std::size_t r = 0; r < 120; ++r) {
    const auto alone = joint_statistics_of(std::span(x).subspan(r * 50, 50), std::span(y).subspan(r * 50, 50), how);
    for (std::size_t s = 0; s < alone.size(); ++s) CHECK(bits_of(rows[s][r]) == bits_of(alone[s]));
  }
  for (std::size_t c = 0; c < 50; ++c) {
    std::vector<float> first;
    std::vector<double> second;
    for (std::size_t r = 0; r < 120; ++r) {
      first.push_back(x[r * 50 + c]);
      second.push_back(y[r * 50 + c]);
    }
    const auto alone = joint_statistics_of(first, second, how);
    for (std::size_t s = 0; s < alone.size(); ++s) CHECK(bits_of(columns[s][c]) == bits_of(alone[s]));
  }
  CHECK(rows[0].size() == 120);
  CHECK(columns[0].size() == 50);
  CHECK(onefold::covariance(array_view<float>(nullptr, {0, 3}), array_view<float>(nullptr, {0, 3}), 1, how).size() ==
        0);
}

TEST_CASE("types: f64 if an array is of f64 or integers, otherwise f32") {
  const std::vector<float> x{1, 2, 4};
  static_assert(std::is_same_v<decltype(onefold::covariance(x, x)), float>);
  static_assert(std::is_same_v<decltype(onefold::covariance(x, std::vector<onefold::bf16>{})), float>);
  static_assert(std::is_same_v<decltype(onefold::covariance(x, std::vector<int>{})), double>);
  static_assert(std::is_same_v<decltype(onefold::correlation(x, std::vector<double>{})), double>);
  const auto how = on_backend();
  CHECK(onefold::sample_covariance(x, std::vector<int>{3, 0, 3}, how) == 0.5);
  CHECK(onefold::covariance(std::deque<float>{1, 2, 3}, std::vector<std::int8_t>{-1, 0, 1}, how) == 2.0 / 3);
  const std::vector<double> y{1, 2, 4};
  CHECK(onefold::covariance(y, y, how) == onefold::variance(y, how));
}

TEST_CASE("computed elements have the bits of an array of them") {
  struct order {
    double price;
    float amount;
  };
  std::vector<order> orders;
  std::vector<double> prices;
  std::vector<float> amounts, squares;
  support::random_numbers r(6);
  for (int i = 0; i < 9000; ++i) {
    orders.push_back({r.normal(), static_cast<float>(r.normal())});
    prices.push_back(orders.back().price);
    amounts.push_back(orders.back().amount);
    squares.push_back(amounts.back() * amounts.back());
  }
  using onefold::mapped;
  const auto how = on_backend(accuracy::wide, 2);
  const auto meant = joint_statistics_of(prices, amounts, how);
  const auto found = joint_statistics_of(mapped(&order::price, orders), mapped(&order::amount, orders), how);
  for (std::size_t i = 0; i < meant.size(); ++i) CHECK(bits_of(found[i]) == bits_of(meant[i]));
  const auto square = [](float a) { return a * a; };
  const array_view<float> a(amounts.data(), {90, 100}), b(squares.data(), {90, 100});
  static_assert(std::is_same_v<decltype(onefold::covariance(mapped(square, a), a)), float>);
  const auto rows = onefold::correlation(a, mapped(square, a), 1, how), stored = onefold::correlation(a, b, 1, how);
  for (std::size_t i = 0; i < 90; ++i) CHECK(bits_of(rows[i]) == bits_of(stored[i]));
}

TEST_CASE("a correlation is 1 for an array and itself, and never beyond") {
  for (const std::int64_t n : {2, 3, 10, 1000, 10'000})
    for (const double scale : {1.0, 1e-140, 1e140}) {
      auto x = support::lognormal_data<double>(n, static_cast<std::uint64_t>(n));
      for (double& a : x) a *= scale;
      auto minus = x;
      for (double& a : minus) a = -a;
      auto twice = x;
      for (double& a : twice) a = 3 * a + scale;
      const auto how = on_backend(accuracy::native, 2);
      CHECK(onefold::correlation(x, x, how) == 1);
      CHECK(onefold::correlation(x, minus, how) == -1);
      const double c = onefold::correlation(x, twice, how);
      CHECK((c <= 1 && c > 1 - 1e-15));
    }
}

TEST_CASE("a correlation has the same bits for numbers of all sizes, where squares vanish and overflow too") {
  const auto scaled = [](const std::vector<int>& x, int exponent) {
    std::vector<double> all;
    for (const int a : x) all.push_back(std::ldexp(a, exponent));
    return all;
  };
  for (const std::int64_t n : {2, 100, 5000}) {
    const auto [x, y] = related(n, 0.5);
    const double meant = onefold::correlation(x, y, on_backend());
    CHECK(error_of(meant, exact_joint_moments(x, y).correlation()) < 1e-15);
    for (const auto mode : {accuracy::native, accuracy::kahan, accuracy::exact})
      for (const int of_x : {0, -300, -430, -460, -510, -532, -800, -1040, -1074, 440, 500, 700, 1000, 1010})
        for (const int of_y : {0, -540, 1000}) {
          INFO("n " << n << " exponents " << of_x << ' ' << of_y);
          const auto how = on_backend(mode, 2);
          const auto a = scaled(x, of_x), b = scaled(y, of_y);
          const double alone = onefold::correlation(x, y, how);
          CHECK(bits_of(onefold::correlation(a, b, how)) == bits_of(alone));
          CHECK(bits_of(onefold::correlation(b, a, how)) == bits_of(onefold::correlation(y, x, how)));
        }
  }
}

TEST_CASE("each row of a table has its own size") {
  const int exponents[] = {0, -532, 600, -1000, 1005};
  std::vector<double> x, y;
  std::vector<double> meant;
  for (const int e : exponents) {
    const auto [a, b] = related(1000 + e % 7, 0.25);
    for (std::size_t i = 0; i < 900; ++i) {
      x.push_back(std::ldexp(a[i], e));
      y.push_back(std::ldexp(b[i], -e / 2));
    }
    meant.push_back(onefold::correlation(std::span(a).first(900), std::span(b).first(900), on_backend()));
  }
  const auto found = onefold::correlation(array_view<double>(x.data(), {5, 900}),
                                          array_view<double>(y.data(), {5, 900}), 1, on_backend());
  for (std::size_t i = 0; i < 5; ++i) CHECK(bits_of(found[i]) == bits_of(meant[i]));
  // All elements equal, and numbers that are not: nothing brings these where they have a correlation.
  std::vector<double> odd(4500, 0x1p-600);
  odd[1000] = HUGE_VAL;
  odd[2000] = quiet_nan;
  const auto none = onefold::correlation(array_view<double>(odd.data(), {5, 900}),
                                         array_view<double>(y.data(), {5, 900}), 1, on_backend());
  for (const double c : none) CHECK(bits_of(c) == bits_of(quiet_nan));
}

TEST_CASE("what has no covariance, and what has none but 0") {
  const auto how = on_backend();
  const std::vector<double> x{1, 2, 4, 8};
  for (const double odd : {quiet_nan, HUGE_VAL, -HUGE_VAL})
    for (std::size_t i = 0; i < x.size(); ++i) {
      auto y = x;
      y[i] = odd;
      for (const double found : joint_statistics_of(x, y, how)) CHECK(bits_of(found) == bits_of(quiet_nan));
      for (const double found : joint_statistics_of(y, x, how)) CHECK(bits_of(found) == bits_of(quiet_nan));
      for (const double found : joint_statistics_of(y, y, how)) CHECK(bits_of(found) == bits_of(quiet_nan));
    }
  const std::vector<double> one{5};
  CHECK(onefold::covariance(one, one, how) == 0);
  CHECK(bits_of(onefold::sample_covariance(one, one, how)) == bits_of(quiet_nan));
  CHECK(bits_of(onefold::correlation(one, one, how)) == bits_of(quiet_nan));
  support::random_numbers r(5);
  for (std::size_t n = 1; n < 400; ++n) {  // the mean of equal elements may be rounded to another number
    const std::vector<double> equal(n, 1.0 / static_cast<double>(n));
    std::vector<double> others;
    for (std::size_t i = 0; i < n; ++i) others.push_back(r.normal());
    CHECK(std::abs(onefold::covariance(equal, others, how)) < 1e-15);
    CHECK(bits_of(onefold::correlation(equal, others, how)) == bits_of(quiet_nan));
    CHECK(bits_of(onefold::correlation(others, equal, how)) == bits_of(quiet_nan));
  }
  const std::vector<float> none;
  check_error(onefold::error_code::empty_input, "covariance of no elements has no value: the input is empty",
              [&] { onefold::covariance(none, none, how); });
  check_error(onefold::error_code::empty_input, "correlation of no elements", [&] {
    onefold::correlation(array_view<float>(nullptr, {2, 0}), array_view<float>(nullptr, {2, 0}), 1, how);
  });
  check_error(onefold::error_code::invalid_argument, "the extents (4) and (1); they must be equal",
              [&] { onefold::covariance(x, one, how); });
  auto from = how;
  from.init = 1;
  check_error(onefold::error_code::invalid_argument, "sample_covariance takes no initial value",
              [&] { onefold::sample_covariance(x, x, from); });
  check_error(onefold::error_code::unsupported, "cuda",
              [&] { onefold::correlation(x, x, {.backend = onefold::backend::cuda}); });
}
