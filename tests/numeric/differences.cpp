// The table "Differs from NumPy, CUB, C++" of docs/semantics.md, a line a check. NumPy's values were taken from NumPy
// 2.4 on x86-64; C++'s are computed here.
#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/special.hpp"

namespace {

using onefold::accuracy;
using support::inf;
using support::on_backend;
namespace op = onefold::op;

const double quiet_nan = std::numeric_limits<double>::quiet_NaN();

/// Bits: numbers that differ in a zero's sign or a NaN's bits differ.
std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

onefold::error_code refused(auto&& f) {
  try {
    f();
  } catch (const onefold::error& e) {
    return e.code();
  }
  FAIL("no error");
  return {};
}

onefold::options from(onefold::initial init) {
  auto how = on_backend();
  how.init = init;
  return how;
}

template <class It>
auto place(It found, const std::vector<double>& x) {
  return found - x.begin();
}

}  // namespace

TEST_CASE("argmax of {-0, +0}") {
  const std::vector<double> x{-0.0, 0.0};
  constexpr std::int64_t numpy = 0;
  CHECK(onefold::argmax(x, on_backend()) == 1);
  CHECK(onefold::argmax(x, on_backend()) != numpy);
  CHECK(place(std::ranges::max_element(x), x) == 0);
}

TEST_CASE("max of {+0, -0}, of {-0, +0}") {
  for (const std::vector<double>& x : {std::vector{0.0, -0.0}, std::vector{-0.0, 0.0}}) {
    CHECK(bits(onefold::max(x, on_backend())) == bits(0.0));
    CHECK(bits(*std::ranges::max_element(x)) == bits(x[0]));
  }
}

TEST_CASE("min of {1, NaN}, of {NaN, 1}") {
  const std::vector<double> last{1, quiet_nan}, first{quiet_nan, 1};
  for (const auto& x : {last, first}) {
    CHECK(std::isnan(onefold::min(x, on_backend())));  // NumPy: nan
    CHECK(onefold::fmin(x, on_backend()) == 1);        // NumPy's fmin.reduce: 1.0
  }
  CHECK(*std::ranges::min_element(last) == 1);
  CHECK(std::isnan(*std::ranges::min_element(first)));
}

TEST_CASE("argmax of {1, NaN, NaN}") {
  const std::vector<double> x{1, quiet_nan, quiet_nan};
  constexpr std::int64_t numpy = 1;
  CHECK(onefold::argmax(x, on_backend()) == numpy);
  CHECK(place(std::ranges::max_element(x), x) == 0);
}

TEST_CASE("min, mean and variance of no elements") {
  const std::vector<double> none;
  CHECK(refused([&] { onefold::min(none, on_backend()); }) == onefold::error_code::empty_input);  // NumPy: ValueError
  CHECK(onefold::min(none, from(3.0)) == 3);  // NumPy's initial=3.0: 3.0
  CHECK(std::ranges::min_element(none) == none.end());
  CHECK(refused([&] { onefold::mean(none, on_backend()); }) == onefold::error_code::empty_input);      // NumPy: nan
  CHECK(refused([&] { onefold::variance(none, on_backend()); }) == onefold::error_code::empty_input);  // NumPy: nan
}

TEST_CASE("norm2 of {inf, NaN}, of {1e200, 1e200}") {
  CHECK(std::isnan(onefold::norm2(std::vector{inf, quiet_nan}, on_backend())));  // NumPy: nan
  CHECK(std::hypot(inf, quiet_nan) == inf);
  const std::vector<double> large{1e200, 1e200};
  CHECK(onefold::norm2(large, on_backend()) == inf);  // NumPy: inf
  CHECK(onefold::norm2(large, on_backend(accuracy::exact)) == std::hypot(1e200, 1e200));
}

TEST_CASE("sums and means of f16") {
  const std::vector<onefold::f16> x(4, onefold::f16(30000));
  const auto sum = onefold::sum(x, on_backend());
  STATIC_REQUIRE(std::is_same_v<decltype(sum), const float>);
  CHECK(sum == 120000);  // NumPy: float16(inf)
  // An accumulator of the element type, as of NumPy, CUB and std::accumulate.
  onefold::f16 narrow(0.0f);
  for (const auto y : x) narrow = onefold::f16(static_cast<float>(narrow) + static_cast<float>(y));
  CHECK(std::isinf(static_cast<float>(narrow)));
  STATIC_REQUIRE(std::is_same_v<decltype(onefold::mean(x)), float>);  // NumPy: float16
  CHECK(onefold::mean(x, on_backend()) == 30000);
}

TEST_CASE("sums of integers at the end of their range") {
  const std::vector<std::int32_t> narrow{std::numeric_limits<std::int32_t>::max(), 1};
  const auto sum = onefold::sum(narrow, on_backend());
  STATIC_REQUIRE(std::is_same_v<decltype(sum), const std::int64_t>);  // NumPy: int64
  CHECK(sum == 2147483648);
  const std::vector<std::int64_t> wide{std::numeric_limits<std::int64_t>::max(), 1};
  CHECK(onefold::sum(wide, on_backend()) == std::numeric_limits<std::int64_t>::min());  // NumPy: the same
  CHECK(refused([&] { onefold::sum(wide, on_backend(accuracy::exact)); }) == onefold::error_code::overflow);
}

TEST_CASE("sum of integers with the initial value 0.5") {
  const std::vector<std::int32_t> x{1, 2, 3};
  CHECK(refused([&] { onefold::sum(x, from(0.5)); }) == onefold::error_code::invalid_argument);  // NumPy: 6
  CHECK(onefold::reduce<std::int32_t, op::sum, double>(x, from(0.5)) == 6.5);  // NumPy, dtype=float64: 6.5
  CHECK(std::accumulate(x.begin(), x.end(), 0.5) == 6.5);
}

TEST_CASE("the bits of inf - inf") {
  constexpr std::uint64_t numpy = 0xfff8000000000000;
  CHECK(bits(onefold::sum(std::vector{inf, -inf}, on_backend())) == 0x7ff8000000000000);
  CHECK(bits(onefold::sum(std::vector{inf, -inf}, on_backend())) != numpy);
}

TEST_CASE("exception flags, and the caller's rounding mode") {
  const std::vector<double> x{1, 0x1p-60};
  volatile double sum = x[0];
  std::feraiseexcept(FE_DIVBYZERO);
  CHECK(onefold::sum(x, on_backend()) == 1);
  CHECK(std::fetestexcept(FE_DIVBYZERO) != 0);
  std::feclearexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_UPWARD);
  const double upward = onefold::sum(x, on_backend());
  sum = sum + x[1];
  std::fesetround(FE_TONEAREST);
  CHECK(upward == 1);
  CHECK(sum == 1 + 0x1p-52);
  CHECK(std::fetestexcept(FE_INEXACT) != 0);
}
