// The verbs of vectors: what their documentation says they compute, of whole arrays and along axes.
#include "onefold/vectors.hpp"

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
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
using onefold::f16;
using onefold::norm;
using support::bits_of;

onefold::options exactly(int threads = 0) { return support::on_backend(accuracy::exact, threads); }

/// For f64 that are not two contiguous vectors.
onefold::options exactly_on_cpu(int threads = 0) { return support::on_cpu(exactly(threads)); }

template <class T>
std::vector<T> random_vector(std::int64_t n, support::random_numbers& r) {
  std::vector<T> x(static_cast<std::size_t>(n));
  support::fill<T>(x.data(), n, r);
  return x;
}

/// f(x[i], y[i]) as a V.
template <class V, class X, class Y, class F>
std::vector<V> values(const std::vector<X>& x, const std::vector<Y>& y, F f) {
  std::vector<V> all;
  for (std::size_t i = 0; i < x.size(); ++i) all.push_back(f(x[i], y[i]));
  return all;
}

/// f(x, y) of each row, which a verb along axis 1 must have the bits of.
template <class X, class Y, class Along, class Whole>
void check_rows(const std::vector<X>& x, const std::vector<Y>& y, std::int64_t rows, Along along, Whole whole) {
  const auto n = static_cast<std::int64_t>(x.size()) / rows;
  const auto found = along(array_view<X>(x.data(), {rows, n}), array_view<Y>(y.data(), {rows, n}));
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto row = static_cast<std::size_t>(r), size = static_cast<std::size_t>(n);
    CHECK(bits_of(found[row]) ==
          bits_of(whole(std::span(x).subspan(row * size, size), std::span(y).subspan(row * size, size))));
  }
}

const double infinite = std::numeric_limits<double>::infinity(),
             not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("dot is the sum of products in the type that is said") {
  support::random_numbers r(5);
  const auto check = [&]<class V, class X, class Y>(accuracy mode) {
    for (const std::int64_t n : {0, 1, 100, 4096, 50'000}) {
      const auto how = support::on_backend(mode, r.integer(1, 3));
      const auto x = random_vector<X>(n, r);
      const auto y = random_vector<Y>(n, r);
      const auto product = [](X a, Y b) {
        if constexpr (onefold::element<V> && std::is_integral_v<V>)
          return static_cast<V>(static_cast<std::make_unsigned_t<V>>(a) * static_cast<std::make_unsigned_t<V>>(b));
        else
          return static_cast<V>(static_cast<V>(static_cast<float>(a)) * static_cast<V>(static_cast<float>(b)));
      };
      using R = decltype(onefold::dot(x, y, how));
      const auto meant = onefold::reduce<V, onefold::op::sum>(values<V>(x, y, product), how);
      static_assert(std::is_same_v<R, std::remove_cv_t<decltype(meant)>>);
      CHECK(bits_of(onefold::dot(x, y, how)) == bits_of(meant));
    }
  };
  for (const auto mode : {accuracy::native, accuracy::wide, accuracy::kahan}) {
    check.operator()<float, float, float>(mode);
    check.operator()<float, f16, onefold::bf16>(mode);
  }
  check.operator()<std::int32_t, std::int8_t, std::int8_t>(accuracy::native);
  check.operator()<std::uint32_t, std::uint16_t, std::uint16_t>(accuracy::native);
  check.operator()<std::int64_t, std::int32_t, std::int32_t>(accuracy::native);
  check.operator()<std::uint64_t, std::uint64_t, std::uint64_t>(accuracy::native);
  CHECK(onefold::dot(std::vector<std::int8_t>{-128, 127}, std::vector<std::int8_t>{-128, 127}) == 32513);
  CHECK(onefold::dot(std::vector<double>{0.5, 3}, std::vector<float>{4, 2}) == 8);
}

TEST_CASE("dot at accuracy exact is exact_dot, by rows too") {
  support::random_numbers r(6);
  const auto check = [&]<class T>() {
    for (const std::int64_t n : {0, 1, 130, 9000}) {
      const auto x = random_vector<T>(3 * n, r), y = random_vector<T>(3 * n, r);
      CHECK(bits_of(onefold::dot(x, y, exactly(2))) == bits_of(onefold::exact_dot<T>(x, y)));
      check_rows(
          x, y, 3,
          [](const auto& a, const auto& b) {
            return onefold::dot(a, b, 1, sizeof(T) == 8 ? exactly_on_cpu(2) : exactly(2));
          },
          [](auto a, auto b) { return onefold::exact_dot<T>(a, b); });
    }
  };
  check.operator()<float>();
  check.operator()<f16>();
  check.operator()<onefold::bf16>();
  check.operator()<double>();
  // Products that f32 does not hold.
  const std::vector<float> large{3e38f, 1e-30f, -3e38f}, also{3e38f, 1e-30f, 3e38f};
  CHECK(onefold::dot(large, also, exactly()) == 1e-30f * 0 + static_cast<float>(1e-30 * 1e-30));
}

TEST_CASE("exact dots of f64 that lie in any way") {
  support::random_numbers r(8);
  for (const std::int64_t n : {0, 1, 7, 513, 20'000}) {
    const auto x = random_vector<double>(n, r), y = random_vector<double>(n, r);
    const auto narrow = random_vector<float>(n, r);
    const double meant = onefold::exact_dot<double>(x, y);
    const std::vector<double> widened(narrow.begin(), narrow.end());
    const auto how = exactly(3), on_cpu = exactly_on_cpu(3);
    // Neighbors, by views of one axis, and every second one.
    const auto size = static_cast<std::size_t>(n);
    CHECK(bits_of(onefold::dot(array_view<double>(x.data(), {n}), y, how)) == bits_of(meant));
    CHECK(bits_of(onefold::dot(array_view<double>(x.data(), {n}), array_view<double>(y.data(), {n}), how)) ==
          bits_of(meant));
    std::vector<double> spread(2 * size);
    for (std::size_t i = 0; i < size; ++i) spread[2 * i] = x[i];
    CHECK(bits_of(onefold::dot(array_view<double>(spread.data(), {n}, {2}), y, on_cpu)) == bits_of(meant));
    CHECK(bits_of(onefold::dot(y, std::deque<double>(x.begin(), x.end()), on_cpu)) == bits_of(meant));
    CHECK(bits_of(onefold::dot(x, narrow, on_cpu)) == bits_of(onefold::exact_dot<double>(x, widened)));
    // Columns of a matrix, whose elements are not neighbors.
    const auto columns =
        onefold::dot(array_view<double>(x.data(), {n / 7, 7}), array_view<double>(y.data(), {n / 7, 7}), 0, on_cpu);
    REQUIRE(columns.size() == 7);
    for (std::size_t c = 0; c < 7; ++c) {
      std::vector<double> a, b;
      for (std::size_t i = c; i < size / 7 * 7; i += 7) {
        a.push_back(x[i]);
        b.push_back(y[i]);
      }
      CHECK(bits_of(columns[c]) == bits_of(onefold::exact_dot<double>(a, b)));
    }
  }
  const std::vector<double> two{1, 2}, three{1, 2, 3};
  const std::deque<double> pieces{1, 2};
  const auto refused = [](auto call) { return support::error_of(call) == onefold::error_code::invalid_argument; };
  CHECK(refused([&] { onefold::dot(array_view<double>(two.data(), {2}), three, exactly_on_cpu()); }));
  CHECK(refused([&] { onefold::dot(pieces, three, exactly_on_cpu()); }));
  onefold::options with_init = exactly_on_cpu();
  with_init.init = 1.0;
  CHECK(refused([&] { onefold::dot(pieces, two, with_init); }));
  CHECK(refused([&] { onefold::dot(array_view<double>(two.data(), {2}), two, with_init); }));
}

TEST_CASE("cosines of squares that vanish are 0") {
  const auto how = support::on_backend();
  CHECK(onefold::cosine_similarity(std::vector{1e-163, 1e-163}, std::vector{1e200, 1e200}, how) == 0);
  CHECK(onefold::cosine_similarity(std::vector{1e150, 0.0}, std::vector{1e-163, 0.0}, how) == 0);
  CHECK(std::isnan(onefold::cosine_similarity(std::vector{0.0, 0.0}, std::vector{1.0, infinite}, how)));
  CHECK_FALSE(std::signbit(onefold::cosine_similarity(std::vector{-1e-200}, std::vector{1.0}, how)));
}

TEST_CASE("cosines whose squares overflow are NaN") {
  const auto how = support::on_backend();
  CHECK(std::isnan(onefold::cosine_similarity(std::vector{1e200}, std::vector{1e200}, how)));
  CHECK(std::isnan(onefold::cosine_similarity(std::vector{1e200}, std::vector{1.0}, how)));
  CHECK(std::isnan(onefold::cosine_similarity(std::vector{1.0, 3.0}, std::vector{2e200, 1.0}, how)));
}

TEST_CASE("cosines") {
  const auto how = support::on_backend(accuracy::native, 3);
  support::random_numbers r(7);
  for (const std::int64_t n : {1, 3, 1000, 30'000}) {
    const auto x = support::normal_data<float>(n, 1), y = support::normal_data<float>(n, 2);
    long double xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      xy += static_cast<long double>(x[i]) * y[i];
      xx += static_cast<long double>(x[i]) * x[i];
      yy += static_cast<long double>(y[i]) * y[i];
    }
    const auto meant = static_cast<double>(xy / std::sqrt(xx * yy));
    CHECK(std::abs(onefold::cosine_similarity(x, y, how) - meant) <= 1e-7 * std::abs(meant) + 1e-13);
    CHECK(onefold::cosine_similarity(x, x, how) == 1);
    auto less = x;
    for (float& a : less) a *= -2;
    CHECK(onefold::cosine_similarity(x, less, how) == -1);
  }
  const auto of = [&](std::vector<double> x, std::vector<double> y) { return onefold::cosine_similarity(x, y, how); };
  for (const double scale : {1e-140, 1e140})  // the product of both sums of squares is beyond f64
    for (int i = 1; i < 100; ++i) CHECK(of({scale, scale * std::sqrt(i)}, {scale, scale * std::sqrt(i)}) == 1);
  CHECK(bits_of(of({0, 0}, {1, 2})) == bits_of(0.0));
  CHECK(bits_of(of({}, {})) == bits_of(0.0));
  CHECK(bits_of(of({1, not_a_number}, {1, 2})) == bits_of(not_a_number));
  CHECK(bits_of(of({infinite, 0}, {1, 2})) == bits_of(not_a_number));
  CHECK(std::abs(of({1e150, 0}, {1e150, 1e150}) - std::sqrt(0.5)) < 1e-15);
  CHECK(std::abs(of({1e-120, 0}, {1e-120, 1e-120}) - std::sqrt(0.5)) < 1e-15);
  CHECK(onefold::cosine_similarity(std::vector<int>{3, 4}, std::vector<int>{3, -4}, how) == -7.0 / 25);
  check_rows(
      support::normal_data<f16>(6000, 3), support::normal_data<f16>(6000, 4), 4,
      [&](const auto& a, const auto& b) { return onefold::cosine_similarity(a, b, 1, how); },
      [&](auto a, auto b) { return onefold::cosine_similarity(a, b, how); });
  CHECK(support::error_of([&] {
          onefold::cosine_similarity(std::vector<float>{1}, std::vector<float>{1}, {.init = 1});
        }) == onefold::error_code::invalid_argument);
}

TEST_CASE("weighted means") {
  const auto how = support::on_backend(accuracy::native, 2);
  CHECK(onefold::weighted_mean(std::vector<float>{1, 2, 4}, std::vector<float>{1, 0, 3}, how) == 3.25f);
  CHECK(onefold::weighted_mean(std::vector<int>{1, 2, 4}, std::vector<int>{1, 0, 2}, how) == 3);
  CHECK(bits_of(onefold::weighted_mean(std::vector<double>{}, std::vector<double>{}, how)) == bits_of(not_a_number));
  const std::int64_t heavy = 5'000'000'000'000'000'000;  // whose sum is beyond 64 bits
  CHECK(onefold::weighted_mean(std::vector<std::int64_t>{1, 3}, std::vector<std::int64_t>{heavy, heavy},
                               support::on_cpu(how)) == 2);
  CHECK(onefold::weighted_mean(std::vector<double>{2}, std::vector<double>{0}, exactly()) !=
        onefold::weighted_mean(std::vector<double>{2}, std::vector<double>{1}, how));
  // At accuracy exact both sums are exact: products of f32 in f64.
  const std::vector<float> x{1e20f, 1.0f + 0x1p-20f, -1e20f}, w{1, 1.0f + 0x1p-20f, 1};
  const double sum = (1 + 0x1p-20) * (1 + 0x1p-20);
  CHECK(onefold::weighted_mean(x, w, exactly()) == static_cast<float>(sum / (3 + 0x1p-20)));
  const std::vector<float> weights{1, 3};  // a weight for each row
  const std::vector<float> matrix{1, 2, 3, 5, 6, 7};
  const auto means = onefold::weighted_mean(array_view<float>(matrix.data(), {2, 3}),
                                            array_view<float>(weights.data(), {2, 3}, {1, 0}), 0, how);
  CHECK(std::vector<float>(means.begin(), means.end()) == std::vector<float>{4, 5, 6});
  // Sums of f32 products are in f64, at every accuracy.
  for (const auto mode : {onefold::accuracy::native, onefold::accuracy::wide, onefold::accuracy::kahan})
    CHECK(onefold::weighted_mean(std::vector<float>(1000, 1), std::vector<float>(1000, 3e38f),
                                 support::on_backend(mode)) == 1);
}

TEST_CASE("distances and norms") {
  const auto how = support::on_backend(accuracy::native, 2);
  support::random_numbers r(8);
  for (const std::int64_t n : {0, 1, 5000, 20'000}) {
    const auto x = random_vector<float>(n, r), y = random_vector<float>(n, r);
    const auto differences = values<float>(x, y, [](float a, float b) { return a < b ? b - a : a - b; });
    CHECK(bits_of(onefold::distance(x, y, norm::l1, how)) == bits_of(onefold::sum(differences, how)));
    CHECK(bits_of(onefold::distance(x, y, norm::l2, how)) == bits_of(onefold::norm2(differences, how)));
    auto from_zero = how;
    from_zero.init = 0;
    CHECK(bits_of(onefold::distance(x, y, norm::max, how)) == bits_of(onefold::max(differences, from_zero)));
    const auto magnitudes = values<float>(x, x, [](float a, float) { return std::abs(a); });
    CHECK(bits_of(onefold::norm1(x, how)) == bits_of(onefold::sum(magnitudes, how)));
    CHECK(bits_of(onefold::norm_inf(x, how)) == bits_of(onefold::max(magnitudes, from_zero)));
    if (n == 5000)
      for (const norm kind : {norm::l1, norm::l2, norm::max})
        check_rows(
            x, y, 5, [&](const auto& a, const auto& b) { return onefold::distance(a, b, 1, kind, how); },
            [&](auto a, auto b) { return onefold::distance(a, b, kind, how); });
  }
  const std::vector<std::int8_t> low{-128, 5}, high{127, 5};
  CHECK(onefold::distance(low, high, norm::l1, how) == 255);
  CHECK(onefold::distance(low, high, norm::l2, how) == 255);
  CHECK(onefold::distance(low, high, norm::max, how) == 255);
  CHECK(onefold::norm1(low, how) == 133);
  CHECK(onefold::norm_inf(low, how) == 128);
  const std::vector<std::int64_t> least{std::numeric_limits<std::int64_t>::min()},
      most{std::numeric_limits<std::int64_t>::max()};
  CHECK(onefold::distance(least, most, norm::max, how) == 0x1p64);
  CHECK(onefold::norm_inf(least, how) == std::uint64_t{1} << 63);
  CHECK(bits_of(onefold::norm_inf(std::vector<f16>{f16(-3.0f), f16(2.0f)}, how)) == bits_of(f16(3.0f)));
  CHECK(onefold::norm1(array_view<std::int8_t>(low.data(), {1, 2}), 1, how)[0] == 133);
  CHECK(onefold::norm_inf(array_view<std::int8_t>(low.data(), {1, 2}), 1, how)[0] == 128);
}

TEST_CASE("the caller's rounding mode changes nothing") {
  const auto how = support::on_backend(accuracy::native, 2);
  const auto x = support::normal_data<float>(5000, 8), y = support::normal_data<float>(5000, 9);
  const auto all = [&] {
    return std::vector{bits_of(onefold::dot(x, y, how)), bits_of(onefold::cosine_similarity(x, y, how)),
                       bits_of(onefold::weighted_mean(x, y, how)), bits_of(onefold::distance(x, y, norm::l2, how))};
  };
  const auto meant = all();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const auto found = all();
    std::fesetround(FE_TONEAREST);
    CHECK(found == meant);
  }
}

TEST_CASE("computed elements have the bits of an array of them") {
  if (onefold::is_accelerator(support::backend_under_test())) return;  // functions were not compiled for it
  const auto how = support::on_backend(accuracy::native, 2);
  const auto x = support::normal_data<double>(6000, 18), y = support::normal_data<double>(6000, 19);
  const auto half = [](double a) { return a / 2; };
  std::vector<double> halves;
  for (const double a : x) halves.push_back(half(a));
  const auto computed = onefold::mapped(half, x);
  CHECK(bits_of(onefold::dot(computed, y, how)) == bits_of(onefold::dot(halves, y, how)));
  CHECK(bits_of(onefold::cosine_similarity(y, computed, how)) == bits_of(onefold::cosine_similarity(y, halves, how)));
  CHECK(bits_of(onefold::distance(computed, y, norm::l1, how)) == bits_of(onefold::distance(halves, y, norm::l1, how)));
  CHECK(bits_of(onefold::weighted_mean(y, computed, how)) == bits_of(onefold::weighted_mean(y, halves, how)));
  CHECK(bits_of(onefold::norm1(computed, how)) == bits_of(onefold::norm1(halves, how)));
  CHECK(bits_of(onefold::norm_inf(computed, how)) == bits_of(onefold::norm_inf(halves, how)));
  const array_view<double> table(x.data(), {60, 100}), other(y.data(), {60, 100});
  const auto rows = onefold::dot(onefold::mapped(half, table), other, 1, how),
             stored = onefold::dot(array_view<double>(halves.data(), {60, 100}), other, 1, how);
  for (std::size_t i = 0; i < 60; ++i) CHECK(bits_of(rows[i]) == bits_of(stored[i]));
  const auto exact = support::on_backend(accuracy::exact, 2);
  CHECK(bits_of(onefold::dot(computed, y, exact)) == bits_of(onefold::exact_dot<double>(halves, y)));
  CHECK(bits_of(onefold::dot(y, onefold::mapped(half, std::deque<double>(x.begin(), x.end())), exact)) ==
        bits_of(onefold::exact_dot<double>(y, halves)));
  const auto exact_rows = onefold::dot(other, onefold::mapped(half, table), 1, exact);
  for (std::size_t i = 0; i < 60; ++i)
    CHECK(bits_of(exact_rows[i]) ==
          bits_of(onefold::exact_dot<double>({halves.data() + 100 * i, 100}, {y.data() + 100 * i, 100})));
}

TEST_CASE("the angle to elements that are computed of two arrays") {
  if (onefold::is_accelerator(support::backend_under_test())) return;
  const auto how = support::on_backend(accuracy::native, 2);
  const auto x = support::normal_data<double>(3000, 20), y = support::normal_data<double>(3000, 21);
  const auto product = [](double a, double b) { return a * b; };
  std::vector<double> products;
  for (std::size_t i = 0; i < x.size(); ++i) products.push_back(product(x[i], y[i]));
  const auto computed = onefold::mapped(product, x, y);
  CHECK(bits_of(onefold::cosine_similarity(computed, x, how)) == bits_of(onefold::cosine_similarity(products, x, how)));
  CHECK(bits_of(onefold::cosine_similarity(y, computed, how)) == bits_of(onefold::cosine_similarity(y, products, how)));
}
