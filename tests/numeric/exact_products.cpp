// exact_dot against MPFR: correctly rounded, over every exponent.
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
  big dot;
  for (std::size_t i = 0; i < x.size(); ++i) dot += big::from(x[i]) * big::from(y[i]);
  const R got = onefold::exact_dot<T, R>(x, y);
  if (bits_of(got) != bits_of(dot.rounded<R>())) FAIL_CHECK("a dot product of " << x.size() << " elements");
}

}  // namespace

TEST_CASE("dot products are correctly rounded") {
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
  CHECK_THROWS_AS(onefold::exact_dot<double>(std::vector<double>{1}, std::vector<double>{}), onefold::error);
}
