// exact_dot against MPFR: correctly rounded, over every exponent, in every order, by every backend and thread count.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "onefold/detail/exact/product_parts.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/exact_cases.hpp"
#include "support/result_bits.hpp"

namespace {

using support::big;
using support::bits_of;
using support::exact_case;
using support::on_backend;

/// The pairs of elements that are multiplied.
template <class T>
struct pairs {
  std::vector<T> x, y;
  void push(T a, T b) {
    x.push_back(a);
    y.push_back(b);
  }
};

/// What their dot product is, exactly; infinities and NaN as IEEE multiplication and addition have them.
class dot_oracle {
 public:
  template <class T>
  explicit dot_oracle(const pairs<T>& p) {
    for (std::size_t i = 0; i < p.x.size(); ++i) {
      const double a = support::value_of(p.x[i]), b = support::value_of(p.y[i]);
      if (std::isfinite(a) && std::isfinite(b))
        sum_ += big::from(a) * big::from(b);
      else
        special_ += a * b;
    }
  }
  template <class R>
  R rounded() const {
    if (std::isnan(special_)) return support::canonical_nan<R>();
    return special_ != 0 ? support::nearest<R>(special_) : sum_.rounded<R>();
  }

 private:
  big sum_;
  double special_ = 0;
};

/// To every type of result.
template <class T>
void check(const pairs<T>& p, const dot_oracle& oracle, const onefold::options& how, int kind) {
  onefold::for_each_type(support::float_types{}, [&]<class R>() {
    const R got = onefold::exact_dot<T, R>(p.x, p.y, how), wanted = oracle.rounded<R>();
    if (bits_of(got) != bits_of(wanted))
      FAIL_CHECK("a dot product of " << p.x.size() << " elements of kind " << kind << ", " << how.threads
                                     << " threads: " << support::text_of(bits_of(got)) << "is not "
                                     << support::text_of(bits_of(wanted)));
  });
}

/// The products once more with the other sign, and one that is as small as can be.
template <class T>
void cancel(pairs<T>& p) {
  for (std::size_t i = 0, n = p.x.size(); i < n; ++i) p.push(p.x[i], support::nearest<T>(-support::value_of(p.y[i])));
  p.push(support::from_bits<T>(1), support::from_bits<T>(1));
}

/// A number, half of its last place in a result type and, sometimes, a product that is as small as can be.
template <class T>
pairs<T> tied_products(support::random_numbers& r) {
  constexpr support::format f = support::format_of<T>;
  constexpr int precisions[] = {8, 11, 24, 53};
  const int precision = precisions[r.integer(0, 3)], lowest = f.smallest_exponent();
  const int one = r.integer(lowest + precision / 2 + 1, f.largest_exponent()), half = 2 * one - precision;
  const auto power = [](int e) { return support::nearest<T>(std::ldexp(1, e)); };
  pairs<T> p;
  p.push(power(one), power(one));
  p.push(power(half / 2), power(half - half / 2));
  if (r.integer(0, 1)) p.push(power(lowest), support::nearest<T>(r.sign() * std::ldexp(1, lowest)));
  return p;
}

template <class T>
void shuffle(pairs<T>& p, support::random_numbers& r) {
  for (std::size_t i = p.x.size(); i > 1; --i) {
    const auto k = r.bits() % i;
    std::swap(p.x[i - 1], p.x[k]);
    std::swap(p.y[i - 1], p.y[k]);
  }
}

}  // namespace

TEST_CASE("dot products are correctly rounded: 10,000 cases a type") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    INFO(onefold::name_of(onefold::dtype_of<T>));
    support::random_numbers r(101);
    constexpr int kinds = static_cast<int>(exact_case::count) + 1;  // and ties of products
    std::array<int, kinds> cases{};
    for (int turn = 0; turn < 10'500; ++turn) {
      const int kind = turn % kinds;
      pairs<T> p;
      if (kind + 1 == kinds) {
        p = tied_products<T>(r);
      } else {
        p.x = support::exact_case_data<T>(static_cast<exact_case>(kind), r.integer(1, 20), r);
        const auto other = r.integer(0, 2) ? exact_case::any : static_cast<exact_case>(kind);
        p.y = r.integer(0, 2) ? support::exact_case_data<T>(other, static_cast<std::int64_t>(p.x.size()), r) : p.x;
        p.y.resize(p.x.size());
        if (r.integer(0, 3) == 0) cancel(p);
        if (r.integer(0, 3) == 0) p.y[r.bits() % p.y.size()] = support::nearest<T>(0);
        if (r.integer(0, 1)) std::swap(p.x, p.y);
      }
      const dot_oracle oracle(p);
      check(p, oracle, on_backend(onefold::accuracy::exact, 1 + turn % 4), kind);
      shuffle(p, r);
      check(p, oracle, on_backend(onefold::accuracy::exact, 1 + turn % 4), kind);
      ++cases[static_cast<std::size_t>(kind)];
    }
    CHECK(std::accumulate(cases.begin(), cases.end(), 0) >= 10'000);
    CHECK(*std::ranges::min_element(cases) >= 1000);
  });
}

TEST_CASE("dot products of several pages have the same bits from every backend and thread count") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    const std::int64_t page = 16384 / sizeof(T);
    support::random_numbers r(104);
    for (const std::int64_t n : {page - 1, page, page + 1, 2 * page, 3 * page + 7, 23 * page + 1}) {
      pairs<T> p{support::mixed_pages<T>(n, r.bits()), support::mixed_pages<T>(n, r.bits())};
      for (const bool special : {false, true}) {
        if (special) p.x[static_cast<std::size_t>(n) - 1] = support::nearest<T>(support::inf);
        const dot_oracle oracle(p);
        for (int threads = 1; threads <= 8; ++threads)
          check(p, oracle, on_backend(onefold::accuracy::exact, threads), static_cast<int>(n));
      }
    }
  });
  SUCCEED();
}

TEST_CASE("dot products of blocks, with and without a product that f64 cannot hold in two parts") {
  support::random_numbers r(106);
  const double hostile[] = {0, 0x1p-1074, 0x1p-1022, 0x1p-600, 0x1p600, 0x1p1023, support::inf};
  for (int turn = 0; turn < 300; ++turn) {
    constexpr std::int64_t sizes[] = {33, 100, 2047, 2048, 2049, 5000};
    const std::int64_t n = sizes[turn % 6];
    const int spread = std::array{0, 20, 449, 460, 500}[static_cast<std::size_t>(turn / 6 % 5)];
    pairs<double> p;
    for (std::int64_t i = 0; i < n; ++i) {
      const auto number = [&] { return r.sign() * std::ldexp(r.uniform(1, 2), r.integer(-spread, spread)); };
      p.push(number(), number());
    }
    if (turn / 30 % 2 == 1) {
      auto& x = r.integer(0, 1) ? p.x : p.y;
      x[r.bits() % x.size()] = r.sign() * hostile[turn / 60 % 7];
    }
    check(p, dot_oracle(p), on_backend(onefold::accuracy::exact, 1), turn);
  }
  SUCCEED();
}

TEST_CASE("the rounded product and what it lost are the product, where there is one") {
  using namespace onefold::detail;
  support::random_numbers r(107);
  int split = 0, refused = 0;
  for (int turn = 0; turn < 200'000; ++turn) {
    const auto number = [&] { return r.sign() * std::ldexp(r.uniform(1, 2), r.integer(-1080, 1023)); };
    const double x = r.integer(0, 99) ? number() : 0, y = number(), rounded = rounded_product{}(x, y);
    if (std::isnan(rounded)) {
      ++refused;
      continue;
    }
    ++split;
    product_accumulator one{}, of_parts{};
    add_product(one, x, y);
    superaccumulator sum{};
    add(sum, rounded);
    add(sum, lost_product{}(x, y));
    add_scaled(of_parts, sum, 0);
    carry(one);
    carry(of_parts);
    if (!std::equal(one.limb, one.limb + product_accumulator::limbs, of_parts.limb))
      FAIL_CHECK("the parts of " << x << " times " << y << " are not the product");
  }
  CHECK(split > 50'000);
  CHECK(refused > 20'000);
  CHECK(std::isnan(rounded_product{}(support::inf, 1)));
  CHECK(std::isnan(rounded_product{}(support::inf, 0)));
  CHECK(std::isnan(rounded_product{}(support::canonical_nan<double>(), 1)));
}

TEST_CASE("two parts of each product, in its band, are the product") {
  using namespace onefold::detail;
  support::random_numbers r(105);
  const double hostile[] = {0x1p-1074, 0x1p-1022, 0x1p1023, 0x1.fffffffffffffp1023, 0x1.fffffffffffffp-1022, 1, 0};
  std::array<int, product_bands> in_band{};
  product_accumulator whole{}, parts{};
  superaccumulator sums[product_bands][2]{};
  for (int turn = 0; turn < 200'000; ++turn) {
    const auto number = [&] {
      return r.integer(0, 9) == 0 ? r.sign() * hostile[r.integer(0, 6)]
                                  : r.sign() * std::ldexp(r.uniform(1, 2), r.integer(-1080, 1023));
    };
    const double x = number(), y = number();
    add_product(whole, x, y);
    const int bands = band_of_product{}(x, y);
    CHECK((bands == 0) == (x == 0 || y == 0));
    product_accumulator one{}, of_parts{};
    add_product(one, x, y);
    for (int b = 0; b < product_bands; ++b)
      for (const bool high : {false, true}) {
        const double part = part_of_product{b, high}(x, y);
        if ((bands >> b & 1) == 0) CHECK(part == 0);
        superaccumulator sum{};
        add(sum, part);
        add(sums[b][high], part);
        add_scaled(of_parts, sum, shift_of_band(b));
        if (high && part != 0) ++in_band[static_cast<std::size_t>(b)];
      }
    carry(one);
    carry(of_parts);
    if (!std::equal(one.limb, one.limb + product_accumulator::limbs, of_parts.limb))
      FAIL_CHECK("the parts of " << x << " times " << y << " are not the product");
    if (turn % 100 != 0) continue;
    parts = {};
    for (int b = 0; b < product_bands; ++b)
      for (const superaccumulator& sum : sums[b]) add_scaled(parts, sum, shift_of_band(b));
    CHECK(bits_of(round<double>(parts).value) == bits_of(round<double>(whole).value));
  }
  CHECK(*std::ranges::min_element(in_band) > 10'000);
}

TEST_CASE("infinities and NaN in products") {
  using support::inf;
  const auto nan = support::canonical_nan<double>();
  const auto dot = [](double a, double b, double c = 0, double d = 0) {
    return onefold::exact_dot<double>(std::vector<double>{a, c}, std::vector<double>{b, d},
                                      on_backend(onefold::accuracy::native));
  };
  CHECK(dot(inf, 2) == inf);
  CHECK(dot(inf, -2) == -inf);
  CHECK(dot(-inf, -inf) == inf);
  CHECK(bits_of(dot(inf, 0)) == bits_of(nan));
  CHECK(bits_of(dot(-nan, 1)) == bits_of(nan));
  CHECK(bits_of(dot(inf, 1, inf, -1)) == bits_of(nan));
}

TEST_CASE("dot products that cannot be had are errors") {
  const std::vector<double> one{1}, none;
  CHECK(onefold::exact_dot<double>(none, none) == 0);
  CHECK_THROWS_AS(onefold::exact_dot<double>(one, none), onefold::error);
  const std::span<const double> nowhere(static_cast<const double*>(nullptr), 1);
  CHECK_THROWS_AS(onefold::exact_dot<double>(nowhere, one), onefold::error);
  CHECK_THROWS_WITH(onefold::exact_dot<double>(one, nowhere),
                    "the second data pointer is null, but there are 1 elements");
  auto how = on_backend(onefold::accuracy::native);
  how.init = 1.0;
  CHECK_THROWS_WITH(onefold::exact_dot<double>(one, one, how), "exact_dot takes no initial value");
  how = {};
  how.backend = onefold::backend::cuda;
  CHECK_THROWS_WITH(onefold::exact_dot<double>(onefold::where(one, std::vector<std::uint8_t>{1}), one, how),
                    "exact_dot of selected pairs runs on CPUs only: take a CPU's backend");
  for (const auto& [b, available, detail, threads, devices] : onefold::backends())
    if (b == onefold::backend::cuda && !available) {
      CHECK_THROWS_AS(onefold::exact_dot<double>(none, none, how), onefold::error);
      CHECK_THROWS_AS(onefold::exact_dot<float>(std::span<const float>(), std::span<const float>(), how),
                      onefold::error);
    }
  how = {};
  how.threads = -1;
  CHECK_THROWS_AS(onefold::exact_dot<double>(one, one, how), onefold::error);
}
