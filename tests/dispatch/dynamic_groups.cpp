// Plans by key, and of selected elements: those whose types are known at run time only have the bits of the typed ones,
// plans serve many calls, and refuse what they must.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "onefold/dynamic.hpp"
#include "onefold/keys.hpp"
#include "onefold/where.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"

using onefold::dtype;
using onefold::dynamic_keyed_plan;
using onefold::dynamic_selected_plan;
using onefold::error_code;
using onefold::mask_kind;
using support::check_error;
namespace op = onefold::op;
using grouping = dynamic_keyed_plan::grouping;

namespace {

template <class T>
std::vector<T> noise(std::size_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> x(n);
  for (T& y : x) y = static_cast<T>(static_cast<int>(random() % 2001) - 1000) / static_cast<T>(1 + random() % 7);
  return x;
}

/// Keys in runs of 1 to 5, of which few are different.
template <class K>
std::vector<K> keys_in_runs(std::size_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<K> keys;
  while (keys.size() < n) {
    const auto key = static_cast<K>(random() % 50);
    for (auto i = random() % 5 + 1; i > 0 && keys.size() < n; --i) keys.push_back(key);
  }
  return keys;
}

/// Whether results, whose members `p` knows, have the same bits.
template <class Plan, class R>
bool same_results(const Plan& p, const std::vector<R>& a, const R* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (const onefold::result_member& m : p.members())
      if (std::memcmp(reinterpret_cast<const char*>(&a[i]) + m.offset, reinterpret_cast<const char*>(b + i) + m.offset,
                      static_cast<std::size_t>(onefold::size_of(m.type))) != 0)
        return false;
  return true;
}

template <class T, class Op, class K, class R = onefold::default_result<T, Op>>
void compare_by_key(std::size_t n, std::uint32_t seed) {
  INFO(Op::name << ", " << n << " elements");
  const auto how = support::on_backend();
  const auto x = noise<T>(n, seed);
  auto keys = keys_in_runs<K>(n, seed + 1);
  constexpr bool own = std::is_same_v<R, onefold::default_result<T, Op>>;
  dynamic_keyed_plan p(onefold::operation_index<Op>, onefold::dtype_of<T>, onefold::dtype_of<K>,
                       static_cast<std::int64_t>(n), how, own ? std::nullopt : std::optional(onefold::dtype_of<R>));
  onefold::keyed_plan<T, Op, K, R> typed(static_cast<std::int64_t>(n), how);
  REQUIRE(p.result_size() == sizeof(R));
  for (const bool ascending : {false, true})
    for (const bool runs : {false, true}) {
      if (ascending) std::ranges::sort(keys);
      const auto what = runs ? onefold::runs_by_key(x, keys) : onefold::by_key(x, keys);
      const auto wanted = onefold::reduce<T, Op, R>(what, how);
      std::vector<K> found(n + 1, K{99});
      std::vector<R> results(n + 1);
      const std::int64_t count =
          p.run(x.data(), keys.data(), static_cast<std::int64_t>(n), runs ? grouping::runs : grouping::keys,
                found.data(), results.data(), static_cast<std::int64_t>(n));
      REQUIRE(count == static_cast<std::int64_t>(wanted.keys.size()));
      CHECK(std::equal(wanted.keys.begin(), wanted.keys.end(), found.begin()));
      CHECK(found[wanted.keys.size()] == K{99});
      CHECK(same_results(p, results, wanted.results.data(), wanted.results.size()));
      results.assign(n + 1, R{});
      REQUIRE(typed(what, found, results) == count);
      CHECK(same_results(p, results, wanted.results.data(), wanted.results.size()));
    }
}

}  // namespace

TEST_CASE("plans by key reduce as reduce does") {
  compare_by_key<float, op::sum, std::int32_t>(1, 1);
  compare_by_key<float, op::sum, std::int32_t>(20'000, 2);
  compare_by_key<double, op::moments, std::uint8_t>(3000, 3);
  compare_by_key<std::int16_t, op::argmax, double>(3000, 4);
  compare_by_key<double, op::mean, float, float>(3000, 5);
  compare_by_key<std::uint8_t, op::sum, std::int64_t>(70'000, 6);
}

TEST_CASE("many short groups and a long one are shared out among threads") {
  // The work is 80 times that of as many elements in one group.
  auto how = support::on_backend();
  how.threads = how.backend == onefold::backend::sequential ? 0 : 4;
  const std::size_t shorts = 8000, n = shorts + 5288;
  const auto x = noise<float>(n, 9);
  std::vector<std::int32_t> keys(n, 1 << 20);
  for (std::size_t i = 0; i < shorts; ++i) keys[i] = static_cast<std::int32_t>(i);
  const auto found = onefold::sum(onefold::runs_by_key(x, keys), how);
  REQUIRE(found.results.size() == shorts + 1);
  CHECK(found.results[shorts] == onefold::sum(std::span(x).subspan(shorts), how));
  for (std::size_t i = 0; i < shorts; ++i) REQUIRE(found.results[i] == x[i]);
}

TEST_CASE("a plan by key is made by names, and refuses what it must") {
  const auto how = support::on_backend();
  std::vector<float> x(10, 1.0f), results(10);
  std::vector<double> keys(10, 3.0), found(10);
  dynamic_keyed_plan p("Sum", "F32", "f64", 10, how);
  const auto run = [&](std::int64_t n, std::int64_t room) {
    return p.run(x.data(), keys.data(), n, grouping::keys, found.data(), results.data(), room);
  };
  CHECK(run(10, 1) == 1);
  CHECK(found[0] == 3.0);
  CHECK(results[0] == 10.0f);
  CHECK(run(0, 0) == 0);
  check_error(error_code::invalid_argument, "there is 1 group, but there is room for -1", [&] { run(10, -1); });
  CHECK(p.report().backend == how.backend);
  check_error(error_code::invalid_argument, "the plan is for at most 10 elements, not for 11", [&] { run(11, 11); });
  check_error(error_code::invalid_argument, "the number of elements is negative: -1", [&] { run(-1, 1); });
  keys[7] = 4;
  results[0] = -1;
  check_error(error_code::invalid_argument, "there are 2 groups, but there is room for 1", [&] { run(10, 1); });
  CHECK(results[0] == -1);
  keys[7] = std::numeric_limits<double>::quiet_NaN();
  check_error(error_code::invalid_argument, "key 7 is a NaN", [&] { run(10, 10); });
  keys[7] = 3;
  check_error(error_code::invalid_argument, "the results would overwrite the data: their memory overlaps",
              [&] { p.run(x.data(), keys.data(), 10, grouping::runs, found.data(), x.data() + 9, 10); });
  check_error(error_code::invalid_argument, "the groups' keys would overwrite the keys: their memory overlaps",
              [&] { p.run(x.data(), keys.data(), 10, grouping::runs, keys.data(), results.data(), 10); });
  check_error(error_code::invalid_argument, "the pointer to the groups' keys is null",
              [&] { p.run(x.data(), keys.data(), 10, grouping::runs, nullptr, results.data(), 10); });
  check_error(error_code::invalid_argument, "unknown grouping 7",
              [&] { p.run(x.data(), keys.data(), 10, static_cast<grouping>(7), found.data(), results.data(), 10); });
  check_error(error_code::invalid_argument, "unknown type of keys 77", [&] {
    dynamic_keyed_plan(onefold::operation_index<op::sum>, dtype::f32, static_cast<dtype>(77), 10, how);
  });
  check_error(error_code::unsupported, "keys of type bool are not supported",
              [&] { dynamic_keyed_plan(onefold::operation_index<op::sum>, dtype::f32, dtype::boolean, 10, how); });
  check_error(error_code::invalid_argument, "unknown", [&] { dynamic_keyed_plan("sum", "f32", "i33", 10, how); });
  check_error(error_code::invalid_argument, "negative", [&] { dynamic_keyed_plan("sum", "f32", "i32", -1, how); });
  check_error(error_code::backend_unavailable, "only accelerators have streams, and backend cuda cannot run: ", [&] {
    std::int64_t count = 0;
    p.enqueue_runs(x.data(), keys.data(), 10, found.data(), results.data(), 10, &count, nullptr);
  });
  dynamic_keyed_plan other = std::move(p);
  CHECK(other.run(x.data(), keys.data(), 10, grouping::keys, found.data(), results.data(), 10) == 1);
}

TEST_CASE("plans of selected elements reduce as reduce over where does") {
  const auto how = support::on_backend();
  const auto x = noise<float>(60 * 500, 7);
  const onefold::array_view<float> view(x.data(), {60, 500});
  std::vector<std::uint8_t> bytes(60 * 500), bits(60 * 500 / 8 + 2);
  std::mt19937 random(8);
  for (auto& b : bytes) b = random() % 3 != 0;
  for (auto& b : bits) b = static_cast<std::uint8_t>(random());
  std::vector<float> results(500);
  for (const int along : {0, 1}) {
    const onefold::over over{.axes = along};
    const auto check_same = [&](dynamic_selected_plan p, const void* mask, const onefold::result_array<float>& wanted) {
      REQUIRE(p.size() == static_cast<std::int64_t>(wanted.size()));
      p.run(x.data(), mask, results.data(), p.size());
      CHECK(std::memcmp(results.data(), wanted.data(), wanted.size() * sizeof(float)) == 0);
    };
    const onefold::array_view<std::uint8_t> all(bytes.data(), {60, 500}), row(bytes.data(), {60, 500}, {0, 1});
    for (const auto& mask : {all, row})
      check_same({"sum", "f32", view.axes(), {mask_kind::bytes, mask.axes()}, over, how}, bytes.data(),
                 onefold::reduce<float, op::sum>(onefold::where(view, mask), over, how));
    const onefold::bitmap map(bits.data(), 3, {60, 500});
    check_same({"sum", "f32", view.axes(), {mask_kind::bits, map.axes(), 3}, over, how}, bits.data(),
               onefold::reduce<float, op::sum>(onefold::where(view, map), over, how));
    check_same({"sum", "f32", view.axes(), {}, over, how}, nullptr,
               onefold::reduce<float, op::sum>(onefold::where(view, onefold::not_nan), over, how));
  }
  auto with_nan = x;
  for (std::size_t i = 0; i < with_nan.size(); i += 7) with_nan[i] = std::numeric_limits<float>::quiet_NaN();
  dynamic_selected_plan p("max", "f32", view.axes(), {}, {.axes = 1}, how);
  p.run(with_nan.data(), nullptr, results.data(), 60);
  for (int i = 0; i < 60; ++i) CHECK_FALSE(std::isnan(results[static_cast<std::size_t>(i)]));
}

TEST_CASE("what a plan of selected elements refuses") {
  const auto how = support::on_backend();
  const std::vector<float> x(12, 1.0f);
  const std::vector<std::uint8_t> none(12, 0);
  const onefold::array_view<float> view(x.data(), {3, 4});
  const onefold::array_view<std::uint8_t> mask(none.data(), {3, 4}), other(none.data(), {4, 3});
  std::vector<float> results(3);
  check_error(error_code::invalid_argument, "the mask has the extents (4, 3), the data has (3, 4)", [&] {
    dynamic_selected_plan("sum", "f32", view.axes(), {mask_kind::bytes, other.axes()}, {.axes = 1}, how);
  });
  check_error(error_code::invalid_argument, "the offset of the mask's bits is negative: -1", [&] {
    dynamic_selected_plan("sum", "f32", view.axes(), {mask_kind::bits, mask.axes(), -1}, {.axes = 1}, how);
  });
  check_error(error_code::invalid_argument, "unknown kind of mask 9", [&] {
    dynamic_selected_plan("sum", "f32", view.axes(), {static_cast<mask_kind>(9), mask.axes()}, {.axes = 1}, how);
  });
  dynamic_selected_plan p("max", "f32", view.axes(), {mask_kind::bytes, mask.axes()}, {.axes = 1}, how);
  check_error(error_code::invalid_argument, "the mask's pointer is null",
              [&] { p.run(x.data(), nullptr, results.data(), 3); });
  check_error(error_code::empty_input, "no element of result 0 is selected",
              [&] { p.run(x.data(), none.data(), results.data(), 3); });
  check_error(error_code::invalid_argument, "there is room for 2",
              [&] { p.run(x.data(), none.data(), results.data(), 2); });
}
