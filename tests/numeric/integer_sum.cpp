// integer_sum: GMP's sums of extreme integers of every type, and the same of axes, segments, keys, selections, prefixes
// and parts.
#include "onefold/integer_sum.hpp"

#include <gmp.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "onefold/onefold.hpp"
#include "onefold/partial.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_runs.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"

namespace op = onefold::op;
using support::on_backend;

namespace {

/// The sum in decimal, from integers of any length.
template <class Range>
std::string sum_by_gmp(const Range& x) {
  mpz_t sum;
  mpz_init(sum);
  for (const auto y : x)
    if (y < 0)
      mpz_sub_ui(sum, sum, -static_cast<unsigned long>(y));
    else
      mpz_add_ui(sum, sum, static_cast<unsigned long>(y));
  char* const digits = mpz_get_str(nullptr, 10, sum);
  std::string text = digits;
  void (*release)(void*, std::size_t) = nullptr;
  mp_get_memory_functions(nullptr, nullptr, &release);
  release(digits, text.size() + 1);
  mpz_clear(sum);
  return text;
}

/// Integers of all bits, with runs of the extremes.
template <class T>
std::vector<T> extreme(std::int64_t n, unsigned seed) {
  support::random_numbers r(seed);
  std::vector<T> x(static_cast<std::size_t>(n));
  int kind = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % 97 == 0) kind = r.integer(0, 3);
    x[i] = kind == 0   ? std::numeric_limits<T>::max()
           : kind == 1 ? std::numeric_limits<T>::min()
                       : static_cast<T>(r.bits());
  }
  return x;
}

template <class T>
void check_sizes() {
  const auto page = onefold::page_elements(sizeof(T));
  for (const auto& x :
       {extreme<T>(40 * page, 1), std::vector<T>(static_cast<std::size_t>(40 * page), std::numeric_limits<T>::max()),
        std::vector<T>(static_cast<std::size_t>(40 * page), std::numeric_limits<T>::min())})
    for (const std::int64_t n : support::sizes(sizeof(T))) {
      INFO(n << " elements of " << sizeof(T) << " bytes");
      const auto found = support::run<op::integer_sum<T>>(x, n);
      CHECK(found.text() == sum_by_gmp(std::span(x).first(static_cast<std::size_t>(n))));
    }
}

template <class Results, class T>
void check_rows(const Results& results, const std::vector<T>& x, std::size_t rows, std::size_t row) {
  REQUIRE(results.size() == rows);
  for (std::size_t r = 0; r < rows; ++r) CHECK(results[r].text() == sum_by_gmp(std::span(x).subspan(r * row, row)));
}

template <class T>
void check_shapes() {
  const auto x = extreme<T>(60 * 500, 7);
  const onefold::array_view<T> table(x.data(), {60, 500});
  check_rows(onefold::integer_sum(table, 1, on_backend()), x, 60, 500);
  const auto down = onefold::integer_sum(table, 0, on_backend());
  REQUIRE(down.size() == 500);
  for (std::size_t c = 0; c < 500; ++c) {
    std::vector<T> column;
    for (std::size_t r = 0; r < 60; ++r) column.push_back(x[r * 500 + c]);
    CHECK(down[c].text() == sum_by_gmp(column));
  }
  const std::vector<std::int64_t> offsets{0, 15000, 30000};
  check_rows(onefold::integer_sum(onefold::segments(x, offsets), on_backend()), x, 2, 15000);
  std::vector<int> keys(x.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i / 3000);
  check_rows(onefold::integer_sum(onefold::by_key(x, keys), on_backend()).results, x, 10, 3000);
  std::vector<std::uint8_t> mask(x.size());
  std::vector<T> selected;
  for (std::size_t i = 0; i < x.size(); i += 3) {
    mask[i] = 1;
    selected.push_back(x[i]);
  }
  CHECK(onefold::integer_sum(onefold::where(x, mask), on_backend()).text() == sum_by_gmp(selected));
  std::vector<decltype(onefold::integer_sum(x))> prefixes(x.size());
  onefold::inclusive_scan<T, op::integer_sum<T>>(x, prefixes, on_backend());
  for (const std::size_t n : {1u, 8u, 9u, 4097u, 30000u})
    CHECK(prefixes[n - 1].text() == sum_by_gmp(std::span(x).first(n)));
}

template <class T>
void check_parts() {
  const auto x = extreme<T>(5 * onefold::page_elements(sizeof(T)) + 77, 3);
  const std::span<const T> all(x);
  const std::string wanted = sum_by_gmp(x);
  using part = onefold::partial<T, op::integer_sum<T>>;
  support::random_numbers r(1);
  for (int k = 0; k < 20; ++k) {
    const auto at = static_cast<std::size_t>(r.integer(0, static_cast<int>(x.size())));
    const part a(all.first(at), 0, on_backend()), b(all.subspan(at), a.end(), on_backend());
    CHECK(join(a, b).result().text() == wanted);
    CHECK(join(part::load(a.save()), part::load(b.save())).result().text() == wanted);
    onefold::accumulator<T, op::integer_sum<T>> pieces(on_backend());
    pieces.push(all.first(at));
    pieces.push(all.subspan(at));
    CHECK(pieces.result().text() == wanted);
  }
}

}  // namespace

TEST_CASE("sums of extreme integers of every type") {
  check_sizes<std::int8_t>();
  check_sizes<std::int16_t>();
  check_sizes<std::int32_t>();
  check_sizes<std::int64_t>();
  check_sizes<std::uint8_t>();
  check_sizes<std::uint16_t>();
  check_sizes<std::uint32_t>();
  check_sizes<std::uint64_t>();
}

TEST_CASE("axes, segments, keys, selections and prefixes") {
  check_shapes<std::int64_t>();
  check_shapes<std::uint64_t>();
  check_shapes<std::int32_t>();
}

TEST_CASE("accumulators, joined and stored partials") {
  check_parts<std::int64_t>();
  check_parts<std::uint64_t>();
  check_parts<std::int16_t>();
}

TEST_CASE("elements of 128 bits: the sum, or an error") {
  using onefold::int128, onefold::uint128;
  const auto how = on_backend(onefold::accuracy::native, 2);
  const uint128 most = ~uint128{0};
  const int128 high = static_cast<int128>(most >> 1), low = -high - 1;
  std::vector<int128> x(20'000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 2 ? low : high;  // sums on the way overflow
  CHECK(onefold::integer_sum(x, how).text() == "-10000");
  CHECK(onefold::integer_sum(std::vector<int128>{high, high, low, low}, how).text() == "-2");
  CHECK(onefold::integer_sum(std::vector<int128>{low}, how).value == low);
  CHECK(onefold::integer_sum(std::vector<uint128>{most, 0}, how).value == most);
  for (const auto& beyond :
       {std::vector<int128>{high, 1}, std::vector<int128>{low, -1}, std::vector<int128>(9000, low)})
    support::check_error(onefold::error_code::overflow, "the sum is beyond the range of 128 bits",
                         [&] { onefold::integer_sum(beyond, how); });
  support::check_error(onefold::error_code::overflow, "the sum is beyond the range of 128 bits", [&] {
    onefold::integer_sum(std::vector<uint128>{most, 1}, how);
  });
}

TEST_CASE("values and texts") {
  using limits = std::numeric_limits<std::int64_t>;
  const std::vector<std::int64_t> low{limits::min(), limits::min()};
  const auto sum = onefold::integer_sum(low, on_backend());
  static_assert(std::is_same_v<decltype(sum.value), onefold::int128>);
  CHECK(sum.value == static_cast<onefold::int128>(limits::min()) * 2);
  CHECK(sum.text() == "-18446744073709551616");
  CHECK(onefold::integer_sum(std::vector<std::uint32_t>{}, on_backend()).text() == "0");
  static_assert(std::is_same_v<decltype(onefold::integer_sum(std::vector<std::uint8_t>{}).value), onefold::uint128>);
  const onefold::int128 least = static_cast<onefold::int128>(onefold::uint128{1} << 127);
  CHECK(onefold::integer_sum_result<onefold::int128>{least}.text() == "-170141183460469231731687303715884105728");
  CHECK(onefold::integer_sum_result<onefold::uint128>{~onefold::uint128{0}}.text() ==
        "340282366920938463463374607431768211455");
  auto how = on_backend();
  how.init = 1;
  support::check_error(onefold::error_code::invalid_argument, "takes no initial value",
                       [&] { onefold::integer_sum(low, how); });
  how = on_backend(onefold::accuracy::exact);
  support::check_error(onefold::error_code::unsupported, "does not apply to a user-defined operation",
                       [&] { onefold::integer_sum(low, how); });
}
