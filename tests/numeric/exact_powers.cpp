// Moments, variances, deviations, sums of squares and norms at accuracy exact are correctly rounded: against MPFR, in
// every grouping, on every thread count and instruction set.
#include <limits>
#include <span>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/exact_cases.hpp"
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
    if (special_ != 0) return {n_, none, none};
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
  double special_ = 0;
};

using rounded_operations =
    onefold::type_list<op::sum_squares, op::norm2, op::variance, op::sample_variance, op::stddev, op::sample_stddev>;

/// Every operation of an array, to every type of result.
template <class T>
void check(const std::vector<T>& x, const std::string& what, int turn) {
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
}

}  // namespace

TEST_CASE("sums of squares and variances are correctly rounded") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    support::random_numbers r(103);
    for (int turn = 0; turn < 900; ++turn) {
      const auto kind = static_cast<exact_case>(turn % static_cast<int>(exact_case::count));
      check(support::exact_case_data<T>(kind, r.integer(1, 40), r), "kind " + std::to_string(turn % 9), turn / 9);
    }
  });
  SUCCEED();
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
