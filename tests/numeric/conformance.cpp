// Every rounded operation against exact arithmetic (MPFR) within its bound, and every other one against a plain loop.
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "support/backend.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/plain.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using support::judgment;
using support::real;

struct sample_set {
  bool random;  ///< errors behave like random walks
  bool narrow;  ///< values between 1/64 and 64 or so: a product of twenty stays finite
};

template <class T, class Function>
void for_each_sample(Function&& f) {
  if constexpr (support::is_float<T>) {
    f("uniform", support::uniform_data<T>(40'000, 1), sample_set{true, false});
    f("normal", support::normal_data<T>(40'000, 2), sample_set{true, false});
    f("lognormal", support::lognormal_data<T>(9'000, 3), sample_set{false, false});
    f("few lognormal", support::lognormal_data<T>(20, 4), sample_set{false, true});
    f("factors", support::factor_data<T>(20, 5), sample_set{false, true});
    f("ill-conditioned", support::ill_conditioned_data<T>(1000, 6), sample_set{false, false});
    f("wide exponents", support::wide_data<T>(5000, 7), sample_set{false, false});
    f("subnormal", support::subnormal_data<T>(3000, 8), sample_set{false, false});
    if constexpr (sizeof(T) == 2) f("all values", support::all_finite_values<T>(), sample_set{false, false});
  } else {
    f("integers", support::integer_data<T>(20'000, 9), sample_set{true, false});
    f("few integers", support::integer_data<T>(7, 10), sample_set{false, true});
  }
}

/// The error of one number against a judgment.
template <class R>
void check(const char* what, R got, const judgment& j) {
  if (std::isinf(j.exact.template rounded<R>()) || j.bound > std::numeric_limits<R>::max()) return;  // overflows
  const real error = std::fabs((support::big::from(got) - j.exact).approximate());
  if (!(error <= j.bound))
    FAIL_CHECK(what << ": " << got << " is " << double(error) << " off, " << double(error / j.bound) << " bounds");
}

/// Sums, means and products; the others have squares in their states.
template <class Op>
constexpr bool adds = std::is_same_v<Op, onefold::op::sum> || std::is_same_v<Op, onefold::op::mean> ||
                      std::is_same_v<Op, onefold::op::product>;

template <class Op, class T, accuracy A>
void check_rounded(std::span<const T> x, const support::exact_sums& e, sample_set how) {
  using R = typename Op::template result<T>;
  if (std::is_same_v<Op, onefold::op::product> && !how.narrow) return;
  // Partial sums may overflow where the whole does not: then any order gives NaN or infinity.
  constexpr real most = A == accuracy::wide ? std::numeric_limits<double>::max() : std::numeric_limits<R>::max();
  if (e.absolute.approximate() > most) return;
  if (!adds<Op> && e.squares.approximate() > std::numeric_limits<double>::max()) return;  // squares overflow
  const R got = onefold::reduce<T, Op>(x, support::on_backend(A, 3));
  const judgment j = support::judge<T, R>(Op{}, A, x, e, !how.random);
  check("the bound of docs/accuracy.md", got, j);
  if constexpr (A == accuracy::native && std::is_same_v<Op, onefold::op::sum>)
    if (how.random)
      check("6 sqrt(h) u A", got,
            {j.exact, 6 * std::sqrt(support::depth(e.n, sizeof(T))) * support::unit<R> * e.absolute.approximate()});
}

template <class T>
void check_moments(std::span<const T> x, const support::exact_sums& e, accuracy a, bool outliers) {
  const auto got = onefold::reduce<T, onefold::op::moments>(x, support::on_backend(a, 3));
  const support::moments_bounds bounds(x, e, a, outliers);
  CHECK(got.n == e.n);
  if (e.m2().approximate() > std::numeric_limits<double>::max()) return;
  check("mean", got.mean, {e.mean(), bounds.mean});
  check("M2", got.m2, {e.m2(), bounds.m2});
}

/// The sum's own bits; a bound that holds, and is not much more than the one of docs/accuracy.md; the condition number.
template <class T>
void check_bounded(std::span<const T> x, const support::exact_sums& e, accuracy a) {
  using R = typename onefold::op::sum::result<T>;
  const auto how = support::on_backend(a, 3);
  const auto got = onefold::reduce<T, onefold::op::sum_with_bound>(x, how);
  CHECK(support::bits_of(got.value) == support::bits_of(onefold::reduce<T, onefold::op::sum>(x, how)));
  if (std::isinf(got.bound)) {
    CHECK(e.absolute.approximate() > std::numeric_limits<R>::max() / 2);
    return;
  }
  check("its own bound", got.value, {e.sum, got.bound});
  const judgment j = support::judge<T, R>(onefold::op::sum{}, a, x, e, false);
  const real slack = 1.2L * j.bound + 8 * support::smallest<double>;
  if (!(got.bound <= slack)) FAIL_CHECK("the bound " << got.bound << " is loose: " << double(j.bound) << " will do");
  const real size = std::fabs(static_cast<real>(got.value)), magnitude = e.absolute.approximate();
  if (size > 1e3 * support::smallest<double>)
    CHECK(std::fabs(got.condition * size - magnitude) <= 64 * support::unit<R> * magnitude);
}

template <class T>
void check_all(std::span<const T> x, sample_set how) {
  const support::exact_sums e(x);
  onefold::for_each_type(onefold::operations{}, [&]<class Op>() {
    if constexpr (onefold::cataloged<Op, T>) {
      onefold::for_each_accuracy<Op, T>([&]<class, class, accuracy A>() {
        INFO((support::entry_name<Op, T>(A)));
        if (support::overflows<Op, T, A>(x)) return;
        if constexpr (support::order_independent<Op, T>)
          CHECK(support::run<Op>(x.data(), e.n, support::on_backend(A, 3)) ==
                support::bits_of(support::plain(Op{}, x)));
        else if constexpr (std::is_same_v<Op, onefold::op::moments>)
          check_moments(x, e, A, !how.random);
        else if constexpr (std::is_same_v<Op, onefold::op::sum_with_bound>)
          check_bounded(x, e, A);
        else  // a new operation does not compile here before it has an oracle
          check_rounded<Op, T, A>(x, e, how);
      });
    }
  });
}

}  // namespace

TEST_CASE("results are within their bounds of the exact ones") {
  onefold::for_each_type(onefold::element_types{}, []<class T>() {
    for_each_sample<T>([](const char* name, const std::vector<T>& x, sample_set how) {
      INFO(name);
      check_all<T>(x, how);
    });
  });
}

TEST_CASE("variances of data far from zero keep their digits") {
  support::random_numbers r(20);
  const auto far = support::generated<double>(30'000, [&] { return 1e6 + r.normal(); });
  check_all<double>(far, {true, false});
  const auto far_floats = support::generated<float>(30'000, [&] { return 1000 + r.normal(); });
  check_all<float>(far_floats, {true, false});
}

TEST_CASE("variances survive an outlier where a page begins") {
  auto x = support::normal_data<double>(10'000, 24);
  for (std::size_t i = 0; i < x.size(); i += 2048) x[i] = 1e9;
  check_all<double>(x, {false, false});
}

TEST_CASE("the bounds are red for a wrong order or a wrong formula") {
  const auto off = [](auto wrong, const judgment& j) {
    return std::fabs((support::big::from(wrong) - j.exact).approximate()) > j.bound;
  };
  const auto left_fold = [](const std::vector<float>& x) { return std::accumulate(x.begin(), x.end(), 0.0f); };
  const auto bound = [](const std::vector<float>& x, accuracy a) {
    const std::span<const float> s(x);
    return support::judge<float, float>(onefold::op::sum{}, a, s, support::exact_sums(s), false);
  };

  const std::vector<float> ones(std::size_t{1} << 25, 1.0f);  // a left fold stops at 2^24
  const judgment of_ones{support::big::from(1 << 25),
                         support::gamma(support::depth(1 << 25, 4), support::unit<float>) * (1 << 25)};
  CHECK(off(left_fold(ones), of_ones));
  CHECK(onefold::sum(ones, support::on_backend()) == 0x1p25f);

  const auto uniform = support::uniform_data<float>(2'000'000, 21);
  CHECK(off(left_fold(uniform), bound(uniform, accuracy::native)));
  // A native sum does not pass for a compensated one.
  const auto normal = support::normal_data<float>(500'000, 23);
  const float native = onefold::sum(normal, support::on_backend());
  CHECK(off(native, bound(normal, accuracy::kahan)));
  CHECK(off(native, bound(normal, accuracy::wide)));

  // Sums of squares do not pass for shifted sums.
  support::random_numbers r(22);
  const auto far = support::generated<double>(30'000, [&] { return 1e6 + r.normal(); });
  double s = 0, q = 0;
  for (const double y : far) s += y, q += y * y;
  const double n = static_cast<double>(far.size());
  const std::span<const double> x(far);
  CHECK(off((q - s * s / n) / n, support::judge<double, double>(onefold::op::variance{}, accuracy::native, x,
                                                                support::exact_sums(x), true)));
}
