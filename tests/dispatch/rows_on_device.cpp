// Which backend works on rows whose elements a device can compute, whose results it can hand to a function, or of which
// a mask selects some, by a stand-in for CUDA: what begins at a border of a page is in device memory.
#include <algorithm>
#include <memory>
#include <vector>

#include "dispatch/stand_in.hpp"
#include "onefold/row_operations.hpp"
#include "onefold/vectors.hpp"
#include "onefold/where.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace {

using onefold::array_view;
using onefold::backend;
using onefold::error_code;
using onefold::mapped;
using onefold::row_operation;
using onefold::row_position;
using support::check_error;
using support::values;
using page = dispatch::page<float>;
using multiply = onefold::detail::product_as<float>;

const onefold::options on_cuda{.backend = backend::cuda}, on_cpu{.backend = backend::sequential};

/// A function that a device is said to have, too.
struct keep {
  float* to;
  void operator()(float y, row_position at) const { to[at.line * 3 + at.position] = y; }
};

}  // namespace

template <>
struct onefold::detail::device_store_of<keep, float> {
  static constexpr device_store record{sizeof(device_store), nullptr};
  static constexpr const device_store* value = &record;
};

namespace {

/// The same numbers in host memory and in device memory, and room for results in both.
struct arrays {
  std::unique_ptr<page> memory[4] = {std::make_unique<page>(), std::make_unique<page>(), std::make_unique<page>(),
                                     std::make_unique<page>()};
  float *near = memory[0]->numbers + 1, *near_out = memory[1]->numbers + 1, *far = memory[2]->numbers,
        *far_out = memory[3]->numbers;
  arrays() {
    dispatch::load_driver();
    for (int i = 0; i < 6; ++i) near[i] = far[i] = 0.5f * static_cast<float>(i);
  }
  static array_view<float> view(const float* p) { return {p, {2, 3}}; }
  static auto squares(const float* p) { return mapped(multiply{}, view(p), view(p)); }
  static std::vector<float> six(const float* p) { return {p, p + 6}; }
};

}  // namespace

TEST_CASE("rows of computed elements run where their arrays are", "[.accelerator]") {
  const arrays a;
  const std::vector<float> meant = values(onefold::softmax(arrays::squares(a.near), on_cpu));
  CHECK(values(onefold::softmax(arrays::squares(a.far))) == meant);
  onefold::row_plan<float> plan(row_operation::softmax, arrays::squares(a.near));
  const auto runs = [&](const float* from, float* to) {
    plan(arrays::squares(from), to);
    CHECK(arrays::six(to) == meant);
    return plan.report().backend;
  };
  CHECK(!onefold::is_accelerator(runs(a.near, a.near_out)));
  CHECK(runs(a.far, a.far_out) == backend::cuda);
  CHECK(runs(a.far, a.near_out) == backend::cuda);
  plan = onefold::row_plan<float>(row_operation::softmax, arrays::squares(a.near), -1, {}, on_cuda);
  CHECK(runs(a.near, a.near_out) == backend::cuda);
  plan.enqueue(arrays::squares(a.far), a.near_out, nullptr);
  CHECK(arrays::six(a.near_out) == meant);

  check_error(error_code::invalid_argument, "the data of array 1 is in device memory, and that of array 2 is in host",
              [&] { onefold::softmax(mapped(multiply{}, arrays::view(a.far), arrays::view(a.near))); });
  check_error(error_code::invalid_argument, "the data is in device memory, which backend sequential cannot read",
              [&] { onefold::softmax(arrays::squares(a.far), on_cpu); });
  const auto negated = [](float x) { return -x; };
  check_error(error_code::unsupported, "a function that computes the elements runs on CPUs only, not on backend cuda",
              [&] { onefold::softmax(mapped(negated, arrays::view(a.near)), on_cuda); });
  check_error(error_code::invalid_argument, "where the function that computes the elements cannot run",
              [&] { onefold::softmax(mapped(negated, arrays::view(a.far))); });
  // A plan that a device was chosen for, with a function that it does not have.
  onefold::row_plan<float> magnitudes(row_operation::softmax,
                                      mapped(onefold::detail::absolute_value{}, arrays::view(a.near)), -1, {}, on_cuda);
  a.near_out[0] = -1;
  check_error(error_code::unsupported, "runs on CPUs only, not on backend cuda",
              [&] { magnitudes(mapped(negated, arrays::view(a.near)), a.near_out); });
  check_error(error_code::unsupported, "runs on CPUs only, not on backend cuda",
              [&] { magnitudes.enqueue(mapped(negated, arrays::view(a.far)), a.near_out, nullptr); });
  CHECK(a.near_out[0] == -1);
}

TEST_CASE("results of rows go to functions where the data is", "[.accelerator]") {
  const arrays a;
  const std::vector<float> meant = values(onefold::softmax(arrays::view(a.near), on_cpu));
  const keep take{a.near_out};
  onefold::row_plan<float> plan(row_operation::softmax, arrays::view(a.near), take);
  const auto runs = [&](const float* from) {
    std::fill_n(a.near_out, 6, -1.0f);
    plan(from, take);
    CHECK(arrays::six(a.near_out) == meant);
    return plan.report().backend;
  };
  CHECK(!onefold::is_accelerator(runs(a.near)));
  CHECK(runs(a.far) == backend::cuda);
  std::fill_n(a.near_out, 6, -1.0f);
  plan.enqueue(a.far, take, nullptr);
  CHECK(arrays::six(a.near_out) == meant);
  onefold::softmax(arrays::squares(a.far), -1, take);
  CHECK(arrays::six(a.near_out) == values(onefold::softmax(arrays::squares(a.near), on_cpu)));

  const auto other = [&](float y, row_position at) { a.near_out[at.line * 3 + at.position] = y; };
  const char* const words =
      "backend cuda does not hand results of rows to a function; copy the data to host memory, and use a CPU backend, "
      "or compile the call with <onefold/cuda.cuh> in a .cu file";
  a.near_out[0] = -1;
  check_error(error_code::unsupported, words, [&] { onefold::softmax(arrays::view(a.near), -1, other, on_cuda); });
  check_error(error_code::unsupported, words, [&] { onefold::softmax(arrays::view(a.far), -1, other); });
  check_error(error_code::unsupported, words, [&] { plan(a.far, other); });
  check_error(error_code::unsupported, words, [&] { plan.enqueue(a.far, other, nullptr); });
  CHECK(a.near_out[0] == -1);
  CHECK(!onefold::is_accelerator(runs(a.near)));
}

TEST_CASE("rows of selected elements run where the data is", "[.accelerator]") {
  const arrays a;
  const auto near_mask = std::make_unique<dispatch::page<std::uint8_t>>(),
             far_mask = std::make_unique<dispatch::page<std::uint8_t>>();
  std::uint8_t *const near = near_mask->numbers + 1, *const far = far_mask->numbers;
  for (const int i : {0, 2, 4}) near[i] = far[i] = 1;
  const auto bytes = [](const std::uint8_t* p) { return array_view<std::uint8_t>(p, {2, 3}); };
  const auto chosen = [&](const float* x, const std::uint8_t* mask) {
    return onefold::where(arrays::view(x), bytes(mask));
  };
  const std::vector<float> meant = values(onefold::softmax(chosen(a.near, near), on_cpu));
  CHECK(meant[1] == 0);
  CHECK(values(onefold::softmax(chosen(a.far, far))) == meant);
  CHECK(values(onefold::softmax(chosen(a.far, near))) == meant);
  CHECK(values(onefold::softmax(chosen(a.near, far), on_cuda)) == meant);
  onefold::row_plan<float> plan(row_operation::softmax, chosen(a.near, near));
  const auto runs = [&](const float* x, const std::uint8_t* mask, float* to) {
    plan(chosen(x, mask), to);
    CHECK(arrays::six(to) == meant);
    return plan.report().backend;
  };
  CHECK(!onefold::is_accelerator(runs(a.near, near, a.near_out)));
  CHECK(runs(a.far, far, a.far_out) == backend::cuda);
  plan.enqueue(chosen(a.far, far), a.near_out, nullptr);
  CHECK(arrays::six(a.near_out) == meant);
  check_error(error_code::invalid_argument, "the mask is in device memory, and the data is reduced on the CPU",
              [&] { onefold::softmax(chosen(a.near, far)); });
  check_error(error_code::invalid_argument, "the data is in device memory, which backend sequential cannot read",
              [&] { onefold::softmax(chosen(a.far, far), on_cpu); });
  check_error(error_code::invalid_argument, "the mask's pointer is null, but there are 6 elements",
              [&] { onefold::softmax(chosen(a.far, nullptr)); });
  check_error(error_code::invalid_argument, "extents and strides that the plan was made for",
              [&] { plan.enqueue(a.far, a.far_out, nullptr); });

  const keep take{a.near_out};
  std::fill_n(a.near_out, 6, -1.0f);
  onefold::softmax(chosen(a.far, far), -1, take);
  CHECK(arrays::six(a.near_out) == meant);
}
