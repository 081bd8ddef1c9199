// Order statistics against a sorted copy, and the rules of quantiles between two elements.
#include "onefold/quantile.hpp"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::error_code;
using onefold::quantile_method;
using support::bits_of;

const double infinite = std::numeric_limits<double>::infinity(),
             not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
auto number_of(T x) {
  if constexpr (onefold::detail::is_small_float<T>)
    return static_cast<float>(x);
  else
    return x;
}

/// The order of docs/semantics.md: -0 < +0.
template <class T>
bool less(T a, T b) {
  const auto x = number_of(a), y = number_of(b);
  if constexpr (onefold::detail::is_float<T>)
    if (x == y) return std::signbit(x) && !std::signbit(y);
  return x < y;
}

/// Data with many equal elements, of one leading digit, or spread widely, all without NaN.
template <class T>
std::vector<T> without_nan(std::int64_t n, int kind, support::random_numbers& r) {
  std::vector<T> x(static_cast<std::size_t>(n));
  support::fill<T>(x.data(), n, r);
  for (T& e : x) {
    if constexpr (onefold::detail::is_float<T>)
      if (std::isnan(number_of(e))) e = T(-0.0f);
    if (kind == 1) e = T(static_cast<float>(r.integer(0, 3)) / 2);
    if (kind == 2 && sizeof(T) > 2) e = T(1 + static_cast<float>(r.integer(0, 8000)) * 0x1p-20f);
  }
  return x;
}

}  // namespace

TEST_CASE("every rank is that of a sorted copy") {
  support::random_numbers r(31);
  onefold::for_each_type(onefold::element_types{}, [&]<class T>() {
    for (const std::int64_t n : {1, 2, 7, 1000, 20'000, 100'000, 600'000})
      for (int kind = 0; kind < 3; ++kind) {
        if (n > 100'000 && (kind == 1 || sizeof(T) < 4)) continue;
        const auto x = without_nan<T>(n, kind, r);
        auto sorted = x;
        std::sort(sorted.begin(), sorted.end(), less<T>);
        const auto how = support::on_backend(onefold::accuracy::native, r.integer(1, 4));
        if (onefold::why_not(onefold::operation_index<onefold::op::min>, onefold::dtype_of<T>, how.accuracy)) continue;
        INFO(onefold::name_of(onefold::dtype_of<T>) << ' ' << n << ' ' << kind);
        for (const std::int64_t rank : {std::int64_t{0}, n / 3, n / 2, n - 1})
          CHECK(bits_of(onefold::nth_smallest(x, rank, how)) == bits_of(sorted[static_cast<std::size_t>(rank)]));
        // Several at once, unordered.
        const double list[] = {1, 0, 0.75, 0.5, 0.5};
        const auto found = onefold::quantiles(x, list, quantile_method::lower, how);
        for (std::size_t i = 0; i < std::size(list); ++i) {
          const auto rank = static_cast<std::size_t>(list[i] * static_cast<double>(n - 1));
          CHECK(found[i] == static_cast<onefold::quantile_result<T>>(number_of(sorted[rank])));
        }
      }
  });
}

TEST_CASE("between two elements") {
  const auto how = support::on_backend();
  const std::vector<double> x{30, 10, 40, 20};
  const auto at = [&](double q, quantile_method method) { return onefold::quantile(x, q, method, how); };
  CHECK(onefold::median(x, how) == 25);
  CHECK(at(0.25, quantile_method::linear) == 17.5);
  CHECK(at(0.25, quantile_method::lower) == 10);
  CHECK(at(0.25, quantile_method::higher) == 20);
  CHECK(at(0.25, quantile_method::nearest) == 20);
  CHECK(at(0.5, quantile_method::nearest) == 30);  // ranks 1 and 2 are equally near
  CHECK(at(1.0 / 6, quantile_method::nearest) == 10);
  CHECK(at(0, quantile_method::higher) == 10);
  CHECK(at(1, quantile_method::linear) == 40);
  // From the upper end where that is nearer, as NumPy.
  CHECK(onefold::quantile(std::vector<double>{0.1, 0.3}, 0.7, quantile_method::linear, how) ==
        0.3 - (0.3 - 0.1) * (1 - 0.7));
  CHECK(onefold::median(std::vector<std::int32_t>{1, 2}, how) == 1.5);
  CHECK(onefold::median(std::vector<float>{1, 2, 4}, how) == 2);
  static_assert(std::is_same_v<decltype(onefold::median(std::vector<float>{})), float>);
}

TEST_CASE("infinities, zeros and NaN") {
  const auto how = support::on_backend();
  CHECK(onefold::median(std::vector<double>{-infinite, 1}, how) == -infinite);
  CHECK(onefold::median(std::vector<double>{infinite, 1}, how) == infinite);
  CHECK(onefold::median(std::vector<double>{infinite, infinite}, how) == infinite);
  CHECK(onefold::median(std::vector<double>{1.75e308, -1.75e308}, how) == 0);  // whose difference is infinite
  CHECK(bits_of(onefold::median(std::vector<double>{-infinite, infinite}, how)) == bits_of(not_a_number));
  CHECK(std::signbit(onefold::nth_smallest(std::vector<float>{0.0f, -0.0f}, 0, how)));
  CHECK(!std::signbit(onefold::nth_smallest(std::vector<float>{0.0f, -0.0f}, 1, how)));
  for (const double nan : {not_a_number, -not_a_number}) {
    std::vector<double> x(50'000, 3.0);
    x[4711] = nan;
    x[7] = 1;
    CHECK(bits_of(onefold::median(x, how)) == bits_of(not_a_number));
    CHECK(bits_of(onefold::nth_smallest(x, 0, how)) == bits_of(not_a_number));
    CHECK(onefold::nanmedian(x, how) == 3);
    CHECK(onefold::nanquantile(x, 0, quantile_method::linear, how) == 1);
    CHECK(onefold::nanquantile(x, 1, quantile_method::linear, how) == 3);
  }
}

TEST_CASE("the caller's rounding mode has no effect") {
  const std::vector<double> x{0.1, 0.7};
  const auto how = support::on_backend();
  const double meant = onefold::quantile(x, 0.3, quantile_method::linear, how);
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const double found = onefold::quantile(x, 0.3, quantile_method::linear, how);
    std::fesetround(FE_TONEAREST);
    CHECK(bits_of(found) == bits_of(meant));
  }
}

TEST_CASE("several quantiles in braces") {
  const std::vector<double> x{4, 1, 3, 2, 5};
  CHECK(onefold::quantiles(x, {0, 0.25, 1}, quantile_method::linear, support::on_backend()) ==
        std::vector<double>{1, 2, 5});
}

TEST_CASE("errors of order statistics") {
  const auto how = support::on_backend();
  const std::vector<float> none, one{1};
  support::check_error(error_code::empty_input, "no elements", [&] { onefold::median(none, how); });
  support::check_error(error_code::empty_input, "no elements", [&] { onefold::nth_smallest(none, 0, how); });
  support::check_error(error_code::empty_input, "all elements are NaN",
                       [&] { onefold::nanmedian(std::vector<double>{not_a_number}, how); });
  for (const double q : {-0.1, 1.5, not_a_number})
    support::check_error(error_code::invalid_argument, "a quantile is between 0 and 1",
                         [&] { onefold::quantile(one, q, quantile_method::linear, how); });
  for (const std::int64_t rank : {-1, 1})
    support::check_error(error_code::invalid_argument, "position " + std::to_string(rank) + " is not between 0 and 0",
                         [&] { onefold::nth_smallest(one, rank, how); });
  const onefold::options from{.init = 1};
  const auto refuses_initial = [](auto call) {
    support::check_error(error_code::invalid_argument, "order statistics take no initial value", call);
  };
  refuses_initial([&] { onefold::median(one, from); });
  refuses_initial([&] { onefold::nanmedian(one, from); });
  refuses_initial([&] { onefold::quantile(one, 0.5, from); });
  refuses_initial([&] { onefold::nth_smallest(one, 0, from); });
  support::check_error(error_code::invalid_argument, "unknown method of quantiles",
                       [&] { onefold::quantile(one, 0.5, static_cast<quantile_method>(9), how); });
  support::check_error(error_code::unsupported, "on CPUs only",
                       [&] { onefold::median(one, {.backend = onefold::backend::cuda}); });
}

TEST_CASE("views are their elements in C order") {
  const auto how = support::on_backend();
  const std::vector<double> x{5, 1, 4, 2, 3, 9};
  using view = onefold::array_view<double>;
  CHECK(onefold::median(view(x.data(), {2, 3}), how) == 3.5);
  CHECK(onefold::median(view(x.data(), {2, 2}, {3, 1}), how) == 2.5);    // 5 1 2 3: rows apart
  CHECK(onefold::median(view(x.data(), {3}, {2}), how) == 4);            // 5 4 3
  CHECK(onefold::median(view(x.data() + 4, {3}, {-2}), how) == 4);       // backwards
  CHECK(onefold::median(view(x.data() + 3, {5, 1}, {0, 7}), how) == 2);  // repeated
  CHECK(onefold::top_k(view(x.data(), {3, 2}, {1, 3}), 2, how).indices == std::vector<std::int64_t>{5, 0});
  CHECK(onefold::nth_smallest(onefold::max(view(x.data(), {2, 3}), 1, how), 0, how) == 5);  // results are elements
  CHECK(onefold::median(onefold::array_view<const double>(x.data(), {3}, {2}), how) == 4);
  CHECK(onefold::top_k(view(x.data(), {0, 3}, {9, 2}), 0, how).values.empty());
  support::check_error(onefold::error_code::empty_input, "median: a quantile of no elements", [&] {
    onefold::median(view(nullptr, {0, 3}, {9, 2}), how);
  });
  support::check_error(onefold::error_code::invalid_argument, "the data pointer is null, but there are 3 elements",
                       [&] { onefold::median(view(nullptr, {3}, {2}), how); });
}
