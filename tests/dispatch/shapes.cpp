// Views, plans and reports of reductions over some axes, and what they refuse.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#if __has_include(<cuda/std/mdspan>)
#include <cuda/std/mdspan>
#endif

#include "onefold/shapes.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/instrumented.hpp"
#include "support/values.hpp"

using onefold::array_view;
using onefold::error_code;
using onefold::op::max;
using onefold::op::sum;
using support::check_error;
using support::values;

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

/// 0, 1, 2, ... as 2 x 3 x 4.
const std::vector<float> data = [] {
  std::vector<float> x(24);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  return x;
}();
const array_view<float> cube(data.data(), {2, 3, 4});

std::vector<std::int64_t> numbers(const onefold::extents& e) { return {e.begin(), e.end()}; }

/// As std::mdspan of a later standard looks.
struct matrix {
  using element_type = const float;
  const float* data_handle() const { return p; }
  static constexpr std::size_t rank() { return 2; }
  std::size_t extent(std::size_t i) const { return i == 0 ? 3 : 4; }
  std::size_t stride(std::size_t i) const { return i == 0 ? 4 : 1; }
  const float* p;
};

/// An image with channels, as an application has it.
struct image {
  std::int64_t height, width;
  std::vector<float> pixels;  ///< two channels, one after the other
};

}  // namespace

template <>
struct onefold::view_traits<image> {
  using element_type = float;
  static constexpr bool owns_elements = true;
  static array_view<float> view(const image& i) {
    return {i.pixels.data(), {i.height, i.width, 2}, {i.width, 1, i.height * i.width}};
  }
};

TEST_CASE("axes are named from either end, in any number") {
  const auto how = support::on_backend();
  CHECK(values(onefold::sum(cube, 0, how)) == std::vector<float>{12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34});
  CHECK(values(onefold::sum(cube, -1, how)) == std::vector<float>{6, 22, 38, 54, 70, 86});
  CHECK(values(onefold::sum(cube, {0, 2}, how)) == std::vector<float>{60, 92, 124});
  CHECK(values(onefold::sum(cube, {2, 0}, how)) == std::vector<float>{60, 92, 124});
  CHECK(onefold::sum(cube, how) == 276);
  CHECK(values(onefold::sum(cube, {0, 1, 2}, how)) == std::vector<float>{276});
  CHECK(values(onefold::max(cube, {-3, -2}, how)) == std::vector<float>{20, 21, 22, 23});
  // No axis: each element is a result.
  const std::vector<int> none;
  const auto same = onefold::reduce<float, sum>(cube, {.axes = std::span<const int>(none)}, how);
  CHECK(values(same) == data);
  CHECK(numbers(same.extents()) == std::vector<std::int64_t>{2, 3, 4});
}

TEST_CASE("axes that are known at run time only") {
  const auto how = support::on_backend();
  const std::vector<int> ends{0, 2};
  const std::array<int, 2> same{0, 2};
  std::vector<int> changing{-1};
  const std::vector<float> wanted{60, 92, 124};
  CHECK(values(onefold::sum(cube, ends, how)) == wanted);
  CHECK(values(onefold::sum(cube, same, how)) == wanted);
  CHECK(values(onefold::sum(cube, std::span(ends), how)) == wanted);
  CHECK(values(onefold::sum(cube, std::span(changing), how)) == std::vector<float>{6, 22, 38, 54, 70, 86});
  CHECK(values(onefold::sum(matrix{data.data()}, changing, how)) == std::vector<float>{6, 22, 38});
  CHECK(values(onefold::reduce<float, sum>(cube, {.axes = ends}, how)) == wanted);
  CHECK(values(onefold::sum(cube, std::vector<int>(), how)) == data);
}

TEST_CASE("options alone reduce all axes") {
  static_assert(std::is_same_v<decltype(onefold::sum(cube, {})), float>);
  static_assert(std::is_same_v<decltype(onefold::sum(matrix{nullptr}, {})), float>);
  static_assert(std::is_same_v<decltype(onefold::sum(onefold::sum(cube, 0), {})), float>);
  CHECK(onefold::sum(cube, {}) == 276);
  static_assert(std::is_same_v<decltype(onefold::sum(cube, {.threads = 2})), float>);
  static_assert(std::is_same_v<decltype(onefold::sum(cube, {.threads = 2, .device = 0})), float>);
  static_assert(std::is_same_v<decltype(onefold::sum(cube, {0, 1})), onefold::result_array<float>>);
  static_assert(std::is_same_v<decltype(onefold::sum(cube, {-1})), onefold::result_array<float>>);
  CHECK(onefold::sum(cube, {.threads = 2}) == onefold::sum(cube));
}

TEST_CASE("the extents of results, with and without the reduced axes") {
  const auto how = support::on_backend();
  CHECK(numbers(onefold::reduce<float, sum>(cube, {.axes = 1}, how).extents()) == std::vector<std::int64_t>{2, 4});
  CHECK(numbers(onefold::reduce<float, sum>(cube, {.axes = 1, .keep = true}, how).extents()) ==
        std::vector<std::int64_t>{2, 1, 4});
  CHECK(numbers(onefold::reduce<float, sum>(cube, {}, how).extents()).empty());
  CHECK(numbers(onefold::reduce<float, sum>(cube, {.keep = true}, how).extents()) ==
        std::vector<std::int64_t>{1, 1, 1});
}

TEST_CASE("views of matrices with a pitch, backwards, repeated, and of an mdspan") {
  const auto how = support::on_backend();
  CHECK(values(onefold::sum(onefold::rows(data.data(), 4, 3, 6), 1, how)) == std::vector<float>{3, 21, 39, 57});
  const array_view<float> backwards(data.data() + 23, {6, 4}, {-4, -1});
  CHECK(onefold::reduce<float, onefold::op::argmax>(backwards, {.axes = 1}, how)[0] == 0);
  CHECK(values(onefold::max(backwards, 1, how)) == std::vector<float>{23, 19, 15, 11, 7, 3});
  const array_view<float> repeated(data.data() + 5, {1000, 2}, {0, 1});
  CHECK(values(onefold::sum(repeated, 0, how)) == std::vector<float>{5000, 6000});
  CHECK(values(onefold::sum(array_view(matrix{data.data()}), 0, how)) == std::vector<float>{12, 15, 18, 21});
  CHECK(values(onefold::sum(matrix{data.data()}, 0, how)) == std::vector<float>{12, 15, 18, 21});
  CHECK(values(onefold::reduce<float, max>(matrix{data.data()}, {.axes = 1}, how)) == std::vector<float>{3, 7, 11});
  CHECK(onefold::sum(matrix{data.data()}, how) == 66);
}

#if __has_include(<cuda/std/mdspan>)
TEST_CASE("views of mdspans of every layout, and of parts of them") {
  namespace md = cuda::std;
  const auto how = support::on_backend();
  const md::mdspan<const float, md::dextents<int, 3>> all(data.data(), 2, 3, 4);
  CHECK(values(onefold::sum(all, {0, 2}, how)) == std::vector<float>{60, 92, 124});
  CHECK(values(onefold::sum(array_view(all), {0, 2}, how)) == std::vector<float>{60, 92, 124});
  CHECK(onefold::sum(all, how) == 276);
  const md::mdspan<const float, md::extents<long, 4, md::dynamic_extent>, md::layout_left> columns(data.data(), 6);
  CHECK(values(onefold::max(columns, 0, how)) == std::vector<float>{3, 7, 11, 15, 19, 23});
  using every_second = md::layout_stride::mapping<md::dextents<long, 2>>;
  const md::mdspan<const float, md::dextents<long, 2>, md::layout_stride> strided(
      data.data() + 1, every_second(md::dextents<long, 2>(3, 4), md::array<long, 2>{8, 2}));
  CHECK(values(onefold::sum(strided, 1, how)) == std::vector<float>{16, 48, 80});
  onefold::shaped_plan<float, sum> plan(array_view<float>(strided), {.axes = 1}, how);
  std::vector<float> out(3);
  plan(strided.data_handle(), out);
  CHECK(out == std::vector<float>{16, 48, 80});
}
#endif

TEST_CASE("views of ranges, of const elements, and of results") {
  const auto how = support::on_backend();
  const std::span<const float> all(data);
  std::array<int, 3> three{1, 2, 4};
  static_assert(std::is_same_v<decltype(array_view(data)), array_view<float>>);
  static_assert(std::is_same_v<decltype(array_view(all)), array_view<float>>);
  static_assert(std::is_same_v<decltype(array_view(three)), array_view<int>>);
  static_assert(std::is_same_v<decltype(array_view(cube)), array_view<float>>);
  static_assert(!std::is_convertible_v<std::vector<float>, array_view<float>>);
  CHECK(onefold::sum(array_view(data), how) == 276);
  CHECK(onefold::sum(array_view(all.first(3)), 0, how)[0] == 3);
  CHECK(onefold::sum(array_view(three), how) == 7);
  const array_view<const float> fixed(data.data(), {2, 3, 4});
  CHECK(onefold::sum(fixed, how) == 276);
  CHECK(values(onefold::sum(fixed, {0, 2}, how)) == std::vector<float>{60, 92, 124});
  CHECK(values(onefold::reduce<float, max>(fixed, {.axes = {0, 1}}, how)) == std::vector<float>{20, 21, 22, 23});
  const auto rows = onefold::sum(cube, 2, how);
  CHECK(numbers(rows.extents()) == std::vector<std::int64_t>{2, 3});
  CHECK(values(onefold::sum(rows, 0, how)) == std::vector<float>{60, 92, 124});
  CHECK(values(onefold::sum(onefold::sum(cube, 2, how), 0, how)) == std::vector<float>{60, 92, 124});
  CHECK(onefold::max(onefold::sum(onefold::sum(cube, -1), -1)) == 210);
  CHECK(array_view(rows).rank() == 2);
  CHECK(onefold::sum(rows, how) == 276);
}

TEST_CASE("a type of the caller's own is passed as it is") {
  const auto how = support::on_backend();
  const image picture{3, 4, data};
  CHECK(values(onefold::sum(picture, {0, 1}, how)) == std::vector<float>{66, 210});
  CHECK(onefold::max(picture, how) == 23);
  CHECK(values(onefold::reduce<float, max>(picture, {.axes = {0, 2}}, how)) == std::vector<float>{20, 21, 22, 23});
}

TEST_CASE("a scalar view, and axes without elements") {
  const auto how = support::on_backend();
  CHECK(onefold::sum(array_view<float>(data.data() + 7, {}), how) == 7);
  const array_view<float> empty(nullptr, {3, 0});
  CHECK(values(onefold::sum(empty, 1, how)) == std::vector<float>{0, 0, 0});
  CHECK(onefold::max(empty, 0, how).size() == 0);
  check_error(error_code::empty_input, "max of no elements has no value: the axes that are reduced are empty",
              [&] { onefold::max(empty, 1, how); });
  auto with_init = how;
  with_init.init = 4;
  CHECK(values(onefold::max(empty, 1, with_init)) == std::vector<float>{4, 4, 4});
  const array_view<float> hollow(nullptr, {largest, largest, 0});
  CHECK(onefold::sum(hollow, how) == 0);
  CHECK(onefold::sum(hollow, 1, how).size() == 0);
  const array_view<float> repeated(nullptr, {largest, largest, 0}, {0, 0, 1});
  CHECK(onefold::sum(repeated, how) == 0);
  check_error(error_code::invalid_argument, "more results than there are addresses",
              [&] { onefold::sum(hollow, 2, how); });
}

TEST_CASE("a plan is run many times, for the extents and strides of a view") {
  onefold::shaped_plan<float, sum> by_column(cube, {.axes = {0, 1}}, support::on_backend());
  CHECK(numbers(by_column.extents()) == std::vector<std::int64_t>{4});
  CHECK(by_column.size() == 4);
  std::vector<float> out(4), other(24, 1);
  by_column(data.data(), out);
  CHECK(out == std::vector<float>{60, 66, 72, 78});
  by_column(other.data(), out);
  CHECK(out == std::vector<float>{6, 6, 6, 6});
  CHECK(by_column.report().backend == support::backend_under_test());
  auto moved = std::move(by_column);
  moved(data.data(), out);
  CHECK(out == std::vector<float>{60, 66, 72, 78});
  check_error(error_code::invalid_argument, "the plan was moved from", [&] { by_column(data.data(), out); });
}

TEST_CASE("more results than can be allocated") {
  const array_view<float> hollow(nullptr, {largest / 2, 0});
  check_error(error_code::invalid_argument, "the results take more bytes than there are addresses",
              [&] { onefold::sum(hollow, 1); });
  check_error(error_code::invalid_argument, "the results take more bytes than there are addresses", [&] {
    onefold::result_array<char>({largest, 2});
  });
  CHECK(onefold::result_array<char>({largest, largest, 0}).size() == 0);
#if !ONEFOLD_TEST_SANITIZED  // which end a program that asks for so much
  const array_view<float> large(nullptr, {std::int64_t{1} << 50, 0});
  check_error(error_code::invalid_argument, "not enough memory for 1125899906842624 results of 8 bytes",
              [&] { onefold::reduce<float, sum, double>(large, {.axes = 1}); });
#endif
}

TEST_CASE("views that cannot be") {
  const auto view = [](auto... x) { return [=] { array_view<float>(data.data(), x...); }; };
  using e = onefold::extents;
  using s = onefold::strides;
  check_error(error_code::invalid_argument, "a view of 9 axes is not supported; at most 8",
              view(e{1, 1, 1, 1, 1, 1, 1, 1, 1}));
  check_error(error_code::invalid_argument, "the extent of axis 1 is negative: -3", view(e{2, -3}));
  check_error(error_code::invalid_argument, "a view of 2 extents has 1 stride", view(e{2, 3}, s{1}));
  check_error(error_code::invalid_argument, "than there are addresses", view(e{largest / 2, 3}));
  check_error(error_code::invalid_argument, "than there are addresses", view(e{largest}));
  check_error(error_code::invalid_argument, "than there are addresses", view(e{3, 3}, s{largest / 4, 1}));
  check_error(error_code::invalid_argument, "than there are addresses", view(e{largest, largest}, s{0, 0}));
  check_error(error_code::invalid_argument, "than there are addresses",
              view(e{3}, s{std::numeric_limits<std::int64_t>::min()}));
}

TEST_CASE("axes that the view does not have, or that are named twice") {
  const auto over = [](onefold::over::list axes) { return [=] { onefold::sum(cube, axes); }; };
  check_error(error_code::invalid_argument, "axis 3 is out of range for a view of 3 axes; expected -3 to 2", over(3));
  check_error(error_code::invalid_argument, "axis -4 is out of range for a view of 3 axes", over(-4));
  check_error(error_code::invalid_argument, "axis 1 is named twice", over({1, 1}));
  check_error(error_code::invalid_argument, "axis -2 is named twice", over({1, -2}));
  check_error(error_code::invalid_argument, "9 axes are named", over({0, 1, 2, 0, 1, 2, 0, 1, 2}));
  check_error(error_code::invalid_argument, "axis 0 is out of range for a view of 0 axes",
              [] { onefold::sum(array_view<float>(data.data(), {}), 0); });
}

TEST_CASE("results without room, or where the data is; nothing is written") {
  const auto how = support::on_backend();
  std::vector<float> out(3, -1);
  check_error(error_code::invalid_argument, "the reduction has 4 results, but there is room for 3", [&] {
    onefold::reduce<float, sum>(cube, {.axes = {0, 1}}, out, how);
  });
  CHECK(out == std::vector<float>(3, -1));
  check_error(error_code::invalid_argument, "room for 0", [&] {
    onefold::reduce<float, sum>(cube, {.axes = {0, 1}}, std::span<float>(), how);
  });
  std::vector<float> both(30, 1);
  const auto into = [&](std::size_t first) {
    return [&, first] {
      onefold::reduce<float, sum>(array_view<float>(both.data() + 5, {4, 5}), {.axes = 1},
                                  std::span(both).subspan(first, 4), how);
    };
  };
  for (const std::size_t first : {2u, 5u, 24u})
    check_error(error_code::invalid_argument, "the results would overwrite the data", into(first));
  CHECK(both == std::vector<float>(30, 1));
  for (const std::size_t first : {1u, 25u}) CHECK_NOTHROW(into(first)());
  check_error(error_code::invalid_argument, "the data pointer is null, but there are 4 elements", [&] {
    onefold::sum(array_view<float>(nullptr, {2, 2}), 0, how);
  });
}

TEST_CASE("options that do not fit, and results that cannot be") {
  auto how = support::on_backend();
  how.init = 1;
  check_error(error_code::invalid_argument, "argmax takes no initial value", [&] { onefold::argmax(cube, 0, how); });
  check_error(error_code::invalid_argument, "threads = -1", [&] { onefold::sum(cube, 0, {.threads = -1}); });
  const std::vector<std::int64_t> most(6, largest);
  check_error(error_code::overflow, "sum has no result: ", [&] {
    onefold::sum(array_view(most.data(), {2, 3}), 1, support::on_backend(onefold::accuracy::exact));
  });
}
