// User-defined operations: every shape of one, on every number of threads, against plain loops and the reference
// order.
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "support/catch.hpp"
#include "support/custom_operations.hpp"
#include "support/custom_runs.hpp"
#include "support/data.hpp"

namespace {

using support::layout;
using support::reference;
using support::run;
using support::sizes;

template <int Bytes>
std::vector<support::record<Bytes>> records(std::int64_t n) {
  static_assert(sizeof(support::record<Bytes>) == Bytes);
  support::random_numbers r(Bytes);
  std::vector<support::record<Bytes>> x(static_cast<std::size_t>(n));
  for (auto& y : x) y = {static_cast<float>(r.normal()), {}, static_cast<float>(r.normal())};
  return x;
}

template <int Bytes>
void check_records() {
  const auto all = sizes(Bytes);
  const auto x = records<Bytes>(all.back());
  for (const std::int64_t n : all) {
    INFO(n << " records of " << Bytes << " bytes");
    const auto got = run<support::record_box<Bytes>>(x, n);
    const auto wanted = reference<support::record_box<Bytes>>(x, n, layout::lanes);
    CHECK(std::memcmp(&got, &wanted, sizeof got) == 0);
  }
}

}  // namespace

#ifndef __CUDACC__  // there states are plain types
TEST_CASE("a scalar operation and its template over packs have the bits of the reference") {
  const auto x = support::normal_data<float>(sizes(4).back(), 1);
  for (const std::int64_t n : sizes(4)) {
    INFO(n);
    const float wanted = reference<support::absolute_sum>(x, n, layout::lanes);
    CHECK(std::bit_cast<std::uint32_t>(run<support::absolute_sum>(x, n)) == std::bit_cast<std::uint32_t>(wanted));
    CHECK(std::bit_cast<std::uint32_t>(run<support::absolute_sum_packs>(x, n)) == std::bit_cast<std::uint32_t>(wanted));
    CHECK(std::bit_cast<std::uint32_t>(run<support::absolute_sum_lifted>(x, n)) ==
          std::bit_cast<std::uint32_t>(wanted));
  }
}

TEST_CASE("traits name the number type of packs and the state of pages") {
  const auto x = support::integer_data<std::int32_t>(sizes(4).back(), 12);
  for (const std::int64_t n : sizes(4)) {
    if (n == 0) continue;
    INFO(n);
    support::absolute_sum_of_pages::paged wanted{0, onefold::pages_of(n, 4)};
    for (std::int64_t i = 0; i < n; ++i) wanted.sum += std::abs(static_cast<double>(x[static_cast<std::size_t>(i)]));
    CHECK(run<support::absolute_sum_of_pages>(x, n) == wanted);
  }
}
#endif

TEST_CASE("members of other names or types than the contract's mean nothing") {
  const auto x = support::normal_data<float>(sizes(4).back(), 1);
  for (const std::int64_t n : sizes(4)) {
    INFO(n);
    CHECK(std::bit_cast<std::uint32_t>(run<support::absolute_sum_with_names>(x, n)) ==
          std::bit_cast<std::uint32_t>(run<support::absolute_sum>(x, n)));
  }
  const std::vector<float> few{1, -2, 3};
  auto how = support::on_backend();
  how.init = 10;
  CHECK(!onefold::try_reduce<float, support::absolute_sum_with_names>(std::span<const float>(few), how));
}

static_assert(onefold::fold<support::absolute_sum, float>);
static_assert(onefold::fold<support::absolute_sum_of_pages, std::int32_t>);
static_assert(!onefold::fold<support::absolute_sum::state, float>);
static_assert(!onefold::fold<int, float>);

TEST_CASE("the members of an operation are its parameters") {
  const auto x = support::normal_data<float>(100'000, 2);
  for (const support::weighted_count op : {support::weighted_count{-1, 1, 3}, {0, 9, 1}, {5, 4, 2}}) {
    std::int64_t wanted = 0;
    for (const float y : x) wanted += y >= op.low && y < op.high ? op.weight : 0;
    CHECK(run(x, 100'000, op) == wanted);
  }
}

TEST_CASE("lift may take the element's index, finish the number of elements") {
  const auto x = support::integer_data<std::int32_t>(sizes(4).back(), 3);
  for (const std::int64_t n : sizes(4)) {
    std::uint64_t wanted = 0;
    for (std::int64_t i = 0; i < n; ++i)
      wanted += static_cast<std::uint64_t>(x[static_cast<std::size_t>(i)]) * static_cast<std::uint64_t>(i);
    CHECK(run<support::index_sum>(x, n) == (wanted ^ static_cast<std::uint64_t>(n)));
  }
}

TEST_CASE("an operation that does not commute keeps the order of the elements") {
  const auto x = support::integer_data<std::uint32_t>(sizes(4).back(), 4);
  for (const std::int64_t n : sizes(4)) {
    auto left = support::affine_maps::identity();
    for (std::int64_t i = 0; i < n; ++i)
      left = support::affine_maps::combine(left, support::affine_maps::lift(x[static_cast<std::size_t>(i)]));
    CHECK(run<support::affine_maps>(x, n) == left);
  }
  // It is not equal in another order, so the test can fail.
  const std::vector<std::uint32_t> ab{3, 40}, ba{40, 3};
  CHECK(!(run<support::affine_maps>(ab, 2) == run<support::affine_maps>(ba, 2)));
}

TEST_CASE("a non-commutative floating-point operation has the bits of the reference") {
  const auto x = support::normal_data<float>(sizes(4).back(), 5);
  for (const std::int64_t n : sizes(4)) {
    INFO(n);
    CHECK(std::bit_cast<std::uint32_t>(run<support::affine_floats>(x, n)) ==
          std::bit_cast<std::uint32_t>(reference<support::affine_floats>(x, n, layout::neighbors)));
  }
}

TEST_CASE("elements may be structs of any size") {
  check_records<12>();
  check_records<40>();
  check_records<1000>();
}

TEST_CASE("a state may be large") {
  const auto x = support::integer_data<std::uint8_t>(sizes(1).back(), 6);
  for (const std::int64_t n : sizes(1)) {
    support::histogram::state wanted{};
    for (std::int64_t i = 0; i < n; ++i) ++wanted.bins[x[static_cast<std::size_t>(i)]];
    CHECK(run<support::histogram>(x, n).bins == wanted.bins);
  }
}

TEST_CASE("a histogram that is pushed in place counts") {
  const auto x = support::integer_data<std::uint8_t>(sizes(1).back(), 6);
  for (const std::int64_t n : sizes(1)) {
    support::histogram::state wanted{};
    for (std::int64_t i = 0; i < n; ++i) ++wanted.bins[x[static_cast<std::size_t>(i)]];
    CHECK(run<support::histogram_in_place>(x, n).bins == wanted.bins);
  }
}

TEST_CASE("an operation with start takes an initial value, one without it refuses") {
  const std::vector<float> x{1, -2, 3};
  auto how = support::on_backend();
  how.init = 10;
  CHECK(onefold::reduce<float, support::started_sum>(std::span<const float>(x), how) == 16);
  const auto refused = onefold::try_reduce<float, support::absolute_sum>(std::span<const float>(x), how);
  REQUIRE(!refused);
  CHECK(refused.error().code() == onefold::error_code::invalid_argument);
}
