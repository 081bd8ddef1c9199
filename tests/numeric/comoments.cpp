// comoments: beside covariance and correlation, which have an exact oracle; the same bits however pairs are divided.
#include "onefold/comoments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

using onefold::accuracy;
using onefold::comoments_result;
using support::on_backend;

TEST_CASE("sums of distances are those of exact sums, however far the numbers are from zero") {
  for (const std::int64_t n : {1, 2, 33, 2049, 30'000})
    for (const double offset : {0.0, -1e9, 0x1p40}) {
      auto x = support::normal_data<double>(n, 1), y = support::normal_data<double>(n, 2);
      for (std::size_t i = 0; i < x.size(); ++i) {
        y[i] = y[i] - x[i] + 2 * offset;
        x[i] += offset;
      }
      INFO("n " << n << " offset " << offset);
      const auto how = on_backend(accuracy::native, 3), exact = on_backend(accuracy::exact);
      const comoments_result found = onefold::comoments(x, y, how);
      const double scale = onefold::stddev(x, exact) * onefold::stddev(y, exact);
      CHECK(found.n == n);
      CHECK(std::abs(found.mean_x - onefold::mean(x, exact)) <= 1e-15 * (std::abs(offset) + 1));
      CHECK(std::abs(found.mean_y - onefold::mean(y, exact)) <= 1e-15 * (2 * std::abs(offset) + 1));
      CHECK(std::abs(found.covariance() - onefold::covariance(x, y, exact)) <= 3e-15 * scale);
      if (n == 1) {
        CHECK(std::isnan(found.sample_covariance()));
        CHECK(std::isnan(found.correlation()));
        continue;
      }
      CHECK(std::abs(found.sample_covariance() - onefold::sample_covariance(x, y, exact)) <= 6e-15 * scale);
      CHECK(std::abs(found.correlation() - onefold::correlation(x, y, exact)) <= 3e-15);
      CHECK(found == onefold::comoments(x, y, {.backend = onefold::backend::sequential}));
    }
}

TEST_CASE("parts merge to the bits of the whole, and lines have those of each alone") {
  const auto x = support::lognormal_data<double>(10'000, 5), y = support::lognormal_data<double>(10'000, 6);
  const auto how = on_backend(accuracy::native, 2);
  const comoments_result whole = onefold::comoments(x, y, how);
  std::vector<onefold::number_pair> pairs;
  for (std::size_t i = 0; i < x.size(); ++i) pairs.push_back({x[i], y[i]});
  onefold::accumulator<onefold::number_pair, onefold::op::comoments> parts;
  for (std::size_t begin = 0, size = 7; begin < pairs.size(); begin += size, size = size * 2 + 1)
    parts.push(std::span(pairs).subspan(begin, std::min(size, pairs.size() - begin)));
  CHECK(parts.result() == whole);
  const onefold::array_view<double> a(x.data(), {100, 100}), b(y.data(), {100, 100});
  const auto columns = onefold::comoments(a, b, 0, how);
  REQUIRE(columns.size() == 100);
  for (std::size_t c = 0; c < 100; ++c) {
    std::vector<double> first, second;
    for (std::size_t r = 0; r < 100; ++r) {
      first.push_back(x[r * 100 + c]);
      second.push_back(y[r * 100 + c]);
    }
    CHECK(columns[c] == onefold::comoments(first, second, how));
  }
}

TEST_CASE("pairs that have no covariance") {
  const auto how = on_backend();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double odd : {infinite, -infinite, std::numeric_limits<double>::quiet_NaN()}) {
    const auto found = onefold::comoments(std::vector<double>{1, odd, 3}, std::vector<float>{4, 5, 7}, how);
    CHECK(std::isnan(found.xx));
    CHECK(std::isnan(found.xy));
    CHECK_FALSE(std::isfinite(found.mean_x));
    CHECK(std::abs(found.yy - 14.0 / 3) < 1e-15);
  }
  const auto equal = onefold::comoments(std::vector<int>{3, 3, 3}, std::vector<int>{1, 2, 3}, how);
  CHECK(equal.covariance() == 0);
  CHECK(std::isnan(equal.correlation()));
  const auto none = onefold::comoments(std::vector<double>{}, std::vector<double>{}, how);
  CHECK(none.n == 0);
  CHECK(std::isnan(none.mean_x));
  CHECK(none.xy == 0);
  const double nan = std::numeric_limits<double>::quiet_NaN();  // also the bits
  for (const auto& few : {none, onefold::comoments(std::vector<double>{1}, std::vector<double>{2}, how)}) {
    CHECK(support::bits_of(few.sample_covariance()) == support::bits_of(nan));
    CHECK(support::bits_of(few.correlation()) == support::bits_of(nan));
  }
  // Whose squares leave f64: 0.132 by more than this knows.
  for (const double scale : {1e-200, 1e200}) {
    const std::vector<double> far{1 * scale, 3 * scale, 2 * scale}, near{1, 2, -5};
    CHECK(std::isnan(onefold::comoments(far, near, how).correlation()));
  }
  const auto negative = onefold::comoments(std::vector<double>{nan, -nan}, std::vector<double>{67, -nan}, how);
  CHECK(support::bits_of(negative.mean_x) == support::bits_of(nan));
  CHECK(support::bits_of(negative.xy) == support::bits_of(nan));
  support::check_error(onefold::error_code::invalid_argument, "must be equal", [&] {
    onefold::comoments(std::vector<double>{1}, std::vector<double>{1, 2}, how);
  });
}
