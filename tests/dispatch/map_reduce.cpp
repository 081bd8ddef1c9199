// Reductions of computed elements as callers write them, plans, reports, and what they refuse.
#include "onefold/map_reduce.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dispatch/stand_in.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

using onefold::array_view;
using onefold::error_code;
using onefold::map_reduce;
using onefold::mapped;
using onefold::op::max;
using onefold::op::sum;
using support::check_error;
using support::values;

namespace {

const std::vector<float> data{1, 2, 3, 4, 5, 6}, weights{1, 0, 1, 0, 2, 0};
const auto times = [](float a, float b) { return a * b; };

/// A function that has, for itself, what the library's say which of them they are by.
struct doubled {
  static constexpr bool known = true;
  float operator()(float x) const { return 2 * x; }
};

}  // namespace

TEST_CASE("a function's members are its own") { CHECK(map_reduce<sum>(doubled{}, data, support::on_backend()) == 42); }

TEST_CASE("computed elements are reduced by calls, verbs and axes") {
  const auto how = support::on_backend();
  CHECK(map_reduce<sum>(times, data, weights, how) == 14);
  CHECK(map_reduce<sum, double>(times, data, weights, how) == 14);
  CHECK(map_reduce<max>([](float a, float b, std::uint8_t c) { return a + b * c; }, data, weights,
                        std::vector<std::uint8_t>{0, 0, 0, 0, 0, 9}, how) == 6);
  CHECK(onefold::mean(mapped(times, data, weights), how) == 14.0f / 6);
  CHECK(onefold::argmax(mapped(times, data, weights), how) == 4);
  const array_view<float> matrix(data.data(), {2, 3}), columns(weights.data(), {2, 3}, {0, 1});
  CHECK(values(map_reduce<sum>(times, matrix, columns, {.axes = {1}}, how)) == std::vector<float>{4, 10});
  CHECK(values(map_reduce<sum>(times, matrix, matrix, {.axes = {0}}, how)) == std::vector<float>{17, 29, 45});
  CHECK(values(onefold::argmax(mapped(times, matrix, columns), 1, how)) == std::vector<std::int64_t>{2, 2});
  CHECK(map_reduce<sum>(times, matrix, columns, onefold::over{.axes = 0, .keep = true}, how).extents().size() == 2);
  const auto reported = onefold::reduce_reported<float, sum>(mapped(times, data, weights), how);
  CHECK(reported.value == 14);
  CHECK(reported.ran.backend == support::backend_under_test());
  CHECK(*onefold::try_reduce<float, sum>(mapped(times, data, weights), how) == 14);
  CHECK(onefold::try_reduce<float, max>(mapped(times, std::span(data).first(0), std::vector<float>{}), how)
            .error()
            .code() == error_code::empty_input);
}

TEST_CASE("results of a reduction are arguments within the expression") {
  const auto how = support::on_backend();
  const array_view<float> view(data.data(), {2, 3});  // with the sums 5, 7, 9
  CHECK(onefold::sum(mapped([](float a) { return 2 * a; }, onefold::sum(view, 0)), how) == 42);
  CHECK(map_reduce<max>([](float a) { return -a; }, onefold::sum(view, 0), how) == -5);
}

TEST_CASE("members of elements, of what they refer to and of what they point to") {
  struct order {
    float price;
    float twice() const { return 2 * price; }
  };
  struct late_order : order {};
  std::vector<late_order> orders(2);
  orders[0].price = 1;
  orders[1].price = 5;
  const auto check = [&, how = support::on_backend()](const auto& x) {
    CHECK(onefold::sum(mapped(&order::price, x), how) == 6);
    CHECK(onefold::sum(mapped(&order::twice, x), how) == 12);
  };
  check(orders);
  check(std::vector<std::reference_wrapper<late_order>>(orders.begin(), orders.end()));
  check(std::vector<const order*>{&orders[0], &orders[1]});
  check(std::vector{std::make_shared<order>(order{1}), std::make_shared<order>(order{5})});
  check(std::vector<std::optional<order>>{order{1}, order{5}});
}

TEST_CASE("the automatic choice runs on a CPU, and a GPU that is asked for is refused") {
  const auto ran = onefold::reduce_reported<float, sum>(mapped(times, data, weights)).ran;
  CHECK(!onefold::is_accelerator(ran.backend));
  const std::string words = "a function that computes the elements runs on CPUs only, not on backend cuda";
  check_error(error_code::unsupported, words,
              [&] { map_reduce<sum>(times, data, weights, {.backend = onefold::backend::cuda}); });
  check_error(error_code::unsupported, words, [&] {
    onefold::mapped_plan<float, sum>(mapped(times, data, weights), {}, {.backend = onefold::backend::cuda});
  });
}

TEST_CASE("no elements obey the rule of the operation") {
  const auto how = support::on_backend();
  const std::span<const float> empty;
  CHECK(map_reduce<sum>(times, empty, empty, how) == 0);
  check_error(error_code::empty_input, "max of no elements has no value: the input is empty",
              [&] { map_reduce<max>(times, empty, empty, how); });
  CHECK(map_reduce<max>(times, empty, empty, {.init = 7}) == 7);
  CHECK(map_reduce<sum>(times, data, weights, {.init = 0.5}) == 14.5);
  const array_view<float> none(nullptr, {0, 3}), no_columns(nullptr, {2, 0});
  CHECK(map_reduce<max>(times, none, none, {.axes = {1}}, how).size() == 0);
  check_error(error_code::empty_input, "max of no elements has no value: the axes that are reduced are empty",
              [&] { map_reduce<max>(times, none, none, {.axes = {0}}, how); });
  CHECK(values(map_reduce<sum>(times, none, none, {.axes = {0}}, how)) == std::vector<float>{0, 0, 0});
  CHECK(values(map_reduce<sum>(times, no_columns, no_columns, {.axes = {1}}, how)) == std::vector<float>{0, 0});
}

TEST_CASE("arrays and results that do not fit; nothing is written") {
  const auto how = support::on_backend();
  const array_view<float> matrix(data.data(), {2, 3});
  check_error(error_code::invalid_argument, "the arrays have the extents (6) and (5); they must be equal",
              [&] { mapped(times, data, std::span(data).first(5)); });
  check_error(error_code::invalid_argument, "the extents (2, 3) and (6)",
              [&] { map_reduce<sum>(times, matrix, data, how); });
  check_error(error_code::invalid_argument, "axis 2 is out of range",
              [&] { map_reduce<sum>(times, matrix, matrix, {.axes = {2}}, how); });
  const std::span<const float> null(static_cast<const float*>(nullptr), 6);
  check_error(error_code::invalid_argument, "the data pointer of array 2 is null, but there are 6 elements",
              [&] { map_reduce<sum>(times, data, null, how); });
  check_error(error_code::invalid_argument, "the data pointer is null, but there are 6 elements",
              [&] { onefold::sum(mapped([](float a) { return a; }, null), how); });
  check_error(error_code::invalid_argument, "argmax takes no initial value",
              [&] { onefold::argmax(mapped(times, data, data), {.init = 1}); });
  check_error(error_code::invalid_argument, "threads = -1",
              [&] { map_reduce<sum>(times, data, data, {.threads = -1}); });

  onefold::mapped_plan<float, sum> rows(mapped(times, matrix, matrix), {.axes = 1}, how);
  std::vector<float> out(2, -1);
  check_error(error_code::invalid_argument, "the reduction has 2 results, but there is room for 1",
              [&] { rows(mapped(times, matrix, matrix), std::span(out).first(1)); });
  check_error(error_code::invalid_argument, "the result pointer is null",
              [&] { rows(mapped(times, matrix, matrix), std::span(static_cast<float*>(nullptr), 2)); });
  check_error(error_code::invalid_argument,
              "the arrays do not have the number, the extents and the strides that the plan was made for",
              [&] { rows(mapped(times, data, data), out); });
  check_error(error_code::invalid_argument, "the number, the extents",
              [&] { rows(mapped([](float a) { return a; }, matrix), out); });
  CHECK(out == std::vector<float>(2, -1));
  std::vector<float> both(6, 1);
  const array_view<float> whole(both.data(), {2, 3});
  check_error(error_code::invalid_argument, "the results would overwrite the data of array 2: their memory overlaps",
              [&] { rows(mapped(times, matrix, whole), std::span(both).last(2)); });
  CHECK(both == std::vector<float>(6, 1));
  rows(mapped(times, matrix, whole), out);
  CHECK(out == std::vector<float>{6, 15});
}

TEST_CASE("a plan is run for other functions and arrays of its extents and strides") {
  const auto how = support::on_backend();
  const std::vector<float> other{10, 20, 30, 40, 50, 60};
  onefold::mapped_plan<float, sum> plan(mapped(times, data, weights), {}, how);
  CHECK(plan.size() == 1);
  CHECK(plan.extents().size() == 0);
  float out = -1;
  const std::span<float> to(&out, 1);
  plan(mapped(times, other, weights), to);
  CHECK(out == 140);
  plan(mapped([](float a, float b) { return a - b; }, other, data), to);
  CHECK(out == 189);
  CHECK(plan.report().backend == support::backend_under_test());
  auto moved = std::move(plan);
  moved(mapped(times, data, weights), to);
  CHECK(out == 14);
  check_error(error_code::invalid_argument, "the plan was moved from", [&] { plan(mapped(times, data, weights), to); });
}

// With a stand-in for CUDA: what begins at a border of a page is in device memory.
TEST_CASE("a function does not compute from device memory", "[.accelerator]") {
  dispatch::load_driver();
  using page = dispatch::page<float>;
  const auto device = std::make_unique<page>(), host = std::make_unique<page>();
  const std::span<float> far(device->numbers, data.size()), near(host->numbers + 1, data.size());
  std::ranges::copy(data, near.begin());
  std::ranges::copy(data, far.begin());
  const std::string words =
      "the data of array 2 is in device memory, where the function that computes the elements cannot run";
  CHECK(map_reduce<sum>(times, near, near) == 91);
  check_error(error_code::invalid_argument, words, [&] { map_reduce<sum>(times, near, far); });
  onefold::mapped_plan<float, sum> plan(mapped(times, near, near));
  float out = -1;
  check_error(error_code::invalid_argument, words, [&] { plan(mapped(times, near, far), std::span(&out, 1)); });
  CHECK(out == -1);
  check_error(error_code::invalid_argument, "the results are in device memory",
              [&] { plan(mapped(times, near, near), far.first(1)); });
  plan(mapped(times, near, near), std::span(&out, 1));
  CHECK(out == 91);
  CHECK(!onefold::is_accelerator(plan.report().backend));
}
