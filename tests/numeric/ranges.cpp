// Ranges that are not contiguous, and arrays in pieces: every result has the bits of `reduce` over a copy of their
// elements, on every backend, with any number of threads.
#include "onefold/ranges.hpp"

#include <array>
#include <cmath>
#include <deque>
#include <initializer_list>
#include <limits>
#include <list>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "onefold/concatenated.hpp"
#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

#if !defined(__clang__) || __clang_major__ >= 16  // older ones do not compile libstdc++'s views
#define ONEFOLD_TEST_VIEWS
#endif

namespace op = onefold::op;
using onefold::concatenated;
using onefold::error_code;
using support::bits_of;
using support::check_error;

namespace {

/// The bits of a result, or the code of the error.
template <class Call>
support::result_bits outcome(Call call) {
  try {
    return bits_of(call());
  } catch (const onefold::error& e) {
    return {~std::uint64_t{0}, static_cast<std::uint64_t>(e.code())};
  }
}

/// An array cut into up to eight pieces at random places, so that some are empty.
template <class T>
std::list<std::vector<T>> cut(const std::vector<T>& x, support::random_numbers& r) {
  std::list<std::vector<T>> pieces;
  auto begin = x.begin();
  for (int i = 0; i < 7; ++i) {
    const auto end = begin + r.integer(0, static_cast<int>(x.end() - begin));
    pieces.emplace_back(begin, end);
    begin = end;
  }
  pieces.emplace_back(begin, x.end());
  return pieces;
}

template <class T>
void compare() {
  support::random_numbers r(83);
  const std::int64_t page = onefold::page_elements(sizeof(T));
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{33}, page - 1, page + 1, 9 * page + 5}) {
    std::vector<T> x(static_cast<std::size_t>(n));
    support::fill<T>(x.data(), n, r);
    const std::deque<T> deque(x.begin(), x.end());
    [[maybe_unused]] const std::vector<T> backwards(x.rbegin(), x.rend());
    const auto pieces = cut(x, r);
    onefold::for_each_type(onefold::operations{}, [&]<class Op>() {
      if constexpr (onefold::cataloged<Op, T>)
        onefold::for_each_accuracy<Op, T>([&]<class, class, onefold::accuracy A>() {
          const auto how = support::on_backend(A, 1 + r.integer(0, 2));
          INFO(std::string(Op::name) << " of " << n << ", threads " << how.threads);
          const auto meant = outcome([&] { return onefold::reduce<T, Op>(x, how); });
          REQUIRE(outcome([&] { return onefold::detail::reduced<Op>(deque, how); }) == meant);
#ifdef ONEFOLD_TEST_VIEWS
          REQUIRE(outcome([&] {
                    return onefold::detail::reduced<Op>(std::ranges::subrange(backwards.rbegin(), backwards.rend()),
                                                        how);
                  }) == meant);
#endif
          REQUIRE(outcome([&] { return onefold::detail::reduced<Op>(concatenated(pieces), how); }) == meant);
        });
    });
  }
}

}  // namespace

TEST_CASE("scattered ranges and pieces have the bits of a copy of their elements") {
  compare<float>();
  compare<double>();
  compare<onefold::bf16>();
  compare<std::int16_t>();
  compare<std::uint64_t>();
}

TEST_CASE("what can be passed to a verb") {
  const auto how = support::on_backend(onefold::accuracy::native, 3);
  const std::vector<float> x{3, 1, 4, 1, 5};
  CHECK(onefold::sum(std::array<float, 2>{1, 2}, how) == 3);
  CHECK(onefold::sum(std::span(x).first(2), how) == 4);
  CHECK(onefold::max(std::initializer_list<int>{3, 7, 5}, how) == 7);
  CHECK(onefold::sum(std::span(x.data(), 3), how) == 8);
  const float plain[] = {1, 2, 3};
  CHECK(onefold::sum(plain, how) == 6);

  const std::deque<int> numbers{1, 2, 9, 4};
  CHECK(onefold::argmax(numbers, how) == 2);
  CHECK(onefold::mean(numbers, how) == 4);
  const auto several = onefold::fused<op::min, op::sum>(numbers, how);
  CHECK(std::get<0>(several) == 1);
  CHECK(std::get<1>(several) == 16);
  CHECK(onefold::reduce_reported<int, op::sum>(numbers, how).ran.backend == support::backend_under_test());
  CHECK(*onefold::try_reduce<int, op::sum, float>(numbers, how) == 16);

  std::vector<bool> bits(70'000);
  for (std::size_t i = 0; i < bits.size(); i += 7) bits[i] = true;
  CHECK(onefold::count(bits, how) == 10'000);
  CHECK(onefold::sum(bits, how) == 10'000u);
  CHECK(onefold::any(bits, how));
  CHECK(!onefold::all(bits, how));
  static_assert(std::is_same_v<decltype(onefold::max(bits)), bool>);
  CHECK(onefold::max(bits, how));
#ifdef ONEFOLD_TEST_VIEWS
  CHECK(onefold::sum(std::ranges::subrange(x.begin() + 1, x.end()), how) == 11);
  CHECK(onefold::max(std::ranges::subrange(numbers.begin(), numbers.begin() + 2), how) == 2);
  CHECK(onefold::sum(std::views::iota(0, 100'000), how) == 4'999'950'000);
  CHECK(onefold::sum(x | std::views::transform([](float a) { return a * a; }), how) == 52);
  CHECK(onefold::argmin(x | std::views::reverse, how) == 1);
  CHECK(onefold::sum(x | std::views::take(2), how) == 4);
  const std::vector<std::pair<int, double>> pairs{{1, 0.5}, {2, 0.25}};
  CHECK(onefold::sum(pairs | std::views::values, how) == 0.75);
#endif
}

TEST_CASE("rows and the forms without NaN have the bits of a copy, too") {
  support::random_numbers r(84);
  const auto how = support::on_backend(onefold::accuracy::native, 2);
  for (const std::int64_t n : {1, 33, 5000, 70'000}) {
    std::vector<float> x(static_cast<std::size_t>(n));
    support::fill<float>(x.data(), n, r);
    for (std::size_t i = 0; i < x.size(); i += 5) x[i] = std::numeric_limits<float>::quiet_NaN();
    x.push_back(2);
    const std::deque<float> deque(x.begin(), x.end());
    CHECK(bits_of(onefold::nansum(deque, how)) == bits_of(onefold::nansum(x, how)));
    CHECK(bits_of(onefold::nanvariance(deque, how)) == bits_of(onefold::nanvariance(x, how)));
    CHECK(onefold::nanargmax(deque, how) == onefold::nanargmax(x, how));
    const auto found = onefold::nansummary(deque, how), meant = onefold::nansummary(x, how);
    CHECK(found.n == meant.n);
    CHECK(found.nan_count == meant.nan_count);
    CHECK(found.nan_count > 0);
    CHECK(bits_of(found.mean) == bits_of(meant.mean));
    CHECK(bits_of(found.sample_stddev) == bits_of(meant.sample_stddev));
    const auto y = support::normal_data<float>(n, 85);
    const std::deque<float> numbers(y.begin(), y.end());
    CHECK(bits_of(onefold::logsumexp(numbers, how)) == bits_of(onefold::logsumexp(y, how)));
    const auto soft = onefold::softmax(numbers, how), of_copy = onefold::softmax(y, how);
    REQUIRE(soft.size() == of_copy.size());
    for (std::size_t i = 0; i < soft.size(); ++i) CHECK(bits_of(soft[i]) == bits_of(of_copy[i]));
  }
  CHECK(onefold::nansum(std::deque<int>{1, 2}, how) == 3);
  CHECK(onefold::nansummary(std::vector<bool>{true, false, true}, how).sum == 2);
  check_error(error_code::empty_input, "no elements", [&] { onefold::nanmax(std::deque<double>{NAN}, how); });
}

TEST_CASE("pieces count as one array") {
  const auto how = support::on_backend(onefold::accuracy::native, 3);
  const std::vector<std::vector<double>> rows{{1, 2}, {}, {9, 4}};
  CHECK(onefold::argmax(concatenated(rows), how) == 2);
  CHECK(onefold::mean(concatenated(rows), how) == 4);
  CHECK(onefold::moments(concatenated(rows), how).n == 4);
  const std::array<std::span<const double>, 2> spans{rows[2], rows[0]};
  CHECK(onefold::argmax(concatenated(spans), how) == 0);
  CHECK(onefold::sum(concatenated(spans), {.backend = how.backend, .init = 0.5}) == 16.5);
  const auto reported = onefold::reduce_reported<double, op::sum, float>(concatenated(rows), how);
  CHECK(reported.value == 16);
  CHECK(reported.ran.backend == support::backend_under_test());
  const std::vector<std::vector<double>> none;
  CHECK(onefold::sum(concatenated(none), how) == 0);
  check_error(error_code::empty_input, "max of no elements", [&] { onefold::max(concatenated(none), how); });
  check_error(error_code::unsupported, "cuda",
              [&] { onefold::sum(concatenated(rows), {.backend = onefold::backend::cuda}); });
  check_error(error_code::unsupported, "cuda",
              [&] { onefold::sum(std::deque<float>{1}, {.backend = onefold::backend::cuda}); });
}
