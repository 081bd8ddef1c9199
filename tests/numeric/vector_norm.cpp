// vector_norm against powers and roots in the precision of long double.
#include "onefold/vector_norm.hpp"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using onefold::array_view;
using onefold::vector_norm;
using support::bits_of;

const double infinite = std::numeric_limits<double>::infinity(),
             not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
long double power_root(const std::vector<T>& x, double p) {
  long double sum = 0, largest = 0;
  for (const T& a : x) largest = std::max(largest, std::fabs(static_cast<long double>(a)));
  for (const T& a : x) sum += std::pow(std::fabs(static_cast<long double>(a)) / largest, static_cast<long double>(p));
  return largest * std::pow(sum, 1 / static_cast<long double>(p));
}

}  // namespace

TEST_CASE("norms are roots of sums of powers, within the bound that is said") {
  const auto how = support::on_backend(accuracy::exact, 2);
  double worst = 0;
  for (const std::int64_t n : {1, 2, 3, 129, 5000, 40'000})
    for (const double p : {0.25, 0.5, 1.5, 2.5, 3.0, 4.0, 7.75, 100.0, 1e6})
      for (const double scale : {1.0, 1e-300, 1e300}) {
        auto x = support::normal_data<double>(n, 1);
        for (double& a : x) a *= scale;
        const long double meant = power_root(x, p);
        if (meant > std::numeric_limits<double>::max()) continue;
        const double found = vector_norm(x, p, how), unit = std::fabs(found) * 0x1p-53;
        const double off = static_cast<double>(std::fabs(found - meant)) / unit;
        const double bound = 2 * (3 + (3 + 2 * std::log2(static_cast<double>(n))) / p);
        worst = std::max(worst, off / bound);
      }
  CHECK(worst <= 1);
  CHECK(worst > 0);
  for (const std::int64_t n : {1, 700, 30'000}) {
    const auto x = support::normal_data<float>(n, 2);
    CHECK(std::fabs(vector_norm(x, 3, how) - power_root(x, 3)) <= 0x1p-24L * power_root(x, 3) * (1 + 1e-6L));
  }
}

TEST_CASE("norms with p of 1, 2 and infinity are those of the verbs") {
  for (const auto mode : {accuracy::native, accuracy::wide, accuracy::exact}) {  // those of norm2
    const auto how = support::on_backend(mode, 2);
    for (const std::int64_t n : {0, 1, 5000, 30'000}) {
      const auto x = support::normal_data<float>(n, 3);
      CHECK(bits_of(vector_norm(x, 1, how)) == bits_of(onefold::norm1(x, how)));
      CHECK(bits_of(vector_norm(x, 2, how)) == bits_of(onefold::norm2(x, how)));
      CHECK(bits_of(vector_norm(x, infinite, how)) == bits_of(onefold::norm_inf(x, how)));
    }
  }
  const std::vector<std::int8_t> low{-128, 5};
  CHECK(vector_norm(low, 1, support::on_backend()) == 133.0);
  CHECK(vector_norm(low, infinite, support::on_backend()) == 128.0);
  CHECK(std::fabs(vector_norm(low, 3, support::on_backend()) - std::cbrt(128.0 * 128 * 128 + 125)) < 1e-13);
}

TEST_CASE("norms of rows have the bits of those of each row") {
  const auto how = support::on_backend(accuracy::native, 3);
  const auto x = support::normal_data<double>(6 * 700, 4);
  const array_view<double> cube(x.data(), {3, 2, 700});
  for (const double p : {1.0, 2.0, 2.5, infinite}) {
    const auto rows = vector_norm(cube, p, 2, how);
    REQUIRE(rows.size() == 6);
    REQUIRE(rows.extents().size() == 2);
    for (std::size_t i = 0; i < 6; ++i)
      CHECK(bits_of(rows[i]) == bits_of(vector_norm(std::span(x).subspan(700 * i, 700), p, how)));
    const auto outer = vector_norm(cube, p, {0, 2}, how);
    REQUIRE(outer.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      std::vector<double> line;
      for (std::size_t k = i; k < 6; k += 2) line.insert(line.end(), &x[700 * k], &x[700 * k] + 700);
      CHECK(bits_of(outer[i]) == bits_of(vector_norm(line, p, how)));
    }
    const auto columns = vector_norm(array_view<double>(x.data(), {700, 6}), p, -2, how);
    for (std::size_t c = 0; c < 6; ++c) {
      std::vector<double> column;
      for (std::size_t i = c; i < x.size(); i += 6) column.push_back(x[i]);
      CHECK(bits_of(columns[c]) == bits_of(vector_norm(std::deque<double>(column.begin(), column.end()), p, how)));
    }
  }
  const auto halves = onefold::mapped([](double a) { return a / 2; }, x);
  std::vector<double> stored;
  for (const double a : x) stored.push_back(a / 2);
  CHECK(bits_of(vector_norm(halves, 3, how)) == bits_of(vector_norm(stored, 3, how)));
}

TEST_CASE("norms of zeros, infinities and NaNs") {
  const auto how = support::on_backend();
  const auto of = [&](std::vector<double> x, double p) { return vector_norm(x, p, how); };
  for (const double p : {0.5, 1.0, 2.0, 3.0, infinite}) {
    CHECK(bits_of(of({}, p)) == bits_of(0.0));
    CHECK(bits_of(of({0, -0.0}, p)) == bits_of(0.0));
    CHECK(of({1, -infinite}, p) == infinite);
    CHECK(bits_of(of({1, not_a_number, infinite}, p)) == bits_of(not_a_number));
  }
  CHECK(of({5e-324, 5e-324}, 3) == 5e-324);
  CHECK(of({-7}, 3) == 7);
  CHECK(of({1e308, 1e308, 1e308, 1e308}, 0.5) == infinite);
  // Quotients of elements and roots of sums that are beyond f64.
  const auto near = [&](std::vector<double> x, double p, double meant) {
    return std::fabs(of(std::move(x), p) / meant - 1) < 4e-15 / p;
  };
  CHECK(near({1e200, 1e-200}, 0.01, 1.010049662092876537e200));
  CHECK(near({1e200, 1e-200}, 0.002, 8.831146141049282931e231));
  CHECK(near({1e10, 1e-310}, 0.01, 10651076112.22744892));
  CHECK(near({1e-310, 1e-310, 1e-310, 1e-310}, 0.001, 1.148130695274217884e292));
  CHECK(std::fabs(onefold::vector_norm({3.0, 4.0, 5.0}, 3, how) - 6) < 1e-14);
  const double empty = 0;
  const auto none = vector_norm(array_view<double>(&empty, {2, 0}), 3, 1, how);
  CHECK((none.size() == 2 && none[0] == 0 && none[1] == 0));
  CHECK(vector_norm(array_view<double>(&empty, {0, 2}), 3, 1, how).size() == 0);
  const auto refused = [&](double p, const onefold::options& with) {
    return support::error_of([&] { vector_norm(std::vector{1.0}, p, with); }) == onefold::error_code::invalid_argument;
  };
  for (const double p : {0.0, -1.0, -infinite, not_a_number}) CHECK(refused(p, how));
  CHECK(refused(3, {.init = 1.0}));
}

TEST_CASE("the caller's rounding mode does not change norms") {
  const auto how = support::on_backend();
  const auto x = support::normal_data<float>(5000, 5);
  const auto meant = bits_of(vector_norm(x, 3, how));
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const auto found = bits_of(vector_norm(x, 3, how));
    std::fesetround(FE_TONEAREST);
    CHECK(found == meant);
  }
}
