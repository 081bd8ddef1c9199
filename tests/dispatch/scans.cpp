// What scans accept and refuse: room, overlap, axes, plans, reports.
#include "onefold/scan.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"

using onefold::error_code;
using onefold::scan_kind;
namespace op = onefold::op;

namespace {

/// The message of the error that a call ends with; empty where it ends without one.
template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const onefold::error& e) {
    return e.what();
  }
  return {};
}

const std::vector<float> few{3, 1, 4, 1, 5, 9, 2, 6};

}  // namespace

TEST_CASE("verbs scan ranges, views and segments") {
  const auto sums = onefold::cumsum(few);
  static_assert(std::is_same_v<decltype(sums), const onefold::result_array<float>>);
  CHECK(std::vector<float>(sums.begin(), sums.end()) == std::vector<float>{3, 4, 8, 9, 14, 23, 25, 31});
  const auto highest = onefold::cummax(few), lowest = onefold::cummin(few);
  CHECK(std::vector<float>(highest.begin(), highest.end()) == std::vector<float>{3, 3, 4, 4, 5, 9, 9, 9});
  CHECK(std::vector<float>(lowest.begin(), lowest.end()) == std::vector<float>{3, 1, 1, 1, 1, 1, 1, 1});
  const std::array<std::int8_t, 4> bytes{100, 100, 2, -3};
  const auto products = onefold::cumprod(bytes);
  static_assert(std::is_same_v<decltype(products), const onefold::result_array<std::int64_t>>);
  CHECK(std::vector<std::int64_t>(products.begin(), products.end()) ==
        std::vector<std::int64_t>{100, 10000, 20000, -60000});

  const onefold::array_view<float> matrix(few.data(), {2, 4});
  const auto down = onefold::cumsum(matrix, 0), across = onefold::cumsum(matrix, -1), flat = onefold::cumsum(matrix);
  CHECK(std::vector<float>(down.begin(), down.end()) == std::vector<float>{3, 1, 4, 1, 8, 10, 6, 7});
  CHECK(std::vector<float>(across.begin(), across.end()) == std::vector<float>{3, 4, 8, 9, 5, 14, 16, 22});
  CHECK(std::vector<float>(flat.begin(), flat.end()) == std::vector<float>(sums.begin(), sums.end()));
  CHECK(down.extents().size() == 2);
  CHECK(flat.extents().size() == 1);

  const std::vector<int> offsets{1, 3, 3, 7};
  const auto of_segments = onefold::cumsum(onefold::segments(few, offsets));
  CHECK(of_segments.size() == few.size());
  CHECK(std::vector<float>(of_segments.begin() + 1, of_segments.begin() + 7) == std::vector<float>{1, 5, 1, 6, 15, 17});
}

TEST_CASE("an array in Fortran order is one line in C order where no axis is named") {
  const onefold::array_view<float> matrix(few.data(), {2, 4}, {1, 2});
  const auto flat = onefold::cumsum(matrix);
  CHECK(std::vector<float>(flat.begin(), flat.end()) == std::vector<float>{3, 7, 12, 14, 15, 16, 25, 31});
}

TEST_CASE("an exclusive scan begins with the initial value, or the result of no elements") {
  std::vector<float> out(few.size());
  onefold::exclusive_scan<float, op::sum>(few, out);
  CHECK(out == std::vector<float>{0, 3, 4, 8, 9, 14, 23, 25});
  onefold::exclusive_scan<float, op::sum>(few, out, {.init = 10});
  CHECK(out == std::vector<float>{10, 13, 14, 18, 19, 24, 33, 35});
  onefold::inclusive_scan<float, op::sum>(few, out, {.init = 10});
  CHECK(out == std::vector<float>{13, 14, 18, 19, 24, 33, 35, 41});
  onefold::exclusive_scan<float, op::max>(few, out, {.init = 3.5});
  CHECK(out == std::vector<float>{3.5, 3.5, 3.5, 4, 4, 5, 9, 9});
  CHECK(support::error_of([&] { onefold::exclusive_scan<float, op::max>(few, out); }) == error_code::empty_input);
  CHECK(message_of([&] { onefold::exclusive_scan<float, op::max>(few, out); }) ==
        "an exclusive scan of max begins with the result of no elements, which has no value: add an initial value, or "
        "scan inclusively");
}

TEST_CASE("results of another type are rounded from the states") {
  std::vector<double> out(2);
  const std::vector<float> x{1e8f, 1};
  onefold::inclusive_scan<float, op::sum, double>(x, out, {.accuracy = onefold::accuracy::kahan});
  CHECK(out == std::vector<double>{1e8, 100000001});
}

TEST_CASE("sums and means of integers are scanned at accuracy exact") {
  const onefold::options exact{.accuracy = onefold::accuracy::exact};
  const std::vector<std::int64_t> x(5, std::int64_t{1} << 61);
  std::vector<std::int64_t> sums(5);
  onefold::inclusive_scan<std::int64_t, op::sum>(std::span(x).first(3), std::span(sums).first(3), exact);
  CHECK(sums == std::vector<std::int64_t>{x[0], 2 * x[0], 3 * x[0], 0, 0});
  CHECK(message_of([&] { onefold::inclusive_scan<std::int64_t, op::sum>(x, sums, exact); }) ==
        "sum has no result: the exact sum is beyond the range of i64");
  std::vector<double> means(5);
  onefold::inclusive_scan<std::int64_t, op::mean>(x, means, exact);
  CHECK(means == std::vector<double>(5, 0x1p61));
}

TEST_CASE("an array is scanned in place") {
  std::vector<double> x{1, 2, 3, 4};
  onefold::inclusive_scan<double, op::sum>(x, x);
  CHECK(x == std::vector<double>{1, 3, 6, 10});
  onefold::exclusive_scan<double, op::sum>(x, x);
  CHECK(x == std::vector<double>{0, 1, 4, 10});
  std::vector<float> m(few);
  const onefold::array_view<float> matrix(m.data(), {2, 4});
  onefold::inclusive_scan<float, op::sum>(matrix, 0, onefold::output_view<float>(m.data(), {2, 4}));
  CHECK(m == std::vector<float>{3, 1, 4, 1, 8, 10, 6, 7});
}

TEST_CASE("an array is scanned in place whatever the strides of axes of one element") {
  std::vector<float> x(few);
  const onefold::array_view<float> column(x.data(), {8, 1}, {1, 8}), row(x.data(), {1, 8}, {3, 1});
  onefold::inclusive_scan<float, op::sum>(column, 0, onefold::output_view<float>(x.data(), {8, 1}));
  CHECK(x == std::vector<float>{3, 4, 8, 9, 14, 23, 25, 31});
  onefold::inclusive_scan<float, op::max>(row, 0, onefold::output_view<float>(x.data(), {1, 8}));
  CHECK(x == std::vector<float>{3, 4, 8, 9, 14, 23, 25, 31});
}

TEST_CASE("results may lie with strides") {
  std::vector<float> out(16, -1);
  const onefold::array_view<float> matrix(few.data(), {2, 4});
  onefold::inclusive_scan<float, op::sum>(matrix, 1, onefold::output_view<float>(out.data(), {2, 4}, {1, 4}));
  CHECK(out == std::vector<float>{3, 5, -1, -1, 4, 14, -1, -1, 8, 16, -1, -1, 9, 22, -1, -1});
}

TEST_CASE("results along an axis may go to a range, in C order") {
  const onefold::array_view<float> matrix(few.data(), {2, 4});
  std::vector<float> out(8), in_place = few;
  onefold::inclusive_scan<float, op::sum>(matrix, 0, out);
  CHECK(out == std::vector<float>{3, 1, 4, 1, 8, 10, 6, 7});
  onefold::exclusive_scan<float, op::sum>(matrix, 1, std::span(out), {.init = 10});
  CHECK(out == std::vector<float>{10, 13, 14, 18, 10, 15, 24, 26});
  onefold::inclusive_scan<float, op::sum>(onefold::array_view<float>(in_place.data(), {2, 4}), 0, in_place);
  CHECK(in_place == std::vector<float>{3, 1, 4, 1, 8, 10, 6, 7});
  std::vector<float> short_by_one(7);
  CHECK(support::error_of([&] { onefold::inclusive_scan<float, op::sum>(matrix, 0, short_by_one); }) ==
        error_code::invalid_argument);
}

TEST_CASE("nothing is written where there is nothing to scan") {
  onefold::inclusive_scan<float, op::max>(std::span<const float>(), std::span<float>());
  CHECK(onefold::cumsum(std::vector<float>()).size() == 0);
  CHECK(onefold::cumsum(onefold::array_view<float>(nullptr, {3, 0}), 1).size() == 0);
  CHECK(onefold::cumsum(onefold::array_view<float>(nullptr, {0, 3}), 1).size() == 0);
  CHECK(onefold::cumsum(onefold::array_view<float>(nullptr, {3, 0}, {5, 1}), 0).size() == 0);
  const onefold::array_view<float> lines(nullptr, {std::int64_t{1} << 60, 0});
  onefold::scan_plan<float, op::sum> plan(lines, 1);
  plan(nullptr, nullptr);
  CHECK(plan.report().threads == 1);
}

TEST_CASE("what cannot be scanned is refused in one sentence, and nothing is written") {
  std::vector<float> out(few.size(), -1);
  const onefold::array_view<float> matrix(few.data(), {2, 4});
  const auto refused = [&](const std::string& message, const auto& call) {
    CHECK(message_of(call) == message);
    CHECK(out == std::vector<float>(few.size(), -1));
  };
  refused("the results do not have the extents of the array; without an axis, one axis of 8 elements will do, too",
          [&] { onefold::inclusive_scan<float, op::sum>(few, std::span(out).first(7)); });
  refused("axis 2 is out of range for a view of 2 axes; expected -2 to 1", [&] { onefold::cumsum(matrix, 2); });
  refused("the results do not have the extents of the array", [&] {
    onefold::inclusive_scan<float, op::sum>(matrix, 0, onefold::output_view<float>(out.data(), {4, 2}));
  });
  refused("axis 1 of the results has stride 0: they would overwrite each other", [&] {
    onefold::inclusive_scan<float, op::sum>(matrix, 0, onefold::output_view<float>(out.data(), {2, 4}, {1, 0}));
  });
  refused("the data pointer is null, but there are 2 elements", [&] {
    onefold::inclusive_scan<float, op::sum>(std::span<const float>(static_cast<const float*>(nullptr), 2),
                                            std::span(out).first(2));
  });
  refused("the result pointer is null", [&] {
    onefold::inclusive_scan<float, op::sum>(few, std::span<float>(static_cast<float*>(nullptr), few.size()));
  });
  refused("a scan has a result for each of 8 values, but there is room for 7", [&] {
    const std::vector<int> offsets{0, 8};
    onefold::inclusive_scan<float, op::sum>(onefold::segments(few, offsets), std::span(out).first(7));
  });
  refused(
      "a scan of sum of f32 at accuracy exact is not supported: each prefix would take an exact sum of its own; the "
      "nearest accuracy is kahan",
      [&] { onefold::cumsum(few, {.accuracy = onefold::accuracy::exact}); });
  std::vector<float> x(few);
  CHECK(message_of([&] { onefold::inclusive_scan<float, op::sum>(std::span(x).first(7), std::span(x).last(7)); }) ==
        "the results would overwrite the data: their memory overlaps but is not identical");
  CHECK(x == few);
}

TEST_CASE("a plan scans again and again, and can be moved") {
  onefold::scan_plan<float, op::sum> plan(8, scan_kind::inclusive, support::on_backend());
  CHECK(plan.report().backend == support::backend_under_test());
  std::vector<float> out(8);
  for (int i = 0; i < 3; ++i) {
    plan(few.data(), out.data());
    CHECK(out.back() == 31);
  }
  auto moved = std::move(plan);
  moved(few.data(), out.data());
  CHECK(out.front() == 3);
  CHECK(support::error_of([&] { plan(few.data(), out.data()); }) == error_code::invalid_argument);  // NOLINT
}

TEST_CASE("a scan chosen at run time gives the same") {
  const onefold::array_view<float> matrix(few.data(), {2, 4});
  onefold::dynamic_scan_plan plan("sum", "f32", matrix.axes(), 0, scan_kind::inclusive, support::on_backend());
  CHECK(plan.size() == 8);
  CHECK(plan.result_size() == 4);
  std::vector<float> out(8);
  plan.run(few.data(), out.data(), 8);
  CHECK(out == std::vector<float>{3, 1, 4, 1, 8, 10, 6, 7});
  CHECK(message_of([&] { plan.run(few.data(), out.data(), 7); }) == "the scan has 8 results, but there is room for 7");
  onefold::dynamic_scan_plan flat("max", "f32", matrix.axes(), std::nullopt, scan_kind::exclusive, {.init = 2}, "");
  flat.run(few.data(), out.data(), 8);
  CHECK(out == std::vector<float>{2, 3, 3, 4, 4, 5, 9, 9});
  CHECK(onefold::why_no_scan(onefold::operation_index<op::sum>, onefold::dtype::f32, onefold::accuracy::exact) !=
        nullptr);
  CHECK(onefold::why_no_scan(onefold::operation_index<op::max>, onefold::dtype::f32, onefold::accuracy::exact) ==
        nullptr);
}

TEST_CASE("sums of elements that are not negative never decrease") {
  std::vector<float> x(300'000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 2654435761u % 1000) * 1e-3f;
  const auto sums = onefold::cumsum(x, support::on_backend());
  for (std::size_t i = 1; i < x.size(); ++i)
    if (sums[i] < sums[i - 1]) FAIL("at " << i);
  CHECK(sums[x.size() - 1] == onefold::sum(x));
}
