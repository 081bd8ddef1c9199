// The data sets: recorded bits, the properties that their names promise, and what is refused.
#include "data/sets.hpp"

#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "data/format.hpp"
#include "onefold/onefold.hpp"
#include "support/big.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/data_sets.hpp"
#include "support/recorded.hpp"

namespace {

using onefold::data::floating_types;
using support::data_set;
using support::exact_sums;
using support::value_of;

template <class T>
exact_sums sums_of(const std::vector<T>& x) {
  return exact_sums(std::span<const T>(x));
}

template <class T>
double condition_of(const std::vector<T>& x) {
  const exact_sums e = sums_of(x);
  return static_cast<double>((e.absolute / abs(e.sum)).approximate());
}

template <class T>
double mean_of(const std::vector<T>& x) {
  return static_cast<double>(sums_of(x).mean().approximate());
}

bool refused(const onefold::data::request& what) {
  try {
    onefold::data::check(what);
    return false;
  } catch (const onefold::error& e) {
    return e.code() == onefold::error_code::invalid_argument || e.code() == onefold::error_code::unsupported;
  }
}

int set_of(std::string_view name) { return onefold::data::find_set(name).value(); }

}  // namespace

TEST_CASE("every set has the recorded bits") {
  std::map<std::string, std::string> got;
  onefold::for_each_type(floating_types{}, [&]<class T>() {
    for (const auto& set : onefold::data::sets())
      for (const std::uint64_t seed : {1u, 2u}) {
        support::digest d;
        for (const std::int64_t n : {0, 1, 100, 4099}) {
          // One element and none have no condition number but 1.
          const auto x = data_set<T>(set.name, n, seed, n < 100 ? 1 : 1e6);
          d.add(std::as_bytes(std::span(x)));
        }
        got[std::string(set.name) + ' ' + onefold::name_of(onefold::dtype_of<T>) + ' ' + std::to_string(seed)] =
            d.text();
      }
  });
  support::check_recorded("ONEFOLD_TEST_DIGESTS", got);
}

TEST_CASE("seeds change what is random and nothing else") {
  const std::set<std::string_view> fixed{"small-terms", "harmonic", "alternating", "sine", "all-equal"};
  for (const auto& set : onefold::data::sets()) {
    INFO(set.name);
    CHECK((data_set<double>(set.name, 1000, 1) == data_set<double>(set.name, 1000, 2)) == fixed.contains(set.name));
    CHECK(data_set<float>(set.name, 1000, 7) == data_set<float>(set.name, 1000, 7));
  }
}

TEST_CASE("all elements are finite and of the type's own kind") {
  onefold::for_each_type(floating_types{}, []<class T>() {
    constexpr support::format f = support::format_of<T>;
    const double smallest_normal = std::ldexp(1, f.smallest_exponent() + f.fraction_bits);
    for (const auto& set : onefold::data::sets()) {
      INFO(set.name << ' ' << onefold::name_of(onefold::dtype_of<T>));
      const bool below = set.name == "subnormals";
      for (const T x : data_set<T>(set.name, 5000, 3, 1e6)) {
        const double v = value_of(x);
        if (!std::isfinite(v) || (below && std::fabs(v) >= smallest_normal)) FAIL("an element is " << v);
      }
    }
  });
}

TEST_CASE("conditioned sums have the condition number that was asked for") {
  onefold::for_each_type(floating_types{}, []<class T>() {
    for (const double asked : {1.0, 1.01, 2.0, 10.0, 1e3, 1e6, 1e9, 1e12, 1e16, 1e20, 1e24, 1e32, 1e50, 1e100})
      for (const std::int64_t n : {100, 3001}) {
        if (refused({set_of("conditioned"), onefold::dtype_of<T>, n, 1, asked})) continue;
        for (const std::uint64_t seed : {1u, 2u, 3u}) {
          const double got = condition_of(data_set<T>("conditioned", n, seed, asked));
          INFO(onefold::name_of(onefold::dtype_of<T>) << " n " << n << " asked " << asked << " got " << got);
          CHECK(got < 2 * asked);
          CHECK(got > asked / 2);
        }
      }
  });
  // What must be there at the least.
  for (const double asked : {1.0, 1e24, 1e100})
    CHECK(!refused({set_of("conditioned"), onefold::dtype::f64, 100, 1, asked}));
  for (const double asked : {1.0, 1e24, 1e50})
    CHECK(!refused({set_of("conditioned"), onefold::dtype::f32, 100, 1, asked}));
  CHECK(!refused({set_of("conditioned"), onefold::dtype::f16, 100, 1, 1e7}));
}

TEST_CASE("the distributions are what they are called") {
  constexpr std::int64_t n = 100'000;
  const double root = std::sqrt(static_cast<double>(n));

  const auto uniform = data_set<double>("uniform", n);
  CHECK(std::fabs(mean_of(uniform) - 0.5) < 5 * 0.29 / root);
  for (const double x : uniform) REQUIRE((x >= 0 && x < 1));

  const auto normal = data_set<double>("normal", n);
  CHECK(std::fabs(mean_of(normal)) < 5 / root);
  const double squares = std::inner_product(normal.begin(), normal.end(), normal.begin(), 0.0);
  CHECK(std::fabs(squares / n - 1) < 5 * std::sqrt(2) / root);
  int beyond_two = 0;
  for (const double x : normal) beyond_two += std::fabs(x) > 2;
  CHECK(std::fabs(beyond_two / static_cast<double>(n) - 0.0455) < 5 * 0.21 / root);

  double logs = 0;
  for (const double x : data_set<double>("lognormal", n)) logs += std::log(x);
  CHECK(std::fabs(logs / n) < 5 * 2 / root);

  CHECK(std::fabs(mean_of(data_set<double>("harmonic", n)) * n - (std::log(n) + 0.5772156649 + 0.5 / n)) < 1e-9);
  CHECK(std::fabs(mean_of(data_set<double>("alternating", n)) * n - (std::log(2) - 0.5 / n)) < 1e-9);

  const auto sine = data_set<double>("sine", n);
  for (std::size_t i = 0; i < sine.size(); i += 997)
    CHECK(std::fabs(sine[i] - std::sin(2 * 3.141592653589793 * 10 * static_cast<double>(i) / n)) < 1e-13);
  CHECK(condition_of(sine) > 1e12);
}

TEST_CASE("the sets that show one thing show it") {
  onefold::for_each_type(floating_types{}, []<class T>() {
    INFO(onefold::name_of(onefold::dtype_of<T>));
    for (const std::int64_t n : {1, 2, 1001, 4000}) CHECK(sums_of(data_set<T>("cancelling", n)).sum.approximate() == 0);

    const auto small = data_set<T>("small-terms", 1000);
    CHECK(value_of(small[0]) > 1e6 * value_of(small[1]));
    CHECK(value_of(small[1]) == value_of(small[999]));

    const auto equal = data_set<T>("all-equal", 1000);
    for (const T x : equal) CHECK(value_of(x) == value_of(support::nearest<T>(0.1)));

    const auto outlier = data_set<T>("outlier", 1000);
    int far = 0;
    for (const T x : outlier) far += std::fabs(value_of(x)) > 10;
    CHECK(far == 1);

    std::set<int> exponents;
    for (const T x : data_set<T>("wide-exponents", 20'000)) exponents.insert(std::ilogb(value_of(x)));
    constexpr support::format f = support::format_of<T>;
    CHECK(static_cast<int>(exponents.size()) > f.largest_exponent() * 2 - 24);
    const exact_sums e = sums_of(data_set<T>("wide-exponents", 20'000));
    CHECK(e.absolute.approximate() < (sizeof(T) == 8 ? 0x1p1023L : 0x1p127L));
  });
  // A left fold loses the small terms of f32, and rounds those of f64 one by one.
  const auto f = data_set<float>("small-terms", 1000);
  CHECK(std::accumulate(f.begin(), f.end(), 0.0f) == 1e8f);
  CHECK(onefold::sum(f) > 1e8f);
  const auto d = data_set<double>("small-terms", 1001);
  const double grown = std::accumulate(d.begin(), d.end(), 0.0) - 1e8;
  CHECK(grown == 1000 * 0x1p-26);
}

TEST_CASE("what cannot be made is refused") {
  CHECK(refused({set_of("uniform"), onefold::dtype::i32, 10}));
  CHECK(refused({set_of("uniform"), onefold::dtype::f32, -1}));
  CHECK(refused({99, onefold::dtype::f32, 10}));
  for (const double c : {0.5, 0.0, -1.0, HUGE_VAL, std::nan("")})
    CHECK(refused({set_of("conditioned"), onefold::dtype::f64, 100, 1, c}));
  CHECK(refused({set_of("conditioned"), onefold::dtype::f16, 1000, 1, 1e12}));
  CHECK(refused({set_of("conditioned"), onefold::dtype::f32, 1000, 1, 1e100}));
  CHECK(refused({set_of("conditioned"), onefold::dtype::f64, 10, 1, 1e100}));
  CHECK(!refused({set_of("uniform"), onefold::dtype::f32, 10, 1, 0.5}));
  CHECK(!onefold::data::find_set("unifrom"));
}
