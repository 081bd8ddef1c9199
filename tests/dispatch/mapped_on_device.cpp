// Which backend reduces computed elements that a device can compute, by a stand-in for CUDA: what begins at a border of
// a page is in device memory.
#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "dispatch/stand_in.hpp"
#include "onefold/vectors.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace {

using onefold::array_view;
using onefold::backend;
using onefold::error_code;
using onefold::mapped;
using support::check_error;
using page = dispatch::page<float>;
using multiply = onefold::detail::product_as<float>;

constexpr std::int64_t count = 60;
const onefold::options on_cuda{.backend = backend::cuda}, on_cpu{.backend = backend::sequential};

/// The same numbers in host memory and, twice, in device memory.
struct arrays {
  std::unique_ptr<page> memory[3] = {std::make_unique<page>(), std::make_unique<page>(), std::make_unique<page>()};
  std::span<float> near{memory[0]->numbers + 1, count}, far{memory[1]->numbers, count},
      also_far{memory[2]->numbers, count};
  arrays() {
    dispatch::load_driver();
    for (std::size_t i = 0; i < count; ++i) near[i] = 1.0f / static_cast<float>(i + 1);
    std::ranges::copy(near, far.begin());
    std::ranges::copy(near, also_far.begin());
  }
};

backend ran(const auto& x, const auto& y, const onefold::options& how = {}) {
  return onefold::reduce_reported<float, onefold::op::sum>(mapped(multiply{}, x, y), how).ran.backend;
}

}  // namespace

TEST_CASE("computed elements of device memory are reduced there", "[.accelerator]") {
  const arrays a;
  CHECK(ran(a.far, a.also_far) == backend::cuda);
  CHECK(ran(a.near, a.near, on_cuda) == backend::cuda);
  CHECK(ran(a.near, a.far, on_cuda) == backend::cuda);
  CHECK(!onefold::is_accelerator(ran(a.near, a.near)));
  const float meant = onefold::dot(a.near, a.near, on_cpu);
  CHECK(onefold::dot(a.far, a.also_far) == meant);
  CHECK(onefold::dot(a.near, a.also_far, on_cuda) == meant);
  CHECK(onefold::distance(a.far, a.far, onefold::norm::max) == 0);
  CHECK(onefold::norm1(a.far) == onefold::norm1(a.near, on_cpu));
  CHECK(onefold::norm_inf(a.far) == 1);
  CHECK(onefold::cosine_similarity(a.far, a.also_far) == 1);
  CHECK(onefold::weighted_mean(a.far, a.far) == onefold::weighted_mean(a.near, a.near, on_cpu));
  const array_view<float> rows(a.far.data(), {3, 20}), near_rows(a.near.data(), {3, 20});
  CHECK(support::values(onefold::dot(rows, rows, 1)) == support::values(onefold::dot(near_rows, near_rows, 1, on_cpu)));
  CHECK(support::values(onefold::dot(rows, rows, 0)) == support::values(onefold::dot(near_rows, near_rows, 0, on_cpu)));
  CHECK(onefold::sum(mapped(multiply{}, a.far, a.far), {.init = 0.5}) ==
        onefold::sum(mapped(multiply{}, a.near, a.near), {.backend = backend::sequential, .init = 0.5}));
  CHECK(onefold::argmax(mapped(multiply{}, a.far, a.far)) == 0);
}

TEST_CASE("computed elements of arrays in different places", "[.accelerator]") {
  const arrays a;
  check_error(
      error_code::invalid_argument,
      "the data of array 2 is in device memory, and that of array 1 is in host memory; copy one of them, or use "
      "backend cuda, which copies what is in host memory",
      [&] { onefold::dot(a.near, a.far); });
  check_error(error_code::invalid_argument, "the data of array 1 is in device memory, and that of array 2",
              [&] { onefold::dot(a.far, a.near); });
  check_error(error_code::invalid_argument, "the data is in device memory, which backend sequential cannot read",
              [&] { onefold::dot(a.far, a.far, on_cpu); });
  check_error(error_code::invalid_argument, "the data is in device memory",
              [&] { onefold::dot(a.near, a.far, {.backend = backend::cpu}); });
  const std::deque<float> scattered(count, 1.0f);
  CHECK(onefold::dot(scattered, a.near) == onefold::sum(a.near));
  check_error(error_code::unsupported, "the elements of array 1 are not in contiguous memory, where backend cuda finds",
              [&] { onefold::dot(scattered, a.near, on_cuda); });
  check_error(error_code::invalid_argument, "that of array 1 is in host memory",
              [&] { onefold::dot(scattered, a.far); });
  // No elements are nowhere.
  CHECK(onefold::dot(a.far.first(0), a.near.first(0)) == 0);
}

TEST_CASE("a plan of computed elements goes where its arrays are", "[.accelerator]") {
  const arrays a;
  onefold::mapped_plan<float, onefold::op::sum> plan(mapped(multiply{}, a.near, a.near));
  float out = -1;
  const std::span<float> to(&out, 1);
  const float meant = onefold::dot(a.near, a.near, on_cpu);
  const auto runs = [&](const auto& x, const auto& y) {
    out = -1;
    plan(mapped(multiply{}, x, y), to);
    CHECK(out == meant);
    return plan.report().backend;
  };
  CHECK(!onefold::is_accelerator(runs(a.near, a.near)));
  CHECK(runs(a.far, a.also_far) == backend::cuda);
  CHECK(!onefold::is_accelerator(runs(a.near, a.near)));
  check_error(error_code::invalid_argument, "is in host memory", [&] { runs(a.near, a.far); });

  plan = onefold::mapped_plan<float, onefold::op::sum>(mapped(multiply{}, a.near, a.near), {}, on_cuda);
  CHECK(runs(a.near, a.far) == backend::cuda);
  out = -1;
  check_error(error_code::unsupported, "a function that computes the elements runs on CPUs only, not on backend cuda",
              [&] { plan(mapped([](float x, float y) { return x * y; }, a.near, a.near), to); });
  CHECK(out == -1);
}

TEST_CASE("exact dot products of device memory", "[.accelerator]") {
  dispatch::load_driver();
  const auto first = std::make_unique<dispatch::page<double>>(), second = std::make_unique<dispatch::page<double>>(),
             host = std::make_unique<dispatch::page<double>>();
  const std::vector<double> x{0x1p1000, 1, 0x1p-1000, 1, -0x1p1000}, y{0x1p1000, 1, 0x1p-1000, 0x1p-53, 0x1p1000};
  const std::span<double> far(first->numbers, 5), also_far(second->numbers, 5), near(host->numbers + 1, 5);
  std::ranges::copy(x, far.begin());
  std::ranges::copy(y, also_far.begin());
  std::ranges::copy(y, near.begin());
  const double meant = onefold::exact_dot<double>(x, y, on_cpu);
  CHECK(meant == 1 + 0x1p-52);
  CHECK(onefold::exact_dot<double>(far, also_far) == meant);
  CHECK(onefold::exact_dot<double>(far, near, on_cuda) == meant);
  CHECK(onefold::dot(far, also_far, {.accuracy = onefold::accuracy::exact}) == meant);
  check_error(error_code::invalid_argument, "the data of array 1 is in device memory, and that of array 2 is in host",
              [&] { onefold::exact_dot<double>(far, near); });
  check_error(error_code::invalid_argument, "the data is in device memory",
              [&] { onefold::exact_dot<double>(far, near, on_cpu); });
  check_error(error_code::invalid_argument,
              "the second array is in device memory, which backend sequential cannot read",
              [&] { onefold::exact_dot<double>(near, far, on_cpu); });

  const std::span<const double> none;
  CHECK(onefold::exact_dot<double>(none, none, on_cuda) == 0);

  const std::vector<std::uint8_t> mask(x.size(), 1);
  const auto selected = onefold::where(x, mask);
  CHECK(onefold::exact_dot<double>(selected, y) == meant);
  check_error(error_code::invalid_argument, "the second array is in device memory, which a CPU cannot read",
              [&] { onefold::exact_dot<double>(selected, far); });
  check_error(error_code::invalid_argument, "the second array is in device memory, which backend cpu cannot read",
              [&] { onefold::exact_dot<double>(selected, far, {.backend = backend::cpu}); });
  check_error(error_code::invalid_argument, "the second array is in device memory, which backend sequential cannot",
              [&] { onefold::exact_dot<double>(onefold::where(near, onefold::not_nan), far, on_cpu); });
}

// With a stand-in that computes no elements.
TEST_CASE("an accelerator that computes no elements", "[.choosy]") {
  const arrays a;
  check_error(error_code::unsupported, "backend cuda does not compute elements by functions; copy the data to host",
              [&] { onefold::dot(a.far, a.also_far); });
  check_error(error_code::unsupported, "backend cuda does not compute elements by functions",
              [&] { onefold::dot(a.near, a.near, on_cuda); });
}
