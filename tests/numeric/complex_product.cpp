// Products of complex numbers: the bits of an operation of the test's own that multiplies as the documents say, over
// ranges, views and axes, on every CPU backend; exact Gaussian integers; and what is refused.
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"

namespace {

using onefold::array_view;

/// (a + bi)(c + di) of pairs.
struct pair_product {
  struct state {
    double a, b;
  };
  state lift(const std::complex<float>& x) const { return {x.real(), x.imag()}; }
  state lift(const std::complex<double>& x) const { return {x.real(), x.imag()}; }
  state combine(const state& x, const state& y) const {
    const double ac = x.a * y.a, bd = x.b * y.b, ad = x.a * y.b, bc = x.b * y.a;
    return {ac - bd, ad + bc};
  }
  state identity() const { return {1, 0}; }
  state finish(const state& s) const { return s; }
};

template <class T>
bool same(const std::complex<T>& found, const pair_product::state& meant) {
  const auto part = [](T x, double y) {
    if (std::isnan(y)) return std::isnan(x) && !std::signbit(x);
    return x == static_cast<T>(y) && std::signbit(x) == std::signbit(y);
  };
  return part(found.real(), meant.a) && part(found.imag(), meant.b);
}

/// Numbers of magnitudes near 1, so that products of thousands stay in range.
template <class T>
std::vector<std::complex<T>> rotations(std::int64_t n) {
  const auto parts = support::normal_data<T>(2 * n, 83);
  std::vector<std::complex<T>> x;
  for (std::size_t i = 0; i < parts.size(); i += 2) {
    const std::complex<double> z(parts[i], parts[i + 1]);
    x.emplace_back(std::abs(z) > 0 ? z / std::abs(z) : z);
  }
  return x;
}

template <class T>
void compare() {
  using C = std::complex<T>;
  const auto how = support::on_backend();
  const auto x = rotations<T>(100'003);
  for (const std::size_t n : {1u, 2u, 7u, 31u, 32u, 33u, 255u, 1024u, 2047u, 2048u, 2049u, 10'000u, 100'003u}) {
    INFO(n << " elements");
    const std::span<const C> part(x.data() + (n < x.size() ? 1 : 0), n);
    const auto meant = onefold::reduce<C, pair_product>(part, how);
    CHECK(same(onefold::product(part, how), meant));
    CHECK(std::abs(std::hypot(meant.a, meant.b) - 1) < 1e-3);  // the data say something
  }
  const array_view<C> matrix(x.data(), {300, 331});
  for (const int axis : {0, 1}) {
    const auto found = onefold::product(matrix, axis, how);
    const auto meant = onefold::reduce<C, pair_product>(matrix, {.axes = axis}, how);
    REQUIRE(found.size() == meant.size());
    std::size_t bad = 0;
    for (std::size_t i = 0; i < found.size(); ++i) bad += same(found[i], meant[i]) ? 0 : 1;
    CHECK(bad == 0);
  }
  const array_view<C> every_third(x.data(), {10'000}, {3});
  CHECK(same(onefold::product(every_third, how), onefold::reduce<C, pair_product>(every_third, {}, how)[0]));
}

}  // namespace

TEST_CASE("products of complex numbers have the bits of the multiplication in the documents") {
  compare<float>();
  compare<double>();
}

TEST_CASE("products of Gaussian integers, and rules") {
  using C = std::complex<float>;
  const auto how = support::on_backend();
  CHECK(onefold::product(std::vector<C>{{1, 2}, {3, 4}, {5, -6}}, how) == C(35, 80));
  CHECK(onefold::product(std::vector<C>(40, C(0, 1)), how) == C(1, 0));
  CHECK(onefold::product(std::vector<C>(40, C(1, 1)), how) == C(1 << 20, 0));
  CHECK(onefold::product(std::vector<C>{}, how) == C(1, 0));
  // In f64 and rounded once: each factor alone is beyond f32's integers.
  CHECK(onefold::product(std::vector<C>{{16'777'216, 1}, {16'777'216, -1}}, how) == C(281'474'976'710'656, 0));
  const float infinity = std::numeric_limits<float>::infinity();
  const C nan = onefold::product(std::vector<C>{{infinity, 0}, {0, 1}}, how);
  CHECK(__builtin_bit_cast(std::uint32_t, nan.real()) == 0x7fc00000);
  CHECK(nan.imag() == infinity);
  auto from = how;
  from.init = 2;
  support::check_error(onefold::error_code::invalid_argument, "product of complex numbers takes no initial value", [&] {
    onefold::product(std::vector<C>{{1, 2}}, from);
  });
}
