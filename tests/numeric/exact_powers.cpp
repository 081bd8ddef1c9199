// Moments, variances, deviations, sums of squares and norms at accuracy exact are correctly rounded: against MPFR, in
// every grouping, on every thread count and instruction set.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/exact_cases.hpp"
#include "support/instrumented.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using support::big;
using support::bits_of;
using support::exact_case;
using support::inf;
using support::on_backend;
using support::turned;
namespace op = onefold::op;

/// What squares and variances of elements are, exactly.
class power_oracle {
 public:
  template <class T>
  explicit power_oracle(const std::vector<T>& x) : n_(static_cast<std::int64_t>(x.size())) {
    for (const T y : x) {
      if constexpr (support::is_float<T>) {
        if (!std::isfinite(support::value_of(y))) {
          special_ = std::isnan(support::value_of(y)) || std::isnan(special_) ? std::nan("") : inf;
          special_sum_ += support::value_of(y);
          continue;
        }
      }
      const big b = big::from(y);
      sum_ += b;
      squares_ += b * b;
    }
  }
  template <class R>
  R of(op::sum_squares) const {
    return of_squares<R>(squares_);
  }
  template <class R>
  R of(op::norm2) const {
    return of_squares<R>(sqrt(squares_));
  }
  template <class R>
  R of(op::variance) const {
    return of_deviations<R>(n_, false);
  }
  template <class R>
  R of(op::sample_variance) const {
    return of_deviations<R>(n_ - 1, false);
  }
  template <class R>
  R of(op::stddev) const {
    return of_deviations<R>(n_, true);
  }
  template <class R>
  R of(op::sample_stddev) const {
    return of_deviations<R>(n_ - 1, true);
  }
  onefold::moments_result moments() const {
    const double none = support::canonical_nan<double>();
    if (special_ != 0) return {n_, std::isnan(special_sum_) ? none : special_sum_, none};
    return {n_, (sum_ / big::from(n_)).rounded<double>(), deviations().rounded<double>()};
  }

 private:
  // Whole numbers until the division: rounded once in 4600 bits.
  big deviations() const { return (big::from(n_) * squares_ - sum_ * sum_) / big::from(n_); }
  template <class R>
  R of_squares(const big& x) const {
    return special_ != 0 ? support::nearest<R>(special_) : x.rounded<R>();
  }
  template <class R>
  R of_deviations(std::int64_t divisor, bool root) const {
    if (special_ != 0 || divisor == 0) return support::canonical_nan<R>();
    const big v = deviations() / big::from(divisor);
    return (root ? sqrt(v) : v).rounded<R>();
  }
  std::int64_t n_;
  big sum_, squares_;
  double special_ = 0, special_sum_ = 0;  ///< of the squares, and of the elements
};

using rounded_operations =
    onefold::type_list<op::sum_squares, op::norm2, op::variance, op::sample_variance, op::stddev, op::sample_stddev>;

/// Every operation of an array, to every type of result; what they are.
template <class T>
power_oracle check(const std::vector<T>& x, const std::string& what, int turn) {
  const power_oracle oracle(x);
  onefold::for_each_type(rounded_operations{}, [&]<class Op>() {
    onefold::for_each_type(support::float_types{}, [&]<class R>() {
      if constexpr (onefold::detail::returns<Op, T, R>) {
        const R got = onefold::reduce<T, Op, R>(std::span<const T>(x), turned(turn)), wanted = oracle.of<R>(Op{});
        if (bits_of(got) != bits_of(wanted))
          FAIL_CHECK(Op::name << " of " << onefold::name_of(onefold::dtype_of<T>) << ", " << what
                              << ", n = " << x.size() << ", turn " << turn << ": " << support::text_of(bits_of(got))
                              << "is not " << support::text_of(bits_of(wanted)));
      }
    });
  });
  if (bits_of(onefold::moments(x, turned(turn))) != bits_of(oracle.moments()))
    FAIL_CHECK("moments of " << onefold::name_of(onefold::dtype_of<T>) << ", " << what << ", turn " << turn);
  return oracle;
}

/// The same elements in another order, pushed to two objects in a partition and merged.
template <class T>
void check_partition(std::vector<T> x, const power_oracle& oracle, support::random_numbers& r) {
  support::shuffle(x, r);
  const auto cut = static_cast<std::size_t>(r.integer(0, static_cast<int>(x.size())));
  onefold::exact_moments<T> left, right;
  for (std::size_t i = 0; i < x.size(); ++i) (i < cut ? left : right).push(x[i]);
  right.merge(left);
  const auto same = [&](auto got, auto wanted, const char* what) {
    if (bits_of(got) != bits_of(wanted)) FAIL_CHECK(what << " of a partition at " << cut << " of " << x.size());
  };
  onefold::for_each_type(support::float_types{}, [&]<class R>() {
    same(right.template sum_squares<R>(), oracle.template of<R>(op::sum_squares{}), "sum of squares");
    same(right.template norm2<R>(), oracle.template of<R>(op::norm2{}), "norm");
    same(right.template stddev<R>(), oracle.template of<R>(op::stddev{}), "deviation");
    same(right.template sample_variance<R>(), oracle.template of<R>(op::sample_variance{}), "sample variance");
  });
}

/// Elements whose norm, deviation or sum of squares is halfway between two neighbors of a result type, or next to it.
template <class T>
std::vector<T> tied_powers(support::random_numbers& r) {
  constexpr support::format f = support::format_of<T>;
  constexpr int precisions[] = {8, 11, 24, 53};
  const int precision = precisions[r.integer(0, 3)], half = (precision + 1) / 2;
  const bool roots = precision < f.precision() && r.integer(0, 3) > 0;
  const int lowest = f.smallest_exponent(), largest = f.largest_exponent();
  const double scale =
      std::ldexp(1, roots ? r.integer(lowest, largest - precision - 3) : r.integer(lowest + half, largest / 2));
  // An odd number of one bit more than the result type has.
  const double v = scale * (2 * std::floor(std::ldexp(r.uniform(0.5, 1), precision)) + 1);
  std::vector<double> x;
  if (!roots)  // squares of 1 and, in one or two elements, 2^-precision
    x = precision % 2 ? std::vector{scale, std::ldexp(scale, -half), std::ldexp(scale, -half), 0.0}
                      : std::vector{scale, std::ldexp(scale, -half), 0.0};
  else if (r.integer(0, 1))  // norm 2v, deviation v, mean v
    x = {2 * v, 0};
  else  // deviation v, mean 0
    x = {2 * v, -2 * v, 0, 0, 0, 0, 0, 0};
  if (r.integer(0, 2) == 0) x.back() = std::ldexp(1, lowest);
  std::vector<T> data;
  for (const double y : x) data.push_back(support::nearest<T>(y));
  support::shuffle(data, r);
  return data;
}

}  // namespace

TEST_CASE("sums of squares, norms, variances and moments are correctly rounded: 10,000 cases a type") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    INFO(onefold::name_of(onefold::dtype_of<T>));
    support::random_numbers r(103);
    constexpr int kinds = static_cast<int>(exact_case::count) + 1;  // and ties of powers
    std::array<int, kinds> cases{};
    for (int turn = 0; turn < support::random_cases(10'500); ++turn) {
      const int kind = turn % kinds;
      const auto x = kind + 1 == kinds
                         ? tied_powers<T>(r)
                         : support::exact_case_data<T>(static_cast<exact_case>(kind), r.integer(1, 40), r);
      check_partition(x, check(x, "kind " + std::to_string(kind), turn / kinds), r);
      ++cases[static_cast<std::size_t>(kind)];
    }
    CHECK(std::accumulate(cases.begin(), cases.end(), 0) >= support::random_cases(10'000));
    CHECK(*std::ranges::min_element(cases) >= support::random_cases(1000));
  });
}

TEST_CASE("those of several pages are, on every path, thread count and instruction set") {
  int turn = 0;
  onefold::for_each_type(support::float_types{}, [&]<class T>() {
    const std::int64_t page = 16384 / sizeof(T);
    for (const std::int64_t n : {page - 1, page, 3 * page + 7, 23 * page + 1})
      for (std::uint64_t seed = 0; seed < 6; ++seed) {
        check(support::mixed_pages<T>(n, seed), "mixed pages", turn++);
        check(support::normal_data<T>(n, seed), "normal", turn++);
        check(support::wide_data<T>(n, seed), "wide exponents", turn++);
        support::random_numbers r(seed);
        check(support::generated<T>(n, [&] { return r.sign() * std::ldexp(r.uniform(1, 2), r.integer(-300, 300)); }),
              "exponents to 300", turn++);
      }
  });
  SUCCEED();
}

TEST_CASE("squares at the edges of what two f64 hold, on every instruction set") {
  for (const int exponent : {-1074, -1040, -538, -537, -486, -485, -481, -480, -479, 0, 499, 500, 501, 511, 512, 1023})
    for (int turn = 0; turn < 12; turn += 4) {
      std::vector<double> x;
      for (std::size_t i = 0; i < 2100; ++i)
        x.push_back(std::ldexp(1 + static_cast<double>(i) * 0x1.23456789abcdfp-20, exponent) * (i % 3 ? 1 : -1));
      check(x, "exponent " + std::to_string(exponent), turn);
      x[1000] = 0;
      x[1500] = 1.5;
      check(x, "exponent and 1.5: " + std::to_string(exponent), turn);
    }
  SUCCEED();
}

TEST_CASE("those of integers are, also where squares take more than 128 bits") {
  onefold::for_each_type(onefold::element_types{}, []<class T>() {
    if constexpr (onefold::detail::is_integer<T>) {
      int turn = 0;
      for (const std::int64_t n : {1, 3, 1000, 50'003}) check(support::integer_data<T>(n, 61), "integers", ++turn);
      for (const T v : {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T{0}}) {
        std::vector<T> x(20'001, v);
        check(x, "all equal", ++turn);
        for (std::size_t i = 0; i < x.size(); i += 3) x[i] = std::numeric_limits<T>::max();
        check(x, "extremes", ++turn);
      }
    }
  });
  SUCCEED();
}

TEST_CASE("exact_moments have the same values, however they are made") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    const auto x = support::mixed_pages<T>(3 * 16384 / static_cast<std::int64_t>(sizeof(T)) + 5, 7);
    const std::span<const T> all(x);
    const auto how = on_backend(accuracy::native, 3);
    onefold::exact_moments<T> left, right;
    left.push(all.first(1));
    left.push(all.subspan(1, 6000), how);
    for (const T y : all.subspan(6001)) right.push(y);
    left.merge(right);
    CHECK(left.count() == static_cast<std::int64_t>(x.size()));
    const auto exactly = on_backend(accuracy::exact);
    const auto same = [&]<class Op>(Op, auto got) {
      CHECK(bits_of(got) == bits_of(onefold::reduce<T, Op, decltype(got)>(all, exactly)));
    };
    same(op::mean{}, left.mean());
    same(op::variance{}, left.variance());
    same(op::sample_variance{}, left.sample_variance());
    same(op::stddev{}, left.template stddev<double>());
    same(op::sample_stddev{}, left.template sample_stddev<T>());
    same(op::sum_squares{}, left.sum_squares());
    same(op::norm2{}, left.template norm2<double>());
    left.merge(left);
    CHECK(left.count() == 2 * static_cast<std::int64_t>(x.size()));
    CHECK(bits_of(left.variance()) == bits_of(onefold::variance(x, exactly)));
  });
  onefold::exact_moments<double> none;
  CHECK_THROWS_AS(none.variance(), onefold::error);
  CHECK_THROWS_AS(none.mean(), onefold::error);
  CHECK(none.norm2() == 0);
  auto how = on_backend();
  how.init = 1.0;
  CHECK_THROWS_AS(none.push(std::vector<double>{1}, how), onefold::error);
}

TEST_CASE("squares of whole numbers have whole roots") {
  const auto norm = [](const std::vector<double>& x) { return onefold::norm2(x, on_backend(accuracy::exact)); };
  support::random_numbers r(102);
  for (int i = 0; i < 1000; ++i) {
    const double v = r.integer(1, 1 << 26);
    CHECK(norm({v}) == v);
    CHECK(norm({3 * v, 4 * v}) == 5 * v);
  }
  CHECK(norm({}) == 0);
  CHECK(norm({0x1p1000, 0x1p1000, 0x1p1000, 0x1p1000}) == 0x1p1001);
  CHECK(norm({-0x1p-1074}) == 0x1p-1074);
}
