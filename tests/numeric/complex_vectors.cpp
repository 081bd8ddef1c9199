// dot, norm1 and norm_inf of complex numbers: Gaussian integers exactly, moduli beside long double, the ends of the
// range, NaN and infinities, axes, and the same bits on every CPU backend.
#include "onefold/complex_vectors.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <vector>

#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

using onefold::accuracy;
using onefold::array_view;
using support::bits_of;
using support::check_error;
using support::on_backend;

namespace {

template <class T>
using numbers = std::vector<std::complex<T>>;

constexpr double infinite = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
numbers<T> gaussian_integers(std::size_t n, std::uint64_t seed) {
  support::random_numbers r(seed);
  numbers<T> x;
  for (std::size_t i = 0; i < n; ++i)
    x.emplace_back(static_cast<T>(r.integer(-30, 30)), static_cast<T>(r.integer(-30, 30)));
  return x;
}

template <class T>
void check_type() {
  for (const std::size_t n : {0u, 1u, 5u, 2048u, 30'001u}) {
    const auto x = gaussian_integers<T>(n, 1), y = gaussian_integers<T>(n, 2);
    std::complex<double> meant;
    long double moduli = 0, largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      meant += std::complex<double>(x[i]) * std::complex<double>(y[i]);
      const auto m = std::hypot(static_cast<long double>(x[i].real()), static_cast<long double>(x[i].imag()));
      moduli += m;
      largest = std::max(largest, m);
    }
    for (const auto mode : {accuracy::native, accuracy::wide, accuracy::kahan, accuracy::exact})
      for (const int threads : {1, 3}) {
        const auto how = on_backend(mode, threads);
        CHECK(onefold::dot(x, y, how) == std::complex<T>(meant));
        const auto ulps = static_cast<double>(std::numeric_limits<T>::epsilon());
        CHECK(std::abs(onefold::norm1(x, how) - moduli) <= 2 * ulps * moduli);
        if (mode == accuracy::native) CHECK(std::abs(onefold::norm_inf(x, how) - largest) <= ulps * largest);
        const onefold::options alone{.backend = onefold::backend::sequential, .accuracy = mode};
        CHECK(bits_of(onefold::norm1(x, how)) == bits_of(onefold::norm1(x, alone)));
      }
  }
}

/// Integers that use every bit of a part.
template <class T>
numbers<T> large_integers(std::size_t n, std::uint64_t seed) {
  support::random_numbers r(seed);
  const auto part = [&] {
    return static_cast<T>(r.sign() * static_cast<double>(r.bits() >> (65 - std::numeric_limits<T>::digits)));
  };
  numbers<T> x;
  for (std::size_t i = 0; i < n; ++i) x.emplace_back(part(), part());
  return x;
}

template <class T>
std::complex<T> rounded_dot(const numbers<T>& x, const numbers<T>& y) {
  __extension__ using wide = __int128;
  wide real = 0, imaginary = 0;
  const auto of = [](T part) { return static_cast<wide>(part); };
  for (std::size_t i = 0; i < x.size(); ++i) {
    real += of(x[i].real()) * of(y[i].real()) - of(x[i].imag()) * of(y[i].imag());
    imaginary += of(x[i].real()) * of(y[i].imag()) + of(x[i].imag()) * of(y[i].real());
  }
  return {static_cast<T>(real), static_cast<T>(imaginary)};
}

template <class T>
void check_exact() {
  for (const std::size_t n : {1u, 2u, 257u, 4000u, 30'001u}) {
    const auto x = large_integers<T>(n, 5), y = large_integers<T>(n, 6);
    for (const int threads : {1, 3})
      CHECK(onefold::dot(x, y, on_backend(accuracy::exact, threads)) == rounded_dot(x, y));
  }
  const auto x = large_integers<T>(600, 7), y = large_integers<T>(600, 8);
  const array_view<std::complex<T>> a(x.data(), {20, 30}), b(y.data(), {20, 30});
  const auto columns = onefold::dot(a, b, 0, on_backend(accuracy::exact, 2));
  CHECK(columns.size() == 30);
  for (std::size_t i = 0; i < 30; ++i) {
    numbers<T> u, v;
    for (std::size_t k = i; k < 600; k += 30) {
      u.push_back(x[k]);
      v.push_back(y[k]);
    }
    CHECK(columns[i] == rounded_dot(u, v));
  }
}

}  // namespace

TEST_CASE("the exact dot product of complex numbers: each part is rounded once") {
  check_exact<float>();
  check_exact<double>();
  const double big = 0x1p27;
  CHECK(onefold::dot(numbers<double>{{big + 1, big}}, numbers<double>{{big + 1, big + 2}},
                     on_backend(accuracy::exact)) == std::complex<double>(1, 0x1.0000004p55));
  CHECK(onefold::dot(numbers<float>{}, numbers<float>{}, on_backend(accuracy::exact)) == std::complex<float>());
  const numbers<double> infinity{{infinite, 0}}, one{{1, 1}};
  CHECK(onefold::dot(infinity, one, on_backend(accuracy::exact)).real() == infinite);
}

TEST_CASE("dot products and norms of complex numbers") {
  check_type<float>();
  check_type<double>();
  static_assert(std::is_same_v<decltype(onefold::dot(numbers<float>{}, numbers<double>{})), std::complex<double>>);
  static_assert(std::is_same_v<decltype(onefold::norm1(numbers<float>{})), float>);
  const numbers<double> i{{0, 1}};  // which is not conjugated
  CHECK(onefold::dot(i, i, on_backend()) == std::complex<double>(-1, 0));
}

TEST_CASE("dot products and norms of complex numbers over axes are those of each line") {
  const auto x = gaussian_integers<double>(1200, 3), y = gaussian_integers<double>(1200, 4);
  const auto how = on_backend(accuracy::native, 2);
  const array_view<std::complex<double>> a(x.data(), {30, 40}), b(y.data(), {30, 40});
  const auto rows = onefold::dot(a, b, 1, how);
  const auto sums = onefold::norm1(a, 1, how), most = onefold::norm_inf(a, 0, how);
  REQUIRE(rows.size() == 30);
  REQUIRE(most.size() == 40);
  for (std::size_t r = 0; r < 30; ++r) {
    const auto row = std::span(x).subspan(r * 40, 40), other = std::span(y).subspan(r * 40, 40);
    CHECK(rows[r] == onefold::dot(row, other, how));
    CHECK(bits_of(sums[r]) == bits_of(onefold::norm1(row, how)));
  }
  CHECK(most[0] == onefold::norm_inf(array_view<std::complex<double>>(x.data(), {30}, {40}), how));
}

TEST_CASE("a modulus neither overflows nor vanishes on the way") {
  const auto how = on_backend();
  const auto of = [](double x, double y) { return onefold::norm_inf(numbers<double>{{x, y}}, on_backend()); };
  for (const double scale : {1.0, 0x1p-1070, 0x1p-500, 0x1p-401, 0x1p-400, 0x1p499, 0x1p500, 0x1p501, 0x1p1020}) {
    CHECK(of(3 * scale, 4 * scale) == 5 * scale);
    CHECK(of(-4 * scale, 3 * scale) == 5 * scale);
    CHECK(of(0, -scale) == scale);
  }
  CHECK(of(1e308, 1) == 1e308);
  CHECK(of(0x1.8p1023, 0x1.8p1023) == infinite);
  CHECK(of(infinite, not_a_number) == infinite);  // as std::abs
  CHECK(of(not_a_number, -infinite) == infinite);
  CHECK(bits_of(of(not_a_number, 1)) == bits_of(not_a_number));
  CHECK(onefold::norm_inf(numbers<float>{{3e38f, 0}, {0, 1e-40f}}, on_backend()) == 3e38f);
  CHECK(onefold::norm1(numbers<float>{{3e-40f, 4e-40f}}, on_backend()) > 4.9e-40f);
  for (const float part : {static_cast<float>(infinite), -static_cast<float>(infinite)}) {
    CHECK(onefold::norm1(numbers<float>{{part, static_cast<float>(not_a_number)}}, how) == infinite);
    CHECK(onefold::norm_inf(numbers<float>{{static_cast<float>(not_a_number), part}}, how) == infinite);
  }
}

TEST_CASE("what verbs of complex vectors refuse") {
  const numbers<double> x{{1, 2}}, y(2);
  check_error(onefold::error_code::invalid_argument, "must be equal", [&] { onefold::dot(x, y, on_backend()); });
  check_error(onefold::error_code::invalid_argument, "takes no initial value",
              [&] { onefold::dot(x, x, {.init = 1}); });
}
