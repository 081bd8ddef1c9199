// NaN, the zeros, the infinities and ties: the rules of docs/semantics.md on every path and instruction set.
#include <array>
#include <cmath>
#include <set>
#include <span>

#include "onefold/exact_moments.hpp"
#include "support/entries.hpp"
#include "support/plain.hpp"
#include "support/special.hpp"

namespace {

using onefold::accuracy;
using support::bits_of;
using support::canonical_nan;
using support::filled;
using support::inf;
using support::nearest;
using support::run_on_all;
namespace op = onefold::op;

/// Calls f.operator()<T>(n) for each floating-point type and size.
void for_each_array(auto&& f) {
  onefold::for_each_type(support::float_types{}, [&]<class T>() {
    for (const std::int64_t n : support::path_sizes<T>()) {
      INFO(onefold::name_of(onefold::dtype_of<T>) << ", " << n << " elements");
      f.template operator()<T>(n);
    }
  });
}

/// Calls f.operator()<Op, T, A>() for the operations that add or multiply in floating point.
void for_each_rounded(auto&& f) {
  support::for_each_entry_and_accuracy([&]<class Op, class T, accuracy A>() {
    if constexpr (support::is_float<T> && Op::rounded) {
      INFO((support::entry_name<Op, T>(A)));
      f.template operator()<Op, T, A>();
    }
  });
}

/// Places in an array of n elements: both ends and between.
std::set<std::size_t> places(std::int64_t n) {
  return {0, static_cast<std::size_t>(n / 2), static_cast<std::size_t>(n - 1)};
}

}  // namespace

TEST_CASE("a NaN wins in min, max and minmax, and the result is the canonical one") {
  for_each_array([]<class T>(std::int64_t n) {
    for (const T nan : support::all_kinds_of_nan<T>()) {
      for (const double other : {1.0, inf, -inf, 0.0}) {
        for (const auto i : places(n)) {
          auto x = filled<T>(n, other);
          x[i] = nan;
          CHECK(run_on_all<op::min>(x) == bits_of(canonical_nan<T>()));
          CHECK(run_on_all<op::max>(x) == bits_of(canonical_nan<T>()));
          CHECK(run_on_all<op::minmax>(x) ==
                bits_of(onefold::minmax_result<T>{canonical_nan<T>(), canonical_nan<T>()}));
          CHECK(run_on_all<op::argmin>(x) == bits_of(static_cast<std::int64_t>(i)));
          CHECK(run_on_all<op::argmax>(x) == bits_of(static_cast<std::int64_t>(i)));
        }
      }
    }
  });
}

TEST_CASE("argmin and argmax return the first of several NaNs, whatever their bits") {
  for_each_array([]<class T>(std::int64_t n) {
    const auto nans = support::all_kinds_of_nan<T>();
    for (std::size_t k = 0; k < nans.size(); ++k) {
      auto x = filled<T>(n, 2);
      const auto first = static_cast<std::size_t>(n / 3);
      for (std::size_t i = first; i < x.size(); i += 3) x[i] = nans[(k + i) % nans.size()];
      CHECK(run_on_all<op::argmin>(x) == bits_of(static_cast<std::int64_t>(first)));
      CHECK(run_on_all<op::argmax>(x) == bits_of(static_cast<std::int64_t>(first)));
    }
  });
}

TEST_CASE("fmin and fmax ignore NaNs; nothing but NaNs gives the canonical one") {
  for_each_array([]<class T>(std::int64_t n) {
    for (const T nan : support::all_kinds_of_nan<T>()) {
      const std::vector<T> all(static_cast<std::size_t>(n), nan);
      CHECK(run_on_all<op::fmin>(all) == bits_of(canonical_nan<T>()));
      CHECK(run_on_all<op::fmax>(all) == bits_of(canonical_nan<T>()));
      for (const double number : {3.0, inf, -inf, -0.0}) {
        for (const auto i : places(n)) {
          auto x = all;
          x[i] = nearest<T>(number);
          CHECK(run_on_all<op::fmin>(x) == bits_of(x[i]));
          CHECK(run_on_all<op::fmax>(x) == bits_of(x[i]));
        }
      }
    }
  });
}

TEST_CASE("a NaN anywhere makes rounded results the canonical NaN") {
  for_each_rounded([]<class Op, class T, accuracy A>() {
    using R = typename Op::template result<T>;
    const auto nans = support::all_kinds_of_nan<T>();
    for (const std::int64_t n : support::path_sizes<T>()) {
      for (const auto i : places(n)) {
        auto x = filled<T>(n, 1.5);
        x[i] = nans[i % nans.size()];
        CHECK(run_on_all<Op>(x, A) == bits_of(canonical_nan<R>()));
      }
    }
  });
}

TEST_CASE("infinities: inf and -inf make NaN, one sign stays, moments have no value") {
  for_each_rounded([]<class Op, class T, accuracy A>() {
    using R = typename Op::template result<T>;
    constexpr bool adds = std::is_same_v<Op, op::sum> || std::is_same_v<Op, op::mean>;
    constexpr bool multiplies = std::is_same_v<Op, op::product>;
    constexpr bool squares = std::is_same_v<Op, op::sum_squares> || std::is_same_v<Op, op::norm2>;
    for (const std::int64_t n : support::path_sizes<T>()) {
      auto x = filled<T>(n, 1);
      x[static_cast<std::size_t>(n / 2)] = nearest<T>(-inf);
      const R alone = adds || multiplies ? static_cast<R>(-inf) : squares ? static_cast<R>(inf) : canonical_nan<R>();
      CHECK(run_on_all<Op>(x, A) == bits_of(alone));
      if (n > 1 && !squares) {
        x[0] = nearest<T>(adds ? inf : 0.0);  // inf - inf, inf * 0
        CHECK(run_on_all<Op>(x, A) == bits_of(canonical_nan<R>()));
      }
    }
  });
}

TEST_CASE("infinities and NaN make one mean in mean, moments and exact_moments, wherever they are") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    for (const std::int64_t n : support::path_sizes<T>()) {
      const auto last = static_cast<std::size_t>(n - 1);
      // The first two lie in one lane's first row and in the next lane; 8 rows on another strip begins.
      for (const auto i : std::set<std::size_t>{0, last / 9, last / 3, last / 2, last}) {
        for (const auto& [first, second, mean] :
             {std::array{inf, inf, inf}, std::array{-inf, -inf, -inf}, std::array{inf, -inf, std::nan("")},
              std::array{inf, std::nan(""), std::nan("")}, std::array{std::nan(""), 1.0, std::nan("")},
              std::array{-inf, 1.0, -inf}}) {
          auto x = filled<T>(n, 1.5);
          x[i / 2] = nearest<T>(3);
          x[i] = nearest<T>(second);
          x[last - i] = nearest<T>(first);
          const double wanted = i == last - i ? first : mean;  // one place
          const auto m = bits_of(onefold::moments_result{n, std::isnan(wanted) ? canonical_nan<double>() : wanted,
                                                         canonical_nan<double>()});
          INFO(onefold::name_of(onefold::dtype_of<T>)
               << ", n " << n << ", " << second << " at " << i << ", " << first << " at " << last - i);
          onefold::for_each_accuracy<op::moments, T>([&]<class, class, accuracy A>() {
            CHECK(run_on_all<op::moments>(x, A) == m);
            CHECK(run_on_all<op::stddev>(x, A) == bits_of(canonical_nan<op::stddev::result<T>>()));
            CHECK(bits_of(onefold::reduce<T, op::mean, double>(x, support::on_backend(A)))[0] == m[1]);
          });
          onefold::exact_moments<T> exact;
          exact.push(x);
          CHECK(bits_of(exact.template mean<double>())[0] == m[1]);
          CHECK(std::isnan(exact.template variance<double>()));
        }
      }
    }
  });
}

TEST_CASE("sums that overflow are infinite, in every accuracy") {
  onefold::for_each_type(onefold::type_list<float, double>{}, []<class T>() {
    onefold::for_each_accuracy<op::sum, T>([]<class, class, accuracy A>() {
      const std::vector<T> x(1000, -std::numeric_limits<T>::max());
      CHECK(run_on_all<op::sum>(x, A) == bits_of(static_cast<T>(-inf)));
    });
  });
}

TEST_CASE("-0 is below +0 in min, max, minmax, fmin, fmax, argmin and argmax") {
  for_each_array([]<class T>(std::int64_t n) {
    for (const double common : {0.0, -0.0}) {
      for (const auto i : places(n)) {
        auto x = filled<T>(n, common);
        x[i] = nearest<T>(-common);
        const std::span<const T> s(x);
        CHECK(run_on_all<op::min>(x) == bits_of(support::plain(op::min{}, s)));
        CHECK(run_on_all<op::max>(x) == bits_of(support::plain(op::max{}, s)));
        CHECK(run_on_all<op::fmin>(x) == bits_of(support::plain(op::fmin{}, s)));
        CHECK(run_on_all<op::fmax>(x) == bits_of(support::plain(op::fmax{}, s)));
        CHECK(run_on_all<op::minmax>(x) == bits_of(support::plain(op::minmax{}, s)));
        CHECK(run_on_all<op::argmin>(x) == bits_of(support::plain(op::argmin{}, s)));
        CHECK(run_on_all<op::argmax>(x) == bits_of(support::plain(op::argmax{}, s)));
      }
    }
  });
}

TEST_CASE("min of nothing but +inf is +inf, max of nothing but -inf is -inf") {
  for_each_array([]<class T>(std::int64_t n) {
    const auto high = filled<T>(n, inf), low = filled<T>(n, -inf);
    CHECK(run_on_all<op::min>(high) == bits_of(nearest<T>(inf)));
    CHECK(run_on_all<op::fmin>(high) == bits_of(nearest<T>(inf)));
    CHECK(run_on_all<op::max>(low) == bits_of(nearest<T>(-inf)));
    CHECK(run_on_all<op::fmax>(low) == bits_of(nearest<T>(-inf)));
    CHECK(run_on_all<op::argmin>(high) == bits_of(std::int64_t{0}));
    CHECK(run_on_all<op::argmax>(low) == bits_of(std::int64_t{0}));
  });
}

TEST_CASE("ties of argmin and argmax go to the first index") {
  onefold::for_each_type(onefold::element_types{}, []<class T>() {
    for (const std::int64_t n : support::path_sizes<T>()) {
      for (const auto first : places(n)) {
        auto x = filled<T>(n, 5);
        for (std::size_t i = first; i < x.size(); i += 7) x[i] = nearest<T>(9);
        CHECK(run_on_all<op::argmax>(x) == bits_of(static_cast<std::int64_t>(first)));
        for (T& y : x) y = nearest<T>(14 - static_cast<double>(support::value_of(y)));
        CHECK(run_on_all<op::argmin>(x) == bits_of(static_cast<std::int64_t>(first)));
      }
    }
  });
}

TEST_CASE("a sum or mean of nothing but -0 is +0, a product that is zero keeps its sign") {
  for_each_rounded([]<class Op, class T, accuracy A>() {
    using R = typename Op::template result<T>;
    for (const std::int64_t n : support::path_sizes<T>()) {
      if constexpr (std::is_same_v<Op, op::sum> || std::is_same_v<Op, op::mean>)
        CHECK(run_on_all<Op>(filled<T>(n, -0.0), A) == bits_of(R{0}));
      if constexpr (std::is_same_v<Op, op::sum_squares> || std::is_same_v<Op, op::norm2>)
        CHECK(run_on_all<Op>(filled<T>(n, -0.0), A) == bits_of(R{0}));
      if constexpr (std::is_same_v<Op, op::product>)
        CHECK(run_on_all<Op>(filled<T>(n, -0.0), A) == bits_of(n % 2 ? -R{0} : R{0}));
    }
  });
}

TEST_CASE("a wide product is infinite where an element is, whatever the error of the elements before") {
  // In one lane: -1.3 * -1.3 is rounded down, and its error times an infinity has the other sign.
  std::vector<double> x(192, 1);
  x[0] = x[64] = -1.3;
  for (const double infinity : {HUGE_VAL, -HUGE_VAL}) {
    x[128] = infinity;
    CHECK(run_on_all<op::product>(x, accuracy::wide) == bits_of(infinity));
    CHECK(run_on_all<op::product>(std::vector<double>{-1.3, infinity, -1.3}, accuracy::wide) == bits_of(infinity));
    CHECK(run_on_all<op::product>(std::vector<double>{-1.3, -1.3, infinity}, accuracy::wide) == bits_of(infinity));
  }
}

TEST_CASE("count, all and any: a NaN is not zero, -0 is") {
  for_each_array([]<class T>(std::int64_t n) {
    for (const T nan : support::all_kinds_of_nan<T>()) {
      auto x = filled<T>(n, -0.0);
      CHECK(run_on_all<op::count>(x) == bits_of(std::int64_t{0}));
      CHECK(run_on_all<op::any>(x) == bits_of(false));
      x.back() = nan;
      CHECK(run_on_all<op::count>(x) == bits_of(std::int64_t{1}));
      CHECK(run_on_all<op::any>(x) == bits_of(true));
      CHECK(run_on_all<op::all>(x) == bits_of(n == 1));
      const std::vector<T> all(static_cast<std::size_t>(n), nan);
      CHECK(run_on_all<op::all>(all) == bits_of(true));
    }
  });
}
