// exact_dot and exact_norm2 against MPFR: correctly rounded, over every exponent.
#include <vector>

#include "support/catch.hpp"
#include "support/exact_cases.hpp"
#include "support/result_bits.hpp"

namespace {

using support::big;
using support::bits_of;
using support::exact_case;

template <class T, class R>
void check(const std::vector<T>& x, const std::vector<T>& y) {
  big dot, squares;
  for (std::size_t i = 0; i < x.size(); ++i) {
    dot += big::from(x[i]) * big::from(y[i]);
    squares += big::from(x[i]) * big::from(x[i]);
  }
  const R got = onefold::exact_dot<T, R>(x, y), norm = onefold::exact_norm2<T, R>(x);
  if (bits_of(got) != bits_of(dot.rounded<R>())) FAIL_CHECK("a dot product of " << x.size() << " elements");
  if (bits_of(norm) != bits_of(sqrt(squares).rounded<R>())) FAIL_CHECK("a norm of " << x.size() << " elements");
}

}  // namespace

TEST_CASE("dot products and norms are correctly rounded") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    support::random_numbers r(101);
    for (int turn = 0; turn < 4000; ++turn) {
      const auto kind = static_cast<exact_case>(turn % static_cast<int>(exact_case::count));
      if (kind == exact_case::special) continue;
      auto x = support::exact_case_data<T>(kind, r.integer(1, 20), r);
      auto y = turn % 2 ? support::exact_case_data<T>(exact_case::any, static_cast<std::int64_t>(x.size()), r) : x;
      y.resize(x.size());
      if (turn % 4 == 1) {  // cancels, but for a bit
        const auto n = x.size();
        for (std::size_t i = 0; i < n; ++i) {
          x.push_back(x[i]);
          y.push_back(support::nearest<T>(-support::value_of(y[i])));
        }
        x.push_back(support::from_bits<T>(1));
        y.push_back(support::from_bits<T>(1));
      }
      check<T, T>(x, y);
      check<T, double>(x, y);
    }
  });
  SUCCEED();
}

TEST_CASE("variances and deviations are correctly rounded, and merge") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    support::random_numbers r(103);
    for (int turn = 0; turn < 3000; ++turn) {
      const auto kind = static_cast<exact_case>(turn % static_cast<int>(exact_case::count));
      if (kind == exact_case::special) continue;
      const auto x = support::exact_case_data<T>(kind, r.integer(2, 20), r);
      const auto n = static_cast<std::int64_t>(x.size());
      onefold::exact_moments<T> left, right;
      big sum, squares;
      for (std::size_t i = 0; i < x.size(); ++i) {
        (i % 3 ? left : right).push(x[i]);
        sum += big::from(x[i]);
        squares += big::from(x[i]) * big::from(x[i]);
      }
      left.merge(right);
      // Whole numbers until the division: the oracle rounds once in 4600 bits.
      const big over = (big::from(n) * squares - sum * sum) / big::from(n);
      const big population = over / big::from(n), sample = over / big::from(n - 1);
      const auto same = [](auto got, auto wanted) { return bits_of(got) == bits_of(wanted); };
      if (!same(left.template variance<double>(), population.rounded<double>()) ||
          !same(left.template sample_variance<T>(), sample.rounded<T>()) ||
          !same(left.template stddev<T>(), sqrt(population).rounded<T>()) ||
          !same(left.template sample_stddev<double>(), sqrt(sample).rounded<double>()))
        FAIL_CHECK("kind " << static_cast<int>(kind) << ", turn " << turn);
    }
  });
  onefold::exact_moments<double> one;
  CHECK_THROWS_AS(one.variance(), onefold::error);
  one.push(3.0);
  CHECK(one.variance() == 0);
  CHECK(bits_of(one.sample_stddev()) == bits_of(support::canonical_nan<double>()));
  one.push(support::inf);
  CHECK(bits_of(one.stddev()) == bits_of(support::canonical_nan<double>()));
}

TEST_CASE("squares of whole numbers have whole roots") {
  support::random_numbers r(102);
  for (int i = 0; i < 1000; ++i) {
    const double v = r.integer(1, 1 << 26);
    CHECK(onefold::exact_norm2<double>(std::vector<double>{v}) == v);
    CHECK(onefold::exact_norm2<double>(std::vector<double>{3 * v, 4 * v}) == 5 * v);
  }
  CHECK(onefold::exact_norm2<double>(std::vector<double>{}) == 0);
  CHECK(onefold::exact_norm2<double>(std::vector<double>{0x1p1000, 0x1p1000, 0x1p1000, 0x1p1000}) == 0x1p1001);
  CHECK(onefold::exact_norm2<double>(std::vector<double>{-0x1p-1074}) == 0x1p-1074);
}

TEST_CASE("infinities and NaN in products") {
  using support::inf;
  const auto nan = support::canonical_nan<double>();
  const auto dot = [](double a, double b, double c = 0, double d = 0) {
    return onefold::exact_dot<double>(std::vector<double>{a, c}, std::vector<double>{b, d});
  };
  CHECK(dot(inf, 2) == inf);
  CHECK(dot(inf, -2) == -inf);
  CHECK(dot(-inf, -inf) == inf);
  CHECK(bits_of(dot(inf, 0)) == bits_of(nan));
  CHECK(bits_of(dot(-nan, 1)) == bits_of(nan));
  CHECK(bits_of(dot(inf, 1, inf, -1)) == bits_of(nan));
  CHECK(onefold::exact_norm2<double>(std::vector<double>{-inf, 1}) == inf);
  CHECK_THROWS_AS(onefold::exact_dot<double>(std::vector<double>{1}, std::vector<double>{}), onefold::error);
}
