// central_moments: exact oracles over integers, the bits of the same operation lane by lane, and the same bits however
// the elements are divided.
#include "onefold/central_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "onefold/onefold.hpp"
#include "onefold/partial.hpp"
#include "onefold/statistics.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_runs.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/exact_moments.hpp"

namespace op = onefold::op;
using lane_by_lane = onefold::detail::central_moments_of_lanes;
using onefold::central_moments_result;
using support::error_of;
using support::exact_moments_of;
using support::on_backend;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<int> skewed(std::int64_t n) {
  support::random_numbers r(97);
  std::vector<int> x;
  for (std::int64_t i = 0; i < n; ++i) x.push_back(static_cast<int>(std::exp(1.2 * r.normal()) * 10));
  return x;
}

/// Like ==, with the bits of NaN.
bool same_bits(const central_moments_result& a, const central_moments_result& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class Results>
void check_rows(const Results& results, const std::vector<float>& x, std::size_t rows, std::size_t row) {
  REQUIRE(results.size() == rows);
  for (std::size_t r = 0; r < rows; ++r)
    CHECK(same_bits(results[r], onefold::central_moments(std::span(x).subspan(r * row, row), on_backend())));
}

}  // namespace

TEST_CASE("moments are those of exact integer arithmetic, however far the elements are from zero") {
  for (const std::int64_t n : {4, 5, 100, 2047, 50'000})
    for (const double offset : {0.0, 1e6, -1e9, 0x1p40, 0x1p50}) {
      INFO("n " << n << " offset " << offset);
      const std::vector<int> x = skewed(n);
      std::vector<double> moved(x.begin(), x.end());
      for (double& y : moved) y += offset;
      const exact_moments_of exact(x);
      const auto found =
          onefold::central_moments(moved, on_backend(onefold::accuracy::native, 1 + static_cast<int>(n % 3)));
      CHECK(found.n == n);
      const long double mean = exact.mean + static_cast<long double>(offset);
      CHECK(std::abs(static_cast<long double>(found.mean) - mean) <=
            std::abs(mean) * 0x1.01p-53L + exact.mean * 1e-15L);
      CHECK(error_of(found.variance(), exact.m2) < 2e-15);
      CHECK(error_of(found.sample_variance(), exact.m2 * exact.n / (exact.n - 1)) < 2e-15);
      CHECK(error_of(found.skewness(), exact.g1()) < 2e-15);
      CHECK(error_of(found.sample_skewness(), exact.G1()) < 2e-15);
      CHECK(error_of(found.excess_kurtosis(), exact.g2()) < 4e-15);
      CHECK(error_of(found.sample_excess_kurtosis(), exact.G2()) < 4e-15);
    }
}

TEST_CASE("an outlier costs at most some ulps, wherever it is") {
  for (const std::size_t at : {0u, 1u, 2047u, 2048u, 9999u})
    for (const int outlier : {100, 10'000, -100'000}) {
      INFO("element " << at << " is " << outlier);
      support::random_numbers r(5);
      std::vector<int> x(10'000);
      for (int& y : x) y = r.integer(-9, 9);
      x[at] = outlier;
      const exact_moments_of exact(x);
      const auto found = onefold::central_moments(std::vector<double>(x.begin(), x.end()), on_backend());
      CHECK(error_of(found.variance(), exact.m2) < 4e-15);
      CHECK(error_of(found.skewness(), exact.g1()) < 1e-14);
      CHECK(error_of(found.excess_kurtosis(), exact.g2()) < 2e-14);
    }
}

TEST_CASE("elements of every type become f64") {
  const std::vector<int> x = skewed(5000);
  const auto wanted = onefold::central_moments(std::vector<double>(x.begin(), x.end()), on_backend());
  const auto close = [&](const central_moments_result& found) {  // other element sizes have other lanes
    return found.n == wanted.n && error_of(found.mean, wanted.mean) < 1e-15 &&
           error_of(found.skewness(), wanted.skewness()) < 2e-15 &&
           error_of(found.excess_kurtosis(), wanted.excess_kurtosis()) < 4e-15;
  };
  CHECK(close(onefold::central_moments(x, on_backend())));
  CHECK(close(onefold::central_moments(std::vector<float>(x.begin(), x.end()), on_backend())));
  CHECK(close(onefold::central_moments(std::vector<std::uint16_t>(x.begin(), x.end()), on_backend())));
  CHECK(same_bits(onefold::central_moments(std::vector<std::int64_t>(x.begin(), x.end()), on_backend()), wanted));
  const std::vector<onefold::f16> halves{onefold::f16(1), onefold::f16(2), onefold::f16(4)};
  CHECK(onefold::central_moments(halves, on_backend()).sample_variance() == 7.0 / 3);
}

TEST_CASE("packs have the bits of the same operation lane by lane, with any number of threads") {
  auto x = support::lognormal_data<double>(40 * onefold::page_elements(sizeof(double)), 3);
  const auto check = [&] {
    for (const std::int64_t n : support::sizes(sizeof(double)))
      if (!same_bits(support::run<op::central_moments>(x, n), support::run<lane_by_lane>(x, n)))
        FAIL_CHECK("other bits for " << n << " elements");
  };
  check();
  for (double& y : x) y *= 1e75;  // fourth powers overflow, cubes do not
  check();
  for (double& y : x) y *= 1e79;  // squares overflow
  check();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 3) * 5e-324;
  check();
  for (std::size_t i = 5; i < x.size(); i += 4001) x[i] = infinity;
  check();
}

TEST_CASE("no elements change no state, to the bit") {
  using state = lane_by_lane::state;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const state none = lane_by_lane::identity();
  for (const state& s :
       {state{3, 1e300, -2, 5, -7, 9}, state{2, -1, -0.0, 5e-324, 0, 0}, state{4, 1, 2, infinity, 3, 4},
        state{4, 1, 2, 3, -infinity, infinity}, state{1, 0, infinity, nan, nan, nan}, none}) {
    const state left = lane_by_lane::combine(none, s), right = lane_by_lane::combine(s, none);
    CHECK(std::memcmp(&left, &s, sizeof s) == 0);
    CHECK(std::memcmp(&right, &s, sizeof s) == 0);
  }
}

TEST_CASE("axes, segments, keys and selections have the bits of their elements alone") {
  const auto x = support::lognormal_data<float>(120 * 50, 13);
  check_rows(onefold::central_moments(onefold::array_view<float>(x.data(), {120, 50}), 1, on_backend()), x, 120, 50);
  const std::vector<std::int64_t> offsets{0, 3000, 6000};
  check_rows(onefold::central_moments(onefold::segments(x, offsets), on_backend()), x, 2, 3000);
  std::vector<int> keys(x.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i / 1000);
  check_rows(onefold::central_moments(onefold::by_key(x, keys), on_backend()).results, x, 6, 1000);
  std::vector<std::uint8_t> mask(x.size());
  std::vector<float> selected;
  for (std::size_t i = 0; i < x.size(); i += 3) {
    mask[i] = 1;
    selected.push_back(x[i]);
  }
  CHECK(same_bits(onefold::central_moments(onefold::where(x, mask), on_backend()),
                  onefold::central_moments(selected, on_backend())));
  std::vector<central_moments_result> prefixes(x.size());
  onefold::inclusive_scan<float, op::central_moments>(x, prefixes, on_backend());
  for (const std::size_t n : {1u, 7u, 8u, 9u, 1025u, 4096u, 6000u})
    CHECK(same_bits(prefixes[n - 1], onefold::central_moments(std::span(x).first(n), on_backend())));
}

TEST_CASE("accumulators and joined partials have the bits of one reduction") {
  const auto x = support::lognormal_data<double>(5 * onefold::page_elements(sizeof(double)) + 77, 17);
  const std::span<const double> all(x);
  const auto wanted = onefold::central_moments(x, on_backend());
  using part = onefold::partial<double, op::central_moments>;
  support::random_numbers r(1);
  for (int k = 0; k < 50; ++k) {
    const auto first = static_cast<std::size_t>(r.integer(0, static_cast<int>(x.size())));
    const auto second = first + static_cast<std::size_t>(r.integer(0, static_cast<int>(x.size() - first)));
    const part a(all.first(first), 0, on_backend()), b(all.subspan(first, second - first), a.end(), on_backend()),
        c(all.subspan(second), b.end(), on_backend());
    CHECK(same_bits(join(join(a, b), c).result(), wanted));
    CHECK(same_bits(join(a, part::load(join(part::load(b.save()), c).save())).result(), wanted));
    onefold::accumulator<double, op::central_moments> pieces(on_backend());
    for (const auto& piece : {all.first(first), all.subspan(first, second - first), all.subspan(second)})
      pieces.push(piece);
    CHECK(same_bits(pieces.result(), wanted));
  }
}

TEST_CASE("the operation agrees with the verbs of several passes") {
  const auto x = support::normal_data<double>(30'000, 7);
  const auto found = onefold::central_moments(x, on_backend());
  CHECK(error_of(found.skewness(), onefold::skewness(x, on_backend())) < 2e-15);
  CHECK(error_of(found.sample_skewness(), onefold::sample_skewness(x, on_backend())) < 2e-15);
  CHECK(error_of(found.excess_kurtosis(), onefold::excess_kurtosis(x, on_backend())) < 4e-15);
  CHECK(error_of(found.sample_excess_kurtosis(), onefold::sample_excess_kurtosis(x, on_backend())) < 4e-15);
}

TEST_CASE("what has no moments") {
  const auto of = [](std::vector<double> x) { return onefold::central_moments(x, on_backend()); };
  const auto none = of({});
  CHECK(none.n == 0);
  CHECK(std::isnan(none.mean));
  CHECK(none.m2 == 0);
  CHECK(std::isnan(none.variance()));
  CHECK(std::isnan(none.sample_variance()));
  CHECK(std::isnan(of({1}).sample_variance()));
  CHECK(std::isnan(of({1, 3}).sample_skewness()));
  CHECK(of({1, 3}).skewness() == 0);
  CHECK(of({1, 3}).excess_kurtosis() == -2);
  CHECK(std::isnan(of({1, 3, 4}).sample_excess_kurtosis()));
  for (std::size_t n = 1; n < 400; ++n) {
    const auto equal = of(std::vector<double>(n, 1.0 / static_cast<double>(n)));
    CHECK(equal.mean == 1.0 / static_cast<double>(n));
    CHECK(equal.m4 == 0);
    CHECK(std::isnan(equal.skewness()));
  }
  for (const std::size_t n : {1u, 3u, 9u, 2047u, 5000u})
    for (const double special : {infinity, -infinity, std::nan("1")})
      for (const std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
        std::vector<double> x(n, 2.5);
        x[at] = special;
        INFO("element " << at << " of " << n << " is " << special);
        const auto found = of(x);
        const double mean = onefold::mean(x, on_backend());
        CHECK(std::memcmp(&found.mean, &mean, sizeof mean) == 0);
        CHECK(std::isnan(found.m2));
        CHECK(std::isnan(found.m3));
        CHECK(std::isnan(found.m4));
        x[n - 1 - at] = infinity;
        const double both = onefold::mean(x, on_backend()), found_both = of(x).mean;
        CHECK(std::memcmp(&found_both, &both, sizeof both) == 0);
      }
  auto how = on_backend();
  how.accuracy = onefold::accuracy::wide;
  support::check_error(onefold::error_code::unsupported, "does not apply to a user-defined operation",
                       [&] { onefold::central_moments(std::vector<double>{1}, how); });
}
