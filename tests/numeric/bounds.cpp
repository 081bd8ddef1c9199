// The bounds of docs/accuracy.md over condition numbers from 1 to 1e24, on every built-in data set, and what a wrong
// order does to them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "data/format.hpp"
#include "onefold/bound.hpp"
#include "support/backend.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/data_sets.hpp"
#include "support/entries.hpp"
#include "support/reference_order.hpp"

namespace {

using onefold::accuracy;
using support::real;
namespace op = onefold::op;

template <class R>
real distance(R value, const support::big& exact) {
  return std::fabs((support::big::from(value) - exact).approximate());
}

/// A sum, a mean and a sum with its bound, each within what the library and the oracle allow.
template <class T, accuracy A>
void check_bounds(const std::vector<T>& data) {
  const std::span<const T> x(data);
  const support::exact_sums e(x);
  const auto how = support::on_backend(A, 2);
  const double magnitude = e.absolute.rounded<double>();
  INFO(onefold::name_of(A) << ", condition number " << double((e.absolute / abs(e.sum)).approximate()));

  using R = op::sum::result<T>;
  const auto promised = support::judge<T, R>(op::sum{}, A, x, e, false);
  const R sum = onefold::reduce<T, op::sum>(x, how);
  const double bound = onefold::sum_error_bound<T>(A, e.n, magnitude, e.sum.rounded<double>());
  CHECK(distance(sum, e.sum) <= promised.bound);
  CHECK(distance(sum, e.sum) <= bound);

  const auto bounded = onefold::reduce<T, op::sum_with_bound>(x, how);
  CHECK(bounded.value == sum);
  CHECK(distance(sum, e.sum) <= bounded.bound);
  CHECK(bounded.bound <= 1.1 * bound);

  const auto mean = onefold::reduce<T, op::mean>(x, how);
  CHECK(distance(mean, e.mean()) <=
        onefold::mean_error_bound<T>(A, e.n, magnitude, e.mean().template rounded<double>()));
}

template <class T, class Function>
void for_each_bounded_accuracy(Function&& f) {
  onefold::for_each_accuracy<op::sum_with_bound, T>([&]<class, class, accuracy A>() { f.template operator()<A>(); });
}

/// A left fold of the positive elements, which takes it to half of the sum of |x| without a large loss, and then of the
/// negative ones from the small ones on: all that are below half an ulp of it are lost, one by one.
template <class T>
T left_fold_in_a_wrong_order(std::vector<T> x) {
  std::ranges::sort(x, {}, [](T y) { return std::pair(y < 0, std::fabs(y)); });
  T s = 0;
  for (const T y : x) s += y;
  return s;
}

/// A left fold over the states of an accuracy.
template <class T, accuracy A>
op::sum::result<T> left_fold_of_states(const std::vector<T>& x) {
  using fold = onefold::detail::fold_of<op::sum, T, A>;
  using V = typename fold::value;
  auto s = fold::lift(V{});
  for (const T y : x) s = support::ended<fold>(fold::push(s, static_cast<V>(support::value_of(y))));
  return fold::template finish<op::sum::result<T>>(s, static_cast<std::int64_t>(x.size()));
}

/// Small terms that a left fold over the states of an accuracy loses, one by one: for each of them there is no room
/// beside what it has added up before, 2^31 in parts that every type has and, in the second number of a state, nearly
/// half a last place of it. Behind the terms both are taken away.
template <class T, accuracy A>
struct lost_terms {
  using fold = onefold::detail::fold_of<op::sum, T, A>;
  static constexpr bool two_numbers = sizeof(typename fold::number) > sizeof(typename fold::value);
  static constexpr int precision = std::numeric_limits<typename fold::value>::digits, count = 1 << 18;
  const double second = two_numbers ? 0.75 * std::ldexp(1, 31 - precision) : 0;
  const double term = two_numbers ? 0.375 * std::ldexp(1, 31 - 2 * precision) : 0.75 * std::ldexp(1, 31 - precision);

  std::vector<T> elements() const {
    std::vector<T> x(1 << 16, support::nearest<T>(0x1p15));
    x.push_back(support::nearest<T>(second));
    x.resize(x.size() + count, support::nearest<T>(term));
    x.push_back(support::nearest<T>(-second));
    x.resize(x.size() + (1 << 16), support::nearest<T>(-0x1p15));
    return x;
  }
  double sum() const { return count * term; }  // exactly
  double magnitude() const { return 0x1p32 + 2 * second + sum(); }
};

}  // namespace

TEST_CASE("sums of condition numbers from 1 to 1e24 are within their bounds") {
  onefold::for_each_type(onefold::type_list<float, double>{}, []<class T>() {
    for (double condition = 1; condition < 2e24; condition *= 100)
      for (const std::int64_t n : {100, 70'001}) {
        const auto x = support::data_set<T>("conditioned", n, 5, condition);
        for_each_bounded_accuracy<T>([&]<accuracy A>() { check_bounds<T, A>(x); });
      }
  });
}

TEST_CASE("sums of all data sets are within their bounds") {
  onefold::for_each_type(onefold::data::floating_types{}, []<class T>() {
    for (const auto& set : onefold::data::sets())
      for (const std::int64_t n : {100, 30'001}) {
        INFO(set.name << ' ' << n << ' ' << onefold::name_of(onefold::dtype_of<T>));
        const auto x = support::data_set<T>(set.name, n, 6, 1e5);
        for_each_bounded_accuracy<T>([&]<accuracy A>() { check_bounds<T, A>(x); });
      }
  });
}

TEST_CASE("a wrong order violates the bound of native at every condition number") {
  constexpr std::int64_t n = 1 << 20;
  for (double condition = 1; condition < 2e24; condition *= 1e6) {
    const auto x = support::data_set<float>("conditioned", n, 7, condition);
    const support::exact_sums e{std::span<const float>(x)};
    const double bound =
        onefold::sum_error_bound<float>(accuracy::native, n, e.absolute.rounded<double>(), e.sum.rounded<double>());
    INFO("condition number " << condition);
    CHECK(distance(left_fold_in_a_wrong_order(x), e.sum) > 2 * bound);
    CHECK(distance(onefold::sum(x, support::on_backend()), e.sum) <= bound);
  }
}

TEST_CASE("a wrong order violates the bounds of native, wide and kahan of every type") {
  int cases = 0;
  onefold::for_each_type(onefold::data::floating_types{}, [&]<class T>() {
    for_each_bounded_accuracy<T>([&]<accuracy A>() {
      const lost_terms<T, A> lost;
      const auto x = lost.elements();
      const auto exact = support::big::from(lost.sum());
      const double bound =
          onefold::sum_error_bound<T>(A, static_cast<std::int64_t>(x.size()), lost.magnitude(), lost.sum());
      INFO(onefold::name_of(onefold::dtype_of<T>) << ' ' << onefold::name_of(A));
      CHECK(distance(left_fold_of_states<T, A>(x), exact) > 2 * bound);
      CHECK(distance(onefold::sum(x, support::on_backend(A)), exact) <= bound);
      ++cases;
    });
  });
  CHECK(cases == 12);
}

TEST_CASE("a native sum violates the bounds of wide and kahan, and of sum_with_bound there") {
  onefold::for_each_type(onefold::type_list<float, double>{}, []<class T>() {
    for (double condition = 1e6; condition < 2e24; condition *= 1e6) {
      const auto x = support::data_set<T>("conditioned", 100'000, 8, condition);
      const support::exact_sums e{std::span<const T>(x)};
      const real off = distance(onefold::sum(x, support::on_backend()), e.sum);
      INFO(onefold::name_of(onefold::dtype_of<T>) << ", condition number " << condition);
      for (const accuracy a : {accuracy::wide, accuracy::kahan})
        CHECK(off > onefold::reduce<T, op::sum_with_bound>(x, support::on_backend(a)).bound);
    }
  });
}

TEST_CASE("where there is no bound it is infinite") {
  const double inf = HUGE_VAL;
  for (const float special : {HUGE_VALF, -HUGE_VALF, std::nanf("")}) {
    const std::vector<float> x{1, special, 2};
    const auto got = onefold::sum_with_bound(x, support::on_backend());
    CHECK(got.bound == inf);
    CHECK(std::isnan(got.condition));
    CHECK((got.value == special || std::isnan(special)));
  }
  // Partial sums may overflow: kahan's, not those of f64.
  const std::vector<float> large{3e38f, 3e38f, -3e38f};
  CHECK(onefold::sum_with_bound(large, support::on_backend()).bound == inf);
  CHECK(onefold::sum_with_bound(large, support::on_backend(accuracy::kahan)).bound == inf);
  CHECK(onefold::sum_with_bound(large, support::on_backend(accuracy::wide)).bound < 1e32);
}

TEST_CASE("sums of zero have an infinite condition number, zeros have 1") {
  const auto cancelling = support::data_set<double>("cancelling", 1000, 9);
  const auto got = onefold::sum_with_bound(cancelling, support::on_backend(accuracy::wide));
  CHECK(got.bound > 0);
  CHECK(got.value == 0);
  CHECK(got.condition == HUGE_VAL);
  const std::vector<double> two{1, -1}, zeros{0, -0.0, 0};
  CHECK(onefold::sum_with_bound(two, support::on_backend()).condition == HUGE_VAL);
  CHECK(onefold::sum_with_bound(zeros, support::on_backend()) == onefold::bounded_sum<double>{0, 0, 1});
}
