// Plans for segments whose operation and types are known at run time only, and groups by number: bits and refusals.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "onefold/dynamic.hpp"
#include "onefold/numbered_groups.hpp"
#include "onefold/segments.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"

using onefold::dtype;
using onefold::dynamic_segmented_plan;
using onefold::error_code;
using onefold::numbered_groups;
using support::check_error;
namespace op = onefold::op;

namespace {

/// Whether two results have the same members; the bytes between them are unspecified.
bool same_members(const dynamic_segmented_plan& p, const void* a, const void* b) {
  return std::ranges::all_of(p.members(), [&](const onefold::result_member& m) {
    return std::memcmp(static_cast<const std::byte*>(a) + m.offset, static_cast<const std::byte*>(b) + m.offset,
                       static_cast<std::size_t>(onefold::size_of(m.type))) == 0;
  });
}

template <class T>
std::vector<T> noise(std::size_t n, std::mt19937& random) {
  std::vector<T> x(n);
  for (T& y : x) y = static_cast<T>(static_cast<int>(random() % 201) - 100);
  if constexpr (std::is_floating_point_v<T>)
    for (T& y : x) y /= static_cast<T>(1 + random() % 1000);
  return x;
}

/// Each result of the groups that the numbers make is that of reduce over the values of its group alone.
template <class T, class Op, class R = onefold::default_result<T, Op>>
void same_as_alone(const std::vector<T>& values, const std::vector<std::uint32_t>& numbers, std::int64_t groups,
                   const onefold::options& how) {
  INFO(Op::name << " of " << onefold::name_of(onefold::dtype_of<T>) << ", " << values.size() << " in " << groups);
  std::vector<std::vector<T>> alone(static_cast<std::size_t>(groups));
  for (std::size_t i = 0; i < values.size(); ++i) alone[numbers[i]].push_back(values[i]);

  const numbered_groups made(numbers, groups);
  std::vector<T> gathered(values.size());
  made.gather(values.data(), sizeof(T), gathered.data());
  CHECK(made.in_order() == std::ranges::is_sorted(numbers));
  if (made.in_order()) CHECK((gathered == values));

  constexpr bool own = std::is_same_v<R, onefold::default_result<T, Op>>;
  dynamic_segmented_plan p(onefold::operation_index<Op>, onefold::dtype_of<T>, groups,
                           static_cast<std::int64_t>(values.size()), how,
                           own ? std::nullopt : std::optional(onefold::dtype_of<R>));
  REQUIRE(p.result_size() == sizeof(R));
  std::vector<R> results(static_cast<std::size_t>(groups));
  p.run(gathered.data(), static_cast<std::int64_t>(gathered.size()), made.offsets().data(), groups + 1, dtype::i64,
        results.data(), groups);
  int different = 0;
  for (std::size_t g = 0; g < alone.size(); ++g) {
    const R expected = onefold::reduce<T, Op, R>(alone[g], how);
    different += !same_members(p, &results[g], &expected);
  }
  CHECK(different == 0);
}

/// Numbers of groups, each with at least one element.
std::vector<std::uint32_t> random_numbers(std::size_t n, std::uint32_t groups, std::mt19937& random) {
  std::vector<std::uint32_t> numbers(n);
  for (std::size_t i = 0; i < n; ++i)
    numbers[i] = i < groups ? static_cast<std::uint32_t>(i) : static_cast<std::uint32_t>(random() % groups);
  std::ranges::shuffle(numbers, random);
  return numbers;
}

const std::vector<float> ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
const std::vector<std::int64_t> three{0, 3, 3, 10};

}  // namespace

TEST_CASE("each group by number has the bits of reduce over its values alone") {
  std::mt19937 random(5);
  const auto how = support::on_backend();
  for (const auto& [n, groups] :
       {std::pair<std::size_t, std::uint32_t>{1, 1}, {40, 40}, {3000, 700}, {20000, 3}, {60000, 900}}) {
    auto numbers = random_numbers(n, groups, random);
    const auto f = noise<float>(n, random);
    const auto d = noise<double>(n, random);
    for (int turn = 0; turn < 2; ++turn) {
      same_as_alone<float, op::sum>(f, numbers, groups, how);
      same_as_alone<float, op::argmax>(f, numbers, groups, how);
      same_as_alone<float, op::minmax>(f, numbers, groups, how);
      same_as_alone<double, op::moments>(d, numbers, groups, how);
      same_as_alone<float, op::sum_with_bound>(f, numbers, groups, how);
      same_as_alone<float, op::mean>(f, numbers, groups, support::on_backend(onefold::accuracy::exact, 2));
      same_as_alone<float, op::sum, double>(f, numbers, groups, support::on_backend(onefold::accuracy::kahan, 3));
      same_as_alone<std::int32_t, op::sum>(noise<std::int32_t>(n, random), numbers, groups, how);
      std::ranges::sort(numbers);
    }
  }
}

TEST_CASE("a dynamic plan for segments by names, for offsets of every type, runs many times") {
  dynamic_segmented_plan p("Sum", "F32", 3, 10, support::on_backend(), "f64");
  const auto sums = [&]<class Offset>(const std::vector<Offset>& offsets) {
    std::vector<double> out(3, -1);
    p.run(ten.data(), 10, offsets.data(), static_cast<std::int64_t>(offsets.size()), onefold::dtype_of<Offset>,
          out.data(), 3);
    return out;
  };
  CHECK(sums(three) == std::vector<double>{6, 0, 49});
  CHECK(sums(std::vector<std::int32_t>{1, 2, 9, 10}) == std::vector<double>{2, 42, 10});
  CHECK(sums(std::vector<std::uint32_t>{5, 5, 5, 6}) == std::vector<double>{0, 0, 6});
  CHECK(sums(std::vector<std::uint64_t>{0, 10}) == std::vector<double>{55, -1, -1});
  CHECK(p.report().backend == support::backend_under_test());
}

TEST_CASE("an initial value of a dynamic plan for segments joins each result") {
  auto how = support::on_backend();
  how.init = 7;
  dynamic_segmented_plan p("max", "f32", 3, 10, how);
  std::vector<float> out(3);
  p.run(ten.data(), 10, three.data(), 4, dtype::i64, out.data(), 3);
  CHECK(out == std::vector<float>{7, 7, 10});
}

TEST_CASE("what a dynamic plan for segments refuses") {
  const auto how = support::on_backend();
  dynamic_segmented_plan p("max", "f32", 3, 10, how);
  std::vector<float> out(3, -1);
  const auto run = [&](const std::vector<std::int64_t>& offsets, dtype type = dtype::i64, std::int64_t room = 3) {
    return [&p, &out, offsets, type, room] {
      p.run(ten.data(), 10, offsets.data(), static_cast<std::int64_t>(offsets.size()), type, out.data(), room);
    };
  };
  check_error(error_code::empty_input, "segment 1 is empty", run(three));
  check_error(error_code::invalid_argument, "offsets of type f64 are not supported; use i32, i64, u32 or u64",
              run(three, dtype::f64));
  check_error(error_code::invalid_argument, "offset 2 is 2, less than the 3 before it", run({0, 3, 2}));
  check_error(error_code::invalid_argument, "beyond the end of 10 elements", run({0, 11}));
  check_error(error_code::invalid_argument, "there is room for 1", run({0, 3, 10}, dtype::i64, 1));
  check_error(error_code::invalid_argument, "the plan is for at most 3 segments", run({0, 1, 2, 3, 4}));
  check_error(error_code::invalid_argument, "k segments need k + 1", run({}));
  check_error(error_code::invalid_argument, "the number of elements is negative: -1",
              [&] { p.run(ten.data(), -1, three.data(), 4, dtype::i64, out.data(), 3); });
  check_error(error_code::invalid_argument, "the number of offsets is negative: -4",
              [&] { p.run(ten.data(), 10, three.data(), -4, dtype::i64, out.data(), 3); });
  CHECK(out == std::vector<float>(3, -1));
  check_error(error_code::invalid_argument, "the number of segments is negative",
              [&] { dynamic_segmented_plan("sum", "f32", -1, 10, how); });
  check_error(error_code::invalid_argument, "unknown operation",
              [&] { dynamic_segmented_plan("sun", "f32", 1, 10, how); });
  dynamic_segmented_plan gone = std::move(p);
  check_error(error_code::invalid_argument, "moved from", run(three));
}

TEST_CASE("groups by number: empty groups, none, and numbers that are too large") {
  const std::vector<std::uint32_t> numbers{4, 1, 1};
  const numbered_groups made(numbers, 6);
  const std::vector<std::int64_t> offsets{0, 0, 2, 2, 2, 3, 3};
  CHECK(std::ranges::equal(made.offsets(), offsets));
  CHECK_FALSE(made.in_order());
  struct wide {
    std::int64_t a[3];
  };
  const std::vector<wide> values{{{1, 2, 3}}, {{4, 5, 6}}, {{7, 8, 9}}};
  std::vector<wide> out(3);
  made.gather(values.data(), sizeof(wide), out.data());
  CHECK((out[0].a[2] == 6 && out[1].a[2] == 9 && out[2].a[0] == 1));

  const numbered_groups none({}, 0);
  CHECK(none.in_order());
  CHECK(none.offsets().size() == 1);
  check_error(error_code::invalid_argument, "number 0 is 4, but there are 4 groups",
              [&] { numbered_groups(numbers, 4); });
  check_error(error_code::invalid_argument, "the number of groups is negative: -1", [&] { numbered_groups({}, -1); });
  check_error(error_code::invalid_argument, "4294967297 groups are more than 32-bit numbers can count",
              [&] { numbered_groups({}, (std::int64_t{1} << 32) + 1); });
}
