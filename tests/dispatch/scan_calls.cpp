// Scans as callers write them: verbs, views, segments, in place, plans, exclusive ones, special values.
#include "onefold/scan.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "onefold/dynamic.hpp"
#include "onefold/where.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

using onefold::array_view;
using onefold::error_code;
using onefold::scan_kind;
using onefold::op::max;
using onefold::op::mean;
using onefold::op::sum;
using support::check_error;
using support::values;

namespace {

const std::vector<float> data{3, 1, 4, 1, 5, 9};
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class R>
std::vector<std::int64_t> extents(const onefold::result_array<R>& a) {
  return {a.extents().begin(), a.extents().end()};
}

std::vector<float> exclusive(const std::vector<float>& x, const onefold::options& how) {
  std::vector<float> out(x.size());
  onefold::exclusive_scan<float, sum>(x, out, how);
  return out;
}

}  // namespace

TEST_CASE("verbs of a range") {
  const auto how = support::on_backend();
  CHECK(values(onefold::cumsum(data, how)) == std::vector<float>{3, 4, 8, 9, 14, 23});
  CHECK(values(onefold::cumprod(data, how)) == std::vector<float>{3, 3, 12, 12, 60, 540});
  CHECK(values(onefold::cummin(data, how)) == std::vector<float>{3, 1, 1, 1, 1, 1});
  CHECK(values(onefold::cummax(data, how)) == std::vector<float>{3, 3, 4, 4, 5, 9});
  CHECK(values(onefold::cumsum(std::vector<std::int32_t>{2147483647, 1}, how)) ==
        std::vector<std::int64_t>{2147483647, 2147483648});
  CHECK(onefold::cummax(std::vector<float>(), how).size() == 0);
}

TEST_CASE("scans into an array of their own") {
  const auto how = support::on_backend();
  CHECK(values(onefold::inclusive_scan<float, sum>(data, how)) == std::vector<float>{3, 4, 8, 9, 14, 23});
  CHECK(values(onefold::exclusive_scan<float, sum>(data, how)) == std::vector<float>{0, 3, 4, 8, 9, 14});
  CHECK(values(onefold::inclusive_scan<float, max>(data)) == std::vector<float>{3, 3, 4, 4, 5, 9});
}

TEST_CASE("verbs of a view: in C order, or along an axis") {
  const auto how = support::on_backend();
  const array_view<const float> fortran(data.data(), {2, 3}, {1, 2});  // 3 4 5 above 1 1 9
  CHECK(values(onefold::cumsum(fortran, how)) == std::vector<float>{3, 7, 12, 13, 14, 23});
  CHECK(extents(onefold::cumsum(fortran, how)) == std::vector<std::int64_t>{6});
  CHECK(values(onefold::cumsum(fortran, 0, how)) == std::vector<float>{3, 4, 5, 4, 5, 14});
  CHECK(values(onefold::cummax(fortran, -1, how)) == std::vector<float>{3, 4, 5, 1, 1, 9});
  CHECK(extents(onefold::cumprod(fortran, 1, how)) == std::vector<std::int64_t>{2, 3});
  CHECK(values(onefold::cummin(fortran, 1, how)) == std::vector<float>{3, 3, 3, 1, 1, 1});
  // Empty braces stand for the default options, not for an axis.
  CHECK(extents(onefold::cumsum(fortran, {})) == std::vector<std::int64_t>{6});
  CHECK(extents(onefold::cumsum(fortran, {.threads = 2})) == std::vector<std::int64_t>{6});
  CHECK(extents(onefold::cumsum(array_view<const float>(data.data(), {3, 0}), 1, how)) ==
        std::vector<std::int64_t>{3, 0});
}

TEST_CASE("verbs of segments") {
  const auto how = support::on_backend();
  const std::vector<int> offsets{0, 2, 2, 6};
  CHECK(values(onefold::cumsum(onefold::segments(data, offsets), how)) == std::vector<float>{3, 4, 4, 5, 10, 19});
  std::vector<float> out(6, -1);
  onefold::inclusive_scan<float, max>(onefold::segments(data, std::vector<int>{1, 3, 5}), out, how);
  CHECK(out == std::vector<float>{-1, 1, 4, 1, 5, -1});  // what is in no segment is left alone
}

TEST_CASE("in place") {
  const auto how = support::on_backend();
  std::vector<float> x = data;
  onefold::inclusive_scan<float, sum>(x, x, how);
  CHECK(x == std::vector<float>{3, 4, 8, 9, 14, 23});
  std::vector<float> y = data;
  onefold::exclusive_scan<float, sum>(array_view<const float>(y.data(), {2, 3}), 0,
                                      onefold::output_view<float>(y.data(), {2, 3}), how);
  CHECK(y == std::vector<float>{0, 0, 0, 3, 1, 4});
}

TEST_CASE("the first result of an exclusive scan") {
  auto how = support::on_backend();
  CHECK(exclusive(data, how) == std::vector<float>{0, 3, 4, 8, 9, 14});
  CHECK_FALSE(std::signbit(exclusive({1}, how)[0]));
  how.init = -0.0;
  CHECK(std::signbit(exclusive({1}, how)[0]));
  how.init = 10;
  CHECK(exclusive(data, how) == std::vector<float>{10, 13, 14, 18, 19, 24});
  CHECK(values(onefold::cumsum(data, how)) == std::vector<float>{13, 14, 18, 19, 24, 33});
  std::vector<float> out(6, -1);
  onefold::exclusive_scan<float, max>(data, out, how);
  CHECK(out == std::vector<float>(6, 10));
  how.init = {};
  out.assign(6, -1);
  check_error(error_code::empty_input, "an exclusive scan of max begins with the result of no elements",
              [&] { onefold::exclusive_scan<float, max>(data, out, how); });
  check_error(error_code::empty_input, "an exclusive scan of mean begins with",
              [&] { onefold::exclusive_scan<float, mean>(data, out, how); });
  CHECK(out == std::vector<float>(6, -1));
  onefold::exclusive_scan<float, max>(std::span<const float>(), std::span<float>(), how);  // no line, no first result
}

TEST_CASE("NaN, zeros and integers that wrap") {
  const auto how = support::on_backend();
  const auto sums = values(onefold::cumsum(std::vector<float>{1, not_a_number, 2}, how));
  CHECK((sums[0] == 1 && std::isnan(sums[1]) && std::isnan(sums[2])));
  const auto lows = values(onefold::cummin(std::vector<float>{1, not_a_number, -2}, how));
  CHECK((lows[0] == 1 && std::isnan(lows[1]) && std::isnan(lows[2])));
  std::vector<float> out(4);
  const std::vector<float> some{not_a_number, 1, not_a_number, 2};
  onefold::inclusive_scan<float, onefold::op::fmax>(some, out, how);
  CHECK((std::isnan(out[0]) && out[1] == 1 && out[2] == 1 && out[3] == 2));
  CHECK_FALSE(std::signbit(onefold::cumsum(std::vector<float>{-0.0f, -0.0f}, how)[1]));
  const auto zeros = values(onefold::cummin(std::vector<float>{0.0f, -0.0f, 0.0f}, how));
  CHECK((!std::signbit(zeros[0]) && std::signbit(zeros[1]) && std::signbit(zeros[2])));
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                         least = std::numeric_limits<std::int64_t>::min();
  if (onefold::why_no_scan(onefold::operation_index<sum>, onefold::dtype::i64, onefold::accuracy::native) == nullptr)
    CHECK(values(onefold::cumsum(std::vector<std::int64_t>{most, 1, -1}, how)) ==
          std::vector<std::int64_t>{most, least, most});
}

TEST_CASE("plans") {
  const auto how = support::on_backend();
  onefold::scan_plan<float, sum> line(6, scan_kind::inclusive, how);
  std::vector<float> out(6);
  line(data.data(), out.data());
  CHECK(out == std::vector<float>{3, 4, 8, 9, 14, 23});
  CHECK(line.report().backend == how.backend);
  const array_view<const float> view(data.data(), {2, 3});
  onefold::dynamic_scan_plan rows("sum", "f32", view.axes(), 1, scan_kind::exclusive, how, "f64");
  CHECK((rows.size() == 6 && rows.result_size() == 8 && rows.extents().size() == 2));
  std::vector<double> wide(6);
  rows.run(data.data(), wide.data(), 6);
  CHECK(wide == std::vector<double>{0, 3, 4, 0, 1, 6});
  check_error(error_code::invalid_argument, "the scan has 6 results, but there is room for 5",
              [&] { rows.run(data.data(), wide.data(), 5); });
  onefold::scan_plan<float, sum> taken = std::move(line);
  check_error(error_code::invalid_argument, "moved from", [&] { line(data.data(), out.data()); });
}

TEST_CASE("what scans refuse") {
  const auto how = support::on_backend();
  std::vector<float> out(7, -1);
  check_error(error_code::invalid_argument, "the results do not have the extents of the array",
              [&] { onefold::inclusive_scan<float, sum>(data, out, how); });
  const array_view<const float> view(data.data(), {2, 3});
  check_error(error_code::invalid_argument, "axis 2 is out of range", [&] { onefold::cumsum(view, 2, how); });
  auto exact = how;
  exact.accuracy = onefold::accuracy::exact;
  check_error(
      error_code::unsupported,
      "a scan of sum of f32 at accuracy exact is not supported: each prefix would take an exact sum of its own; "
      "the nearest accuracy is kahan",
      [&] { onefold::cumsum(data, exact); });
  CHECK(values(onefold::cummax(data, exact)) == values(onefold::cummax(data, how)));
  std::vector<float> x(8, 1);
  check_error(error_code::invalid_argument, "the results would overwrite the data", [&] {
    onefold::inclusive_scan<float, sum>(std::span<const float>(x.data(), 7), std::span<float>(x.data() + 1, 7), how);
  });
  CHECK(x == std::vector<float>(8, 1));
  check_error(error_code::invalid_argument, "axis 0 of the results has stride 0", [&] {
    onefold::inclusive_scan<float, sum>(view, 1, onefold::output_view<float>(x.data(), {2, 3}, {0, 1}), how);
  });
  const std::vector<std::uint8_t> mask(6, 1);
  check_error(error_code::unsupported, "a scan of segments takes no mask", [&] {
    onefold::cumsum(onefold::where(onefold::segments(data, std::vector<int>{0, 6}), mask), how);
  });
}
