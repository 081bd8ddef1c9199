// options.init: folded in once, after everything else, in the result's type; refused where it has no meaning or no
// place.
#include <cmath>
#include <limits>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"

namespace {

onefold::options from(onefold::initial init) {
  auto how = support::on_backend();
  how.init = init;
  return how;
}

/// The message of the error that f throws, which must have the code.
template <class F>
std::string refusal(F f, onefold::error_code code = onefold::error_code::invalid_argument) {
  try {
    f();
  } catch (const onefold::error& e) {
    CHECK(e.code() == code);
    return e.what();
  }
  return "no error";
}

template <class T>
std::vector<T> some(std::size_t n, T x) {
  return std::vector<T>(n, x);
}

// One page, a few, and enough for threads.
const std::vector<std::size_t> sizes{0, 3, 5000, 300000};

}  // namespace

TEST_CASE("an initial value is counted once") {
  for (const std::size_t n : sizes) {
    const auto halves = some(n, 0.5f);
    CHECK(onefold::sum(halves, from(2.5)) == static_cast<float>(n) / 2 + 2.5f);
    CHECK(onefold::sum(halves, from(7)) == static_cast<float>(n) / 2 + 7);
    CHECK(onefold::sum(some(n, std::int16_t{-1}), from(100)) == 100 - static_cast<std::int64_t>(n));
    CHECK(onefold::sum(some(n, std::uint8_t{1}), from(std::uint64_t{1} << 63)) == (std::uint64_t{1} << 63) + n);
    CHECK(onefold::product(some(n, 1.0), from(-3)) == -3.0);
    CHECK(onefold::bit_xor(some(n, std::uint32_t{0}), from(5u)) == 5u);
    CHECK(onefold::bit_and(some(n, std::uint32_t{7}), from(5u)) == 5u);
    CHECK(onefold::bit_or(some(n, std::uint32_t{2}), from(5u)) == (n ? 7u : 5u));
    auto wide = from(0.1);
    wide.accuracy = onefold::accuracy::wide;
    CHECK(onefold::reduce<float, onefold::op::sum, double>(halves, wide) == static_cast<double>(n) / 2 + 0.1);
  }
}

TEST_CASE("an initial value of zero, NaN and infinity") {
  // The zero of a sum is +0, whatever zeros went in; with an initial value it is the zero that IEEE addition gives.
  const auto signs = []<class T>(T minus) {
    for (const auto mode : {onefold::accuracy::native, onefold::accuracy::wide, onefold::accuracy::kahan})
      for (const std::size_t n : sizes) {
        auto how = support::on_backend(mode, 3);
        const auto zero = [&](const std::vector<T>& x) { return onefold::reduce<T, onefold::op::sum, double>(x, how); };
        auto zeros = some(n, minus);
        CHECK_FALSE(std::signbit(zero(zeros)));
        how.init = 0.0;
        CHECK_FALSE(std::signbit(zero(zeros)));
        how.init = 0;
        CHECK_FALSE(std::signbit(zero(zeros)));
        how.init = -0.0;
        CHECK(std::signbit(zero(zeros)));
        CHECK(zero(zeros) == 0);
        if (n == 0) continue;
        zeros.back() = T{};
        CHECK_FALSE(std::signbit(zero(zeros)));
      }
  };
  signs(-0.0f);
  signs(-0.0);
  signs(onefold::f16(-0.0f));
  const std::vector<float> zeros(5000, -0.0f);
  CHECK(std::isnan(onefold::sum(zeros, from(std::nan("")))));
  CHECK(onefold::sum(zeros, from(std::numeric_limits<double>::infinity())) == std::numeric_limits<float>::infinity());
}

TEST_CASE("an initial value is as exact as the result, and both are rounded once") {
  // In a result that is wider than the state.
  for (const std::size_t n : sizes) {
    CHECK(onefold::reduce<float, onefold::op::sum, double>(some(n, 0.5f), from(0.1)) ==
          static_cast<double>(n) / 2 + 0.1);
    CHECK(onefold::reduce<float, onefold::op::product, double>(some(n, 1.0f), from(0.1)) == 0.1);
    CHECK(onefold::reduce<onefold::f16, onefold::op::sum, double>(some(n, onefold::f16(0.0f)), from(0.1)) == 0.1);
    auto kahan = from(0.1);
    kahan.accuracy = onefold::accuracy::kahan;
    CHECK(onefold::reduce<float, onefold::op::sum, double>(some(n, 0.5f), kahan) == static_cast<double>(n) / 2 + 0.1);
  }
  // In a state that is wider than the result: 1 + 2^-24 is a tie of f32, which the smaller number decides.
  for (const auto mode : {onefold::accuracy::wide, onefold::accuracy::kahan, onefold::accuracy::exact}) {
    auto how = from(0x1p-24);
    how.accuracy = mode;
    CHECK(onefold::sum(std::vector<float>{1, 0x1p-48f}, how) == 1 + 0x1p-23f);
    CHECK(onefold::sum(std::vector<float>{1, -0x1p-48f}, how) == 1);
    how.init = 0x1p-53;
    CHECK(onefold::sum(std::vector<double>{1, 0x1p-100}, how) == 1 + 0x1p-52);
    CHECK(onefold::sum(std::vector<double>{1, -0x1p-100}, how) == 1);
  }
  auto wide = from(1 + 0x1p-52);
  wide.accuracy = onefold::accuracy::wide;
  CHECK(onefold::product(std::vector<double>{1 + 0x1p-52, 1 - 0x1p-52}, wide) == 1 + 0x1p-52);
}

TEST_CASE("an initial value takes part in min and max") {
  for (const std::size_t n : {std::size_t{3}, std::size_t{5000}, std::size_t{300000}}) {
    CHECK(onefold::min(some(n, 2.0f), from(1)) == 1);
    CHECK(onefold::min(some(n, 2.0f), from(3)) == 2);
    CHECK(onefold::max(some(n, 2.0), from(3.5)) == 3.5);
    CHECK(onefold::max(some(n, std::int8_t{-5}), from(-7)) == -5);
  }
}

TEST_CASE("an initial value must fit an integer result") {
  const auto misfit = [](const std::string& message) {
    INFO(message);
    return message.starts_with("the initial value ") &&
           message.find(" does not fit the result type ") != std::string::npos;
  };
  const auto signed_sum = [](onefold::initial x) { return onefold::sum(some(3, 1), from(x)); };
  const auto unsigned_sum = [](onefold::initial x) { return onefold::sum(some(3, 1u), from(x)); };
  const auto small_max = [](onefold::initial x) { return onefold::max(some(3, std::int8_t{1}), from(x)); };
  for (const double x : {2.5, 1e300, -1e300, 9223372036854775808.0, std::nan(""), HUGE_VAL, -HUGE_VAL, 5e-324}) {
    INFO(x);
    CHECK(misfit(refusal([&] { signed_sum(x); })));
    if (x != 9223372036854775808.0) CHECK(misfit(refusal([&] { unsigned_sum(x); })));
  }
  CHECK(misfit(refusal([&] { unsigned_sum(-1); })));
  CHECK(misfit(refusal([&] { unsigned_sum(-1.0); })));
  CHECK(misfit(refusal([&] { unsigned_sum(18446744073709551616.0); })));
  CHECK(misfit(refusal([&] { signed_sum(std::numeric_limits<std::uint64_t>::max()); })));
  for (const int x : {128, -129, 1 << 20}) {
    CHECK(misfit(refusal([&] { small_max(x); })));
    CHECK(misfit(refusal([&] { small_max(double{static_cast<double>(x)}); })));
  }
  CHECK(refusal([&] { signed_sum(2.5); }) == "the initial value 2.5 does not fit the result type i64");
  CHECK(refusal([&] { small_max(-129); }) == "the initial value -129 does not fit the result type i8");
  CHECK(unsigned_sum(9223372036854775808.0) == (std::uint64_t{1} << 63) + 3);
  CHECK(signed_sum(-9223372036854775808.0) == std::numeric_limits<std::int64_t>::min() + 3);
  CHECK(signed_sum(std::numeric_limits<std::int64_t>::min()) == std::numeric_limits<std::int64_t>::min() + 3);
  CHECK(small_max(127) == 127);
  CHECK(small_max(-128) == 1);
  CHECK(small_max(2.0) == 2);
}

TEST_CASE("a finite initial value must be finite in a floating-point result") {
  const auto sixteen = [](onefold::initial x) { return onefold::max(some(3, onefold::f16(1.0f)), from(x)); };
  const auto brain = [](onefold::initial x) { return onefold::max(some(3, onefold::bf16(1.0f)), from(x)); };
  const auto single = [](onefold::initial x) { return onefold::sum(some(3, 1.0f), from(x)); };
  CHECK(refusal([&] { sixteen(65520); }) == "the initial value 65520 does not fit the result type f16");
  CHECK(refusal([&] { sixteen(-70000.0); }) == "the initial value -70000 does not fit the result type f16");
  CHECK(refusal([&] { brain(3.4e38); }) == "the initial value 3.4e+38 does not fit the result type bf16");
  CHECK(refusal([&] { single(1e39); }) == "the initial value 1e+39 does not fit the result type f32");
  CHECK(static_cast<float>(sixteen(65519)) == 65504.0f);
  CHECK(std::isinf(static_cast<float>(sixteen(HUGE_VAL))));
  CHECK(std::isnan(single(std::nan(""))));
  CHECK(onefold::max(some(3, 1.0f), from(16777217)) == 16777216.0f);  // rounded, as any number is
}

TEST_CASE("operations that have no use for an initial value refuse it") {
  const std::vector<float> data{1, 2, 3};
  CHECK(refusal([&] { onefold::mean(data, from(1.0)); }) == "mean takes no initial value");
  CHECK(refusal([&] { onefold::variance(data, from(1.0)); }) == "variance takes no initial value");
  CHECK(refusal([&] { onefold::argmax(data, from(1)); }) == "argmax takes no initial value");
  CHECK(refusal([&] { onefold::plan<float, onefold::op::stddev>(3, from(1)); }) == "stddev takes no initial value");
  // A result of several numbers has no type that an initial value could be converted to.
  CHECK(refusal([&] { onefold::minmax(data, from(1)); }) == "minmax takes no initial value");
  CHECK(refusal([&] { onefold::moments(data, from(1)); }) == "moments takes no initial value");
}

TEST_CASE("an initial value of 16 bits, and one for a result of 16 bits") {
  CHECK(onefold::sum(some(4, 1.0f), from(onefold::f16(0.5f))) == 4.5f);
  CHECK(onefold::sum(some(4, 1.0f), from(onefold::bf16(0.5f))) == 4.5f);
  CHECK(static_cast<float>(onefold::max(some(4, onefold::f16(1.0f)), from(1.5))) == 1.5f);
  CHECK(static_cast<float>(onefold::reduce<onefold::bf16, onefold::op::sum, onefold::bf16>(some(4, onefold::bf16(1.0f)),
                                                                                           from(2))) == 6.0f);
}

TEST_CASE("a plan folds its initial value into each run") {
  onefold::plan<double, onefold::op::sum> p(300000, from(10));
  const auto data = some(300000, 1.0);
  for (const std::int64_t n : {300000, 0, 1, 5000, 300000}) CHECK(p(data.data(), n) == 10.0 + static_cast<double>(n));
}
