// Masks and NaN-skipping reductions as callers write them, plans, and what they refuse.
#include "onefold/where.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "dispatch/stand_in.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

using onefold::array_view;
using onefold::bitmap;
using onefold::error_code;
using onefold::not_nan;
using onefold::where;
using onefold::op::max;
using onefold::op::sum;
using support::check_error;
using support::values;

namespace {

const std::vector<float> data{1, 2, 3, 4, 5, 6};

/// A matrix of three columns, as std::mdspan of a later standard looks.
template <class T>
struct matrix_of {
  using element_type = const T;
  const T* data_handle() const { return p; }
  static constexpr std::size_t rank() { return 2; }
  std::size_t extent(std::size_t i) const { return i == 0 ? 2 : 3; }
  std::size_t stride(std::size_t i) const { return i == 0 ? 3 : 1; }
  const T* p;
};

const std::vector<std::uint8_t> odd{1, 0, 255, 0, 2, 0};

}  // namespace

TEST_CASE("masks of every kind, of ranges and of views") {
  const auto how = support::on_backend();
  CHECK(onefold::sum(where(data, odd), how) == 9);
  CHECK(onefold::sum(where(data, std::array<bool, 6>{true, true}), {.threads = 2}) == 3);
  CHECK(onefold::mean(where(data, std::span(odd)), how) == 3);
  CHECK(onefold::argmax(where(data, odd), how) == 4);  // not 2, its number among the selected ones
  CHECK(onefold::reduce<float, sum, double>(where(data, odd), {.threads = 1, .init = 0.5}) == 9.5);
  const std::uint8_t bits[] = {0b10111000, 0b0};
  CHECK(onefold::sum(where(data, bitmap(bits, {6})), how) == 4 + 5 + 6);
  CHECK(onefold::sum(where(data, bitmap(bits, 3, {6})), how) == 1 + 2 + 3 + 5);

  const array_view<float> matrix(data.data(), {2, 3});
  const array_view<std::uint8_t> mask(odd.data(), {2, 3}), columns(odd.data(), {2, 3}, {0, 1}),
      rows(odd.data(), {2, 3}, {1, 0});
  CHECK(onefold::sum(where(matrix, mask), how) == 9);
  CHECK(values(onefold::sum(where(matrix, mask), 0, how)) == std::vector<float>{1, 5, 3});
  CHECK(onefold::sum(where(array_view<const float>(data.data(), {2, 3}), mask), how) == 9);
  CHECK(onefold::sum(where(matrix, array_view<const std::uint8_t>(odd.data(), {2, 3})), how) == 9);
  CHECK(values(onefold::sum(where(matrix, mask), std::vector<int>{0}, how)) == std::vector<float>{1, 5, 3});
  CHECK(values(onefold::sum(where(matrix, mask), {0, 1}, how)) == std::vector<float>{9});
  CHECK(values(onefold::sum(where(matrix, columns), -1, how)) == std::vector<float>{4, 10});
  CHECK(values(onefold::sum(where(matrix, rows), 0, how)) == std::vector<float>{1, 2, 3});
  CHECK(values(onefold::argmin(where(matrix, columns), 1, how)) == std::vector<std::int64_t>{0, 0});
  CHECK(values(onefold::argmax(where(matrix, columns), 1, how)) == std::vector<std::int64_t>{2, 2});
  const auto kept = onefold::reduce<float, max>(where(matrix, columns), {.axes = {0}, .keep = true}, {.init = 5});
  CHECK(values(kept) == std::vector<float>{5, 5, 6});
  CHECK(kept.extents().size() == 2);
  std::vector<double> out(2);
  onefold::reduce<float, sum, double>(where(matrix, bitmap(bits, 3, {2, 3}, {3, 1})), {.axes = 1}, out, how);
  CHECK(out == std::vector<double>{6, 5});
}

TEST_CASE("reductions without NaN") {
  const auto how = support::on_backend();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{nan, 3, -nan, 1, 5, nan};
  CHECK(onefold::nansum(x, how) == 9);
  CHECK(onefold::nanmean(x, {.threads = 2}) == 3);
  CHECK(onefold::nanmin(x, how) == 1);
  CHECK(onefold::nanmax(x, how) == 5);
  CHECK(onefold::nanargmin(x, how) == 3);
  CHECK(onefold::nanargmax(x, how) == 4);
  CHECK(onefold::nanvariance(x, how) == 8.0f / 3);
  CHECK(onefold::nansample_stddev(x, how) == 2);
  CHECK(onefold::sum(where(x, not_nan), how) == 9);
  const array_view<float> matrix(x.data(), {2, 3});
  CHECK(onefold::nanmax(matrix, how) == 5);
  CHECK(values(onefold::nansum(matrix, 0, how)) == std::vector<float>{1, 8, 0});
  check_error(error_code::empty_input, "max of no elements has no value: no element of result 2 is selected",
              [&] { onefold::nanmax(matrix, 0, how); });
  // Integers are never NaN: the plain reduction.
  const std::vector<std::int32_t> numbers{4, 5, 6};
  CHECK(onefold::nansum(numbers, how) == 15);
  CHECK(onefold::nanargmax(numbers, how) == 2);
  onefold::selected_plan<std::int32_t, sum> plan(where(numbers, not_nan), {}, how);
  std::int64_t all = 0;
  plan(where(numbers, not_nan), std::span(&all, 1));
  CHECK(all == 15);
}

TEST_CASE("whatever array_view is made from is data or a mask as it is") {
  const auto how = support::on_backend();
  const matrix_of<float> matrix{data.data()};
  const matrix_of<std::uint8_t> mask{odd.data()};
  const array_view<std::uint8_t> view(odd.data(), {2, 3});
  CHECK(onefold::sum(where(matrix, mask), how) == 9);
  CHECK(onefold::sum(where(matrix, view), {.threads = 2}) == 9);
  CHECK(values(onefold::sum(where(array_view(matrix), mask), 0, how)) == std::vector<float>{1, 5, 3});
  CHECK(values(onefold::argmax(where(matrix_of<float>{data.data()}, bitmap(odd.data(), 0, {2, 3}, {0, 1})), 1, how)) ==
        std::vector<std::int64_t>{0, 0});
  CHECK(onefold::reduce<float, sum, double>(where(matrix, mask), {.init = 0.5}) == 9.5);
  check_error(error_code::invalid_argument, "the mask has the extents (2, 3)", [&] { where(data, mask); });

  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{nan, 3, -nan, 1, 5, nan};
  const matrix_of<float> with_nan{x.data()};
  CHECK(onefold::nansum(with_nan, how) == 9);
  CHECK(onefold::nanmean(matrix_of<float>{x.data()}, {.threads = 2}) == 3);
  CHECK(values(onefold::nansum(with_nan, 0, how)) == std::vector<float>{1, 8, 0});
  CHECK(values(onefold::nanmax(with_nan, -1)) == std::vector<float>{3, 5});
  CHECK(values(onefold::nansum(with_nan, {0, 1}, how)) == std::vector<float>{9});
}

TEST_CASE("nothing selected obeys the rule of the operation") {
  const auto how = support::on_backend();
  const std::vector<std::uint8_t> nothing(6, 0);
  CHECK(onefold::sum(where(data, nothing), how) == 0);
  CHECK(onefold::product(where(data, nothing), how) == 1);
  check_error(error_code::empty_input, "argmax of no elements has no value: no element is selected",
              [&] { onefold::argmax(where(data, nothing), how); });
  CHECK(onefold::max(where(data, nothing), {.init = 7}) == 7);
  // No elements, and no memory.
  const std::span<const float> empty;
  CHECK(onefold::sum(where(empty, std::span<const bool>()), how) == 0);
  CHECK(onefold::sum(where(empty, bitmap(nullptr, {0})), how) == 0);
  CHECK(onefold::nansum(empty, how) == 0);
  const array_view<float> no_results(nullptr, {0, 3});
  CHECK(onefold::max(where(no_results, array_view<bool>(nullptr, {0, 3})), 1, how).size() == 0);
}

TEST_CASE("masks that do not fit; nothing is written") {
  const auto how = support::on_backend();
  const array_view<float> matrix(data.data(), {2, 3});
  const array_view<std::uint8_t> mask(odd.data(), {2, 3});
  const std::string extents = "; a mask needs the extents of its data, with a stride of 0 where it repeats";
  check_error(error_code::invalid_argument, "the mask has the extents (5), the data has (6)" + extents,
              [&] { where(data, std::span(odd).first(5)); });
  check_error(error_code::invalid_argument, "the mask has the extents (6), the data has (2, 3)" + extents,
              [&] { where(matrix, odd); });
  check_error(error_code::invalid_argument, "has the extents (2, 2)", [&] {
    where(matrix, bitmap(odd.data(), {2, 2}));
  });
  check_error(error_code::invalid_argument, "the offset of the mask's bits is negative: -1",
              [&] { where(data, bitmap(odd.data(), -1, {6})); });
  const std::string far = "the mask's bits reach farther than there are addresses";
  check_error(error_code::invalid_argument, far,
              [&] { where(data, bitmap(odd.data(), std::numeric_limits<std::int64_t>::max() - 3, {6})); });
  check_error(error_code::invalid_argument, far,
              [&] { where(data, bitmap(odd.data(), std::numeric_limits<std::int64_t>::max() - 9, {6})); });
  check_error(error_code::invalid_argument, "the extent of axis 0 is negative", [&] { bitmap(odd.data(), {-6}); });
  std::vector<float> out(3, -1);
  const auto into = [&](const auto& what, std::span<float> to) {
    return [&, to] { onefold::reduce<float, sum>(what, {.axes = 0}, to, how); };
  };
  const std::span<const bool> null(static_cast<const bool*>(nullptr), 6);
  check_error(error_code::invalid_argument, "the mask's pointer is null, but there are 6 elements",
              into(where(data, null), out));
  check_error(error_code::invalid_argument, "the mask's pointer is null", into(where(data, bitmap(nullptr, {6})), out));
  check_error(error_code::invalid_argument, "the data pointer is null, but there are 6 elements",
              into(where(std::span(static_cast<const float*>(nullptr), 6), odd), out));
  check_error(error_code::invalid_argument, "the reduction has 3 results, but there is room for 2",
              into(where(matrix, mask), std::span(out).first(2)));
  check_error(error_code::invalid_argument, "axis 2 is out of range",
              [&] { onefold::sum(where(matrix, mask), 2, how); });
  CHECK(out == std::vector<float>(3, -1));

  std::vector<float> both(6, 1);
  check_error(error_code::invalid_argument, "the results would overwrite the data",
              into(where(both, odd), std::span(both).last(1)));
  alignas(float) std::array<std::uint8_t, 12> bytes{};
  float* const results = reinterpret_cast<float*>(bytes.data());
  check_error(error_code::invalid_argument, "the results would overwrite the mask",
              into(where(data, std::span(bytes).subspan(3, 6)), {results, 1}));
  check_error(error_code::invalid_argument, "the results would overwrite the mask",
              into(where(data, std::span(bytes).subspan(3, 6)), {results + 2, 1}));
  CHECK_NOTHROW(into(where(data, std::span(bytes).subspan(4, 6)), {results, 1})());
  bytes.fill(0);
  check_error(error_code::invalid_argument, "the results would overwrite the mask",
              into(where(data, bitmap(bytes.data(), 26, {6})), {results, 1}));
  CHECK_NOTHROW(into(where(data, bitmap(bytes.data(), 32, {6})), {results, 1})());
  bytes.fill(0);
  CHECK_NOTHROW(into(where(data, bitmap(bytes.data(), 26, {6})), {results + 1, 1})());
}

TEST_CASE("a plan of selected elements is run for other data and masks of its extents and strides") {
  const auto how = support::on_backend();
  const array_view<float> matrix(data.data(), {2, 3});
  const std::vector<float> other{10, 20, 30, 40, 50, 60};
  const std::vector<std::uint8_t> all(6, 1);
  const auto masked = [](const std::vector<float>& x, const std::vector<std::uint8_t>& m) {
    return where(array_view<float>(x.data(), {2, 3}), array_view<std::uint8_t>(m.data(), {2, 3}));
  };
  onefold::selected_plan<float, sum> plan(masked(data, odd), {.axes = 1}, how);
  CHECK(plan.size() == 2);
  CHECK(plan.extents().size() == 1);
  std::vector<float> out(2);
  plan(masked(data, odd), out);
  CHECK(out == std::vector<float>{4, 5});
  plan(masked(other, all), out);
  CHECK(out == std::vector<float>{60, 150});
  CHECK(plan.report().backend == support::backend_under_test());
  const std::string differs = "the data or the mask does not have the extents and strides that the plan was made for";
  check_error(error_code::invalid_argument, differs, [&] { plan(where(matrix, not_nan), out); });
  check_error(error_code::invalid_argument, differs, [&] { plan(where(data, odd), out); });
  check_error(error_code::invalid_argument, differs, [&] {
    plan(where(matrix, array_view<std::uint8_t>(odd.data(), {2, 3}, {0, 1})), out);
  });
  check_error(error_code::invalid_argument, "room for 1", [&] { plan(masked(data, odd), std::span(out).first(1)); });
  auto moved = std::move(plan);
  moved(masked(data, odd), out);
  CHECK(out == std::vector<float>{4, 5});
  check_error(error_code::invalid_argument, "the plan was moved from", [&] { plan(masked(data, odd), out); });
}

TEST_CASE("options that selected elements do not fit, and results that cannot be") {
  check_error(error_code::invalid_argument, "argmax takes no initial value",
              [&] { onefold::argmax(where(data, odd), {.init = 1}); });
  check_error(error_code::invalid_argument, "threads = -1", [&] { onefold::sum(where(data, odd), {.threads = -1}); });
  const std::vector<std::int64_t> most(3, std::numeric_limits<std::int64_t>::max());
  const auto exact = support::on_backend(onefold::accuracy::exact);
  CHECK(onefold::sum(where(most, std::array<bool, 3>{true}), exact) == most[0]);
  check_error(error_code::overflow, "sum has no result: ", [&] {
    onefold::sum(where(most, std::array<bool, 3>{true, false, true}), exact);
  });
}

// With a stand-in for CUDA: what begins at a border of a page is in device memory.
TEST_CASE("selected elements are reduced where they and their mask can be read", "[.accelerator]") {
  dispatch::load_driver();
  using page = dispatch::page<float>;
  const auto device = std::make_unique<page>(), far_mask = std::make_unique<page>(), host = std::make_unique<page>();
  const std::span<float> far(device->numbers, data.size());
  // Where `data` and `odd` begin is the linker's choice: these are not at a border.
  const std::span<float> near(host->numbers + 1, data.size());
  std::ranges::copy(data, near.begin());
  std::ranges::copy(data, far.begin());
  const std::span<std::uint8_t> near_odd(reinterpret_cast<std::uint8_t*>(host->numbers + 512), odd.size());
  const std::span<std::uint8_t> far_odd(reinterpret_cast<std::uint8_t*>(far_mask->numbers), odd.size());
  std::ranges::copy(odd, near_odd.begin());
  std::ranges::copy(odd, far_odd.begin());
  const onefold::options automatic, cuda{.backend = onefold::backend::cuda},
      sequential{.backend = onefold::backend::sequential};
  CHECK(onefold::sum(where(near, near_odd), automatic) == 9);
  CHECK(onefold::sum(where(near, near_odd), cuda) == 9);
  CHECK(onefold::sum(where(far, near_odd), automatic) == 9);
  CHECK(onefold::sum(where(far, far_odd), automatic) == 9);
  onefold::selected_plan<float, sum> plan(where(near, near_odd), {}, automatic);
  float out = -1;
  const std::span<float> to(&out, 1);
  plan(where(far, far_odd), to);
  CHECK(out == 9);
  CHECK(plan.report().backend == onefold::backend::cuda);
  out = -1;
  plan.enqueue(where(far, far_odd), to, nullptr);
  CHECK(out == 9);
  out = -1;
  const std::string apart = "the mask is in device memory, and the data is reduced on the CPU";
  check_error(error_code::invalid_argument, apart, [&] { plan(where(near, far_odd), to); });
  check_error(error_code::invalid_argument, apart, [&] { onefold::sum(where(near, far_odd), sequential); });
  check_error(error_code::invalid_argument, "the data is in device memory, which backend sequential cannot read",
              [&] { onefold::sum(where(far, near_odd), sequential); });
  CHECK(out == -1);
  // The CPU reads managed memory, wherever it was moved.
  setenv("FAKE_MEMORY", "managed", 1);
  CHECK(onefold::sum(where(near, far_odd), sequential) == 9);
}
