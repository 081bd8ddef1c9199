// The statistics of a summary are those of the verbs.
#include "onefold/summary.hpp"

#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using onefold::error_code;
using onefold::where;
using support::bits_of;

/// Checks all but the counts against the verbs.
template <class T, class Data>
void check_statistics(const onefold::summary_result<T>& s, const Data& x, const onefold::options& how) {
  CHECK(s.n == onefold::moments(x, how).n);
  CHECK(bits_of(s.sum) == bits_of(onefold::sum(x, how)));
  CHECK(bits_of(s.mean) == bits_of(onefold::mean(x, how)));
  CHECK(bits_of(s.min) == bits_of(onefold::min(x, how)));
  CHECK(bits_of(s.max) == bits_of(onefold::max(x, how)));
  CHECK(bits_of(s.variance) == bits_of(onefold::variance(x, how)));
  CHECK(bits_of(s.stddev) == bits_of(onefold::stddev(x, how)));
  CHECK(bits_of(s.sample_variance) == bits_of(onefold::sample_variance(x, how)));
  CHECK(bits_of(s.sample_stddev) == bits_of(onefold::sample_stddev(x, how)));
}

template <class T>
void check_type() {
  support::random_numbers r(23);
  for (const std::int64_t n : {1, 1000, 70'000})
    for (const auto mode : {accuracy::native, accuracy::exact}) {
      std::vector<T> x(static_cast<std::size_t>(n));
      support::fill<T>(x.data(), n, r);
      std::int64_t nans = 0;
      for (const T e : x) nans += std::isnan(static_cast<double>(e)) ? 1 : 0;
      const auto how = support::on_backend(mode, r.integer(1, 3));
      const auto s = onefold::summary(x, how);
      CHECK(s.nan_count == nans);
      check_statistics(s, x, how);
    }
}

const double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("each statistic has the bits of its verb") {
  check_type<float>();
  check_type<double>();
  check_type<std::int32_t>();
}

TEST_CASE("NaN are counted, and win") {
  std::vector<double> x(50'000, 2.0);
  for (const std::size_t i : {std::size_t{0}, std::size_t{4096}, x.size() - 1}) x[i] = not_a_number;
  x[7] = 0;  // which count leaves out
  const auto how = support::on_backend(accuracy::native, 2);
  const auto all = onefold::summary(x, how);
  CHECK(all.n == 50'000);
  CHECK(all.nan_count == 3);
  check_statistics(all, x, how);
  CHECK(std::isnan(all.max));

  const auto without = onefold::nansummary(x, how);
  CHECK(without.n == 49'997);
  CHECK(without.nan_count == 3);
  CHECK(without.min == 0);
  check_statistics(without, where(x, onefold::not_nan), how);
  CHECK(onefold::nansummary(std::vector<float>{1, 3}, how).mean == 2);
  CHECK(onefold::nansummary(std::vector<std::int32_t>{1, 3}, how).nan_count == 0);
}

TEST_CASE("summaries of views") {
  support::random_numbers r(24);
  std::vector<float> x(60'000);
  support::fill<float>(x.data(), 60'000, r);
  x[59'999] = static_cast<float>(not_a_number);
  const onefold::array_view<float> columns(x.data(), {300, 200}, {1, 300});
  const auto s = onefold::summary(columns, support::on_backend());
  CHECK(s.n == 60'000);
  CHECK(s.nan_count >= 1);
  check_statistics(s, columns, support::on_backend());
}

TEST_CASE(
    "summaries of selected and computed elements, and of ranges that are not contiguous, read NaN as a copy does") {
  support::random_numbers r(25);
  for (const std::int64_t n : {1, 700, 20'000}) {
    std::vector<float> x(static_cast<std::size_t>(n));
    support::fill<float>(x.data(), n, r);
    std::vector<std::uint8_t> mask(x.size()), bits(x.size() / 8 + 1);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i % 7 == 0) x[i] = static_cast<float>(not_a_number);
      mask[i] = i == 0 || r.integer(0, 2) > 0;
      bits[(i + 3) / 8] = static_cast<std::uint8_t>(bits[(i + 3) / 8] | mask[i] << ((i + 3) % 8));
    }
    const auto how = support::on_backend(accuracy::native, 2);
    std::vector<float> copy, squares;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (mask[i]) copy.push_back(x[i]);
    for (const float e : x) squares.push_back(e * e);
    const auto meant = bits_of(onefold::summary(copy, how));
    CHECK(onefold::summary(copy, how).nan_count >= 1);
    CHECK(bits_of(onefold::summary(where(x, mask), how)) == meant);
    CHECK(bits_of(onefold::summary(where(x, onefold::bitmap(bits.data(), 3, {n})), how)) == meant);
    CHECK(bits_of(onefold::summary(std::deque<float>(copy.begin(), copy.end()), support::on_cpu(how))) == meant);
    const auto square = [](float e) { return e * e; };
    CHECK(bits_of(onefold::summary(onefold::mapped(square, x), support::on_cpu(how))) ==
          bits_of(onefold::summary(squares, how)));
    if (n > 1) CHECK(bits_of(onefold::summary(where(x, onefold::not_nan), how))[1] == 0);
    const std::vector<int> numbers(x.size(), 3);
    CHECK(bits_of(onefold::summary(where(numbers, mask), how)) ==
          bits_of(onefold::summary(std::vector<int>(copy.size(), 3), how)));
  }
}

TEST_CASE("summaries of groups, segments and lines are those of each alone") {
  std::vector<double> x;
  std::vector<int> keys;
  std::vector<std::uint8_t> mask;
  std::vector<std::vector<double>> groups(4), selected(4);
  for (std::size_t i = 0; i < 4000; ++i) {
    x.push_back(i % 9 == 0 && i % 4 != 1 ? not_a_number : static_cast<double>(i * i % 101));
    keys.push_back(static_cast<int>(i % 4));
    mask.push_back(i % 5 < 3);
    groups[i % 4].push_back(x[i]);
    if (mask[i]) selected[i % 4].push_back(x[i]);
  }
  const auto how = support::on_backend(accuracy::native, 2);
  const auto by_key = onefold::summary(onefold::by_key(x, keys), how);
  const auto masked = onefold::summary(where(onefold::by_key(x, keys), mask), how);
  const auto without = onefold::nansummary(onefold::by_key(x, keys), how);
  const onefold::array_view<double> table(x.data(), {1000, 4});
  const auto columns = onefold::summary(table, 0, how), clean = onefold::nansummary(table, 0, how);
  const auto chosen =
      onefold::summary(where(table, onefold::array_view<const std::uint8_t>(mask.data(), {1000, 4})), 0, how);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(by_key.keys[k] == static_cast<int>(k));
    CHECK((onefold::summary(groups[k], how).nan_count > 0) == (k != 1));
    CHECK(bits_of(by_key.results[k]) == bits_of(onefold::summary(groups[k], how)));
    CHECK(bits_of(masked.results[k]) == bits_of(onefold::summary(selected[k], how)));
    CHECK(bits_of(without.results[k]) == bits_of(onefold::nansummary(groups[k], how)));
    CHECK(bits_of(columns[k]) == bits_of(onefold::summary(groups[k], how)));
    CHECK(bits_of(clean[k]) == bits_of(onefold::nansummary(groups[k], how)));
    CHECK(bits_of(chosen[k]) == bits_of(onefold::summary(selected[k], how)));
  }
  const std::vector<int> offsets{0, 10, 4000};
  const auto segments = onefold::summary(onefold::segments(x, offsets), how);
  CHECK(bits_of(segments[0]) == bits_of(onefold::summary(std::span(x).first(10), how)));
  CHECK(bits_of(segments[1]) == bits_of(onefold::summary(std::span(x).subspan(10), how)));
}

TEST_CASE("what has no summary") {
  const auto how = support::on_backend();
  support::check_error(error_code::empty_input, "no elements", [&] { onefold::summary(std::vector<float>{}, how); });
  support::check_error(error_code::empty_input, "", [&] { onefold::nansummary(std::vector<double>{not_a_number}); });
  support::check_error(error_code::unsupported, "accuracy native, wide and exact only",
                       [&] { onefold::summary(std::vector<float>{1}, support::on_backend(accuracy::kahan)); });
  auto from = how;
  from.init = 1;
  support::check_error(error_code::invalid_argument, "takes no initial value",
                       [&] { onefold::summary(std::vector<float>{1}, from); });
  CHECK(std::isnan(onefold::summary(std::vector<float>{5}, how).sample_stddev));
}
