// accuracy::exact is the correctly rounded sum or mean: against MPFR, in every order and grouping, on every thread
// count and instruction set.
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/exact_cases.hpp"
#include "support/instrumented.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using support::bits_of;
using support::exact_case;
using support::exact_oracle;
using support::mixed_pages;
using support::on_backend;
using support::turned;
namespace op = onefold::op;

// One function for all cases: an assertion of Catch2 for each of them would take longer than the sums.
template <class R>
void expect(R got, R wanted, const char* what, exact_case kind, std::size_t n, int turn) {
  if (bits_of(got) != bits_of(wanted))
    FAIL_CHECK(what << ", kind " << static_cast<int>(kind) << ", n = " << n << ", turn " << turn << ": "
                    << support::text_of(bits_of(got)) << "is not " << support::text_of(bits_of(wanted)));
}

template <class T>
void check_case(const std::vector<T>& x, exact_case kind, int turn) {
  const exact_oracle oracle(x);
  const std::span<const T> data(x);
  onefold::for_each_type(support::float_types{}, [&]<class R>() {
    if (sizeof(R) == sizeof(T) || turn % 4 == 0) {
      expect(onefold::reduce<T, op::sum, R>(data, turned(turn)), oracle.template sum<R>(), "sum", kind, x.size(), turn);
      expect(onefold::reduce<T, op::mean, R>(data, turned(turn)), oracle.template mean<R>(), "mean", kind, x.size(),
             turn);
    }
  });
}

}  // namespace

TEST_CASE("sums and means are correctly rounded: 10,000 cases a type") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    INFO(onefold::name_of(onefold::dtype_of<T>));
    support::random_numbers r(41);
    constexpr int kinds = static_cast<int>(exact_case::count);
    std::array<int, kinds> cases{};
    for (int turn = 0; turn < support::random_cases(10'080); ++turn) {
      const int kind = turn % kinds;
      const auto x = support::exact_case_data<T>(static_cast<exact_case>(kind), r.integer(1, 40), r);
      check_case(x, static_cast<exact_case>(kind), turn / kinds);
      ++cases[static_cast<std::size_t>(kind)];
    }
    CHECK(std::accumulate(cases.begin(), cases.end(), 0) >= support::random_cases(10'000));
    CHECK(*std::ranges::min_element(cases) >= support::random_cases(1000));
  });
}

TEST_CASE("sums of several pages are correctly rounded on every path, thread count and instruction set") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    const std::int64_t page = 16384 / sizeof(T);
    for (const std::int64_t n : {page - 1, page, 3 * page + 7, 5 * page, 23 * page + 1}) {
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const auto x = mixed_pages<T>(n, seed);
        const exact_oracle oracle(x);
        for (int turn = 0; turn < 12; ++turn) {
          expect(onefold::reduce<T, op::sum, double>(std::span<const T>(x), turned(turn)),
                 oracle.template sum<double>(), "sum", exact_case::count, x.size(), turn);
          expect(onefold::reduce<T, op::mean, float>(std::span<const T>(x), turned(turn)),
                 oracle.template mean<float>(), "mean", exact_case::count, x.size(), turn);
        }
      }
    }
  });
  SUCCEED();
}

TEST_CASE("every order and grouping of the elements has the same exact sum") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    const std::int64_t page = 16384 / sizeof(T);
    auto x = mixed_pages<T>(3 * page, 51);
    support::random_numbers r(52);
    const T first = onefold::reduce<T, op::sum, T>(std::span<const T>(x), on_backend(accuracy::exact));
    for (int k = 0; k < 10; ++k) {
      support::shuffle(x, r);
      CHECK(bits_of(onefold::reduce<T, op::sum, T>(std::span<const T>(x), on_backend(accuracy::exact, 1 + k % 3))) ==
            bits_of(first));
    }
  });
}

TEST_CASE("an initial value joins the exact sum before it is rounded") {
  auto how = on_backend(accuracy::exact);
  how.init = 1.0;
  CHECK(onefold::sum(std::vector<double>{0x1p-53, 0x1p-1074}, how) == 1 + 0x1p-52);
  CHECK(onefold::sum(std::vector<double>{0x1p-53, -0x1p-1074}, how) == 1);
  how.init = -std::numeric_limits<double>::max();
  CHECK(onefold::sum(std::vector<double>{0x1p1023, 0x1p1023, 5e-324}, how) == 0x1p971);
  how.init = 0.1;
  CHECK(onefold::reduce<float, op::sum, double>(std::vector<float>{}, how) == 0.1);
  how.init = std::nan("");
  CHECK(bits_of(onefold::sum(std::vector<double>{1}, how)) == bits_of(support::canonical_nan<double>()));
  CHECK(bits_of(onefold::sum(std::vector<double>{}, how)) == bits_of(support::canonical_nan<double>()));
  // As with the other accuracies: of no elements init is all there is; of elements a zero is +0.
  how.init = -0.0;
  CHECK(std::signbit(onefold::sum(std::vector<double>{}, how)));
  CHECK_FALSE(std::signbit(onefold::sum(std::vector<double>{-0.0}, how)));
  CHECK_FALSE(std::signbit(onefold::sum(std::vector<double>{-0.0}, on_backend(accuracy::exact))));
}

TEST_CASE("integer sums beyond their result type are errors, and exact before") {
  const auto refused = [](const auto& x, onefold::initial init = {}) {
    auto how = on_backend(accuracy::exact, 3);
    how.init = init;
    try {
      static_cast<void>(onefold::sum(x, how));
    } catch (const onefold::error& e) {
      CHECK(e.code() == onefold::error_code::overflow);
      return std::string(e.what());
    }
    return std::string("no error");
  };
  constexpr auto most = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
  constexpr auto full = std::numeric_limits<std::uint64_t>::max();
  using i64s = std::vector<std::int64_t>;
  using u64s = std::vector<std::uint64_t>;
  const auto how = on_backend(accuracy::exact, 3);
  CHECK(refused(i64s{most, 1}) == "sum has no result: the exact sum is beyond the range of i64");
  CHECK(refused(i64s{least, -1}) == "sum has no result: the exact sum is beyond the range of i64");
  CHECK(refused(u64s{full, 1}) == "sum has no result: the exact sum is beyond the range of u64");
  CHECK(refused(i64s{most}, 1) == "sum has no result: the exact sum is beyond the range of i64");
  CHECK(onefold::sum(i64s{most, most, -most, -5}, how) == most - 5);
  CHECK(onefold::sum(i64s{least, most, least, 1, most, 1}, how) == 0);
  CHECK(onefold::sum(u64s{full - 7, 7}, how) == full);
  for (const std::size_t n : {std::size_t{5000}, std::size_t{300'000}}) {
    CHECK(refused(i64s(n, most / 4096)).find("beyond the range of i64") != std::string::npos);
    CHECK(refused(u64s(n, full / 2048)).find("beyond the range of u64") != std::string::npos);
    i64s cancels(n, most);
    for (std::size_t i = 1; i < n; i += 2) cancels[i] = -most;
    CHECK(onefold::sum(cancels, how) == 0);
  }
  // Other result types have the room, and one rounding.
  CHECK(onefold::reduce<std::int64_t, op::sum, double>(i64s{most, most, 3}, how) == 0x1p64);
  CHECK(onefold::reduce<std::int64_t, op::sum, double>(i64s(3000, least), how) == -3000 * 0x1p63);
  CHECK(onefold::reduce<std::uint64_t, op::sum, float>(u64s(4096, full), how) == 0x1p76f);
  onefold::plan<std::int64_t, op::sum> plan(2, how);
  CHECK_THROWS_AS(plan(i64s{most, most}), onefold::error);
  CHECK(plan(i64s{most, -most}) == 0);  // usable afterwards
}

TEST_CASE("sums and means of integers are correctly rounded: 10,000 cases a type") {
  onefold::for_each_type(onefold::element_types{}, []<class T>() {
    if constexpr (onefold::detail::is_integer<T>) {
      support::random_numbers r(62);
      int cases = 0;
      for (int turn = 0; turn < support::random_cases(10'000); ++turn, ++cases) {
        auto x = support::integer_data<T>(r.integer(1, 40), r.bits());
        if (turn % 3 == 0)  // the extremes, many of them
          for (T& y : x)
            y = r.integer(0, 2) ? y : r.integer(0, 1) ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
        const exact_oracle oracle(x);
        const std::span<const T> data(x);
        expect(onefold::reduce<T, op::sum, double>(data, turned(turn)), oracle.template sum<double>(), "sum",
               exact_case::count, x.size(), turn);
        expect(onefold::reduce<T, op::mean, float>(data, turned(turn)), oracle.template mean<float>(), "mean",
               exact_case::count, x.size(), turn);
      }
      CHECK(cases >= support::random_cases(10'000));
    }
  });
}

TEST_CASE("means of integers are correctly rounded") {
  onefold::for_each_type(onefold::element_types{}, []<class T>() {
    if constexpr (onefold::detail::is_integer<T>) {
      for (const std::int64_t n : {1, 3, 1000, 50'003}) {
        const auto x = support::integer_data<T>(n, 61);
        const exact_oracle oracle(x);
        CHECK(onefold::mean(x, on_backend(accuracy::exact, 3)) == oracle.template mean<double>());
        CHECK(onefold::reduce<T, op::mean, float>(std::span<const T>(x), on_backend(accuracy::exact)) ==
              oracle.template mean<float>());
        CHECK(onefold::reduce<T, op::sum, double>(std::span<const T>(x), on_backend(accuracy::exact)) ==
              oracle.template sum<double>());
      }
    }
  });
}
