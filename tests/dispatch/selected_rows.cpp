// Row operations under a mask as callers write them, and what they refuse.
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "onefold/dynamic.hpp"
#include "onefold/row_operations.hpp"
#include "onefold/where.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

using onefold::array_view;
using onefold::bitmap;
using onefold::error_code;
using onefold::not_nan;
using onefold::output_view;
using onefold::row_operation;
using onefold::where;
using support::check_error;
using support::on_backend;
using support::refuses;
using support::values;

namespace {

const std::vector<float> data{1, 2, 3, 4, 5, 7};
const array_view<float> matrix(data.data(), {2, 3});
const std::vector<std::uint8_t> odd{1, 0, 255, 0, 0, 0};
const array_view<std::uint8_t> mask(odd.data(), {2, 3});
constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("masks of every kind select places of lines") {
  const auto how = on_backend();
  const std::vector<float> two = values(onefold::softmax(std::vector<float>{1, 3}, how));
  const std::vector<float> meant{two[0], 0, two[1], 0, 0, 0};
  const std::uint8_t bits[] = {0b00101000, 0};
  CHECK(values(onefold::softmax(where(matrix, mask), how)) == meant);
  CHECK(values(onefold::softmax(where(matrix, mask), -1, how)) == meant);
  CHECK(values(onefold::softmax(where(matrix, bitmap(bits, 3, {2, 3})), {})) == meant);
  CHECK(values(onefold::softmax(where(data, odd), how)) == meant);
  CHECK(values(onefold::softmax(where(matrix, mask), 0, how)) == std::vector<float>{1, 0, 1, 0, 0, 0});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> some{1, nan, 3, nan, nan, nan};
  CHECK(values(onefold::softmax(where(array_view<float>(some.data(), {2, 3}), not_nan), how)) == meant);

  std::vector<float> out(6), x = data;
  onefold::softmax(where(matrix, mask), -1, out, how);
  CHECK(out == meant);
  onefold::softmax(where(array_view<float>(x.data(), {2, 3}), mask), -1, x, how);
  CHECK(x == meant);
  const auto logs = values(onefold::log_softmax(where(matrix, mask), how));
  CHECK(logs[1] == -infinity);
  CHECK(std::isfinite(logs[2]));
  CHECK(logs[5] == -infinity);
  CHECK(values(onefold::logsumexp(where(matrix, mask), how)) ==
        std::vector<float>{onefold::logsumexp(std::vector<float>{1, 3}), -infinity});
}

TEST_CASE("weights and biases belong to places, statistics to lines") {
  const auto how = on_backend();
  const std::vector<float> weight{2, 3, 5}, bias{7, 11, 13};
  const std::vector<float> two = values(onefold::layer_norm(std::vector<float>{1, 3}, {}, how));
  std::vector<float> out(6), mean(2), rstd(2);
  onefold::layer_norm(where(matrix, mask), -1, out, {.weight = weight, .bias = bias, .mean = mean, .rstd = rstd}, how);
  CHECK(out == std::vector<float>{two[0] * 2 + 7, 0, two[1] * 5 + 13, 0, 0, 0});
  CHECK(mean[0] == 2);
  CHECK(rstd[0] > 0);
  CHECK(std::isnan(mean[1]));
  CHECK(std::isnan(rstd[1]));
}

TEST_CASE("what row operations refuse of masks, and write nothing then") {
  const auto how = on_backend();
  std::vector<float> out(6);
  refuses("the mask has the extents (6), the data has (2, 3)", out,
          [&] { onefold::softmax(where(matrix, odd), -1, out, how); });
  refuses("the mask's pointer is null, but there are 6 elements", out, [&] {
    onefold::softmax(where(matrix, array_view<bool>(nullptr, {2, 3})), -1, out, how);
  });
  refuses("the results would overwrite the mask: their memory overlaps", out, [&] {
    onefold::softmax(where(matrix, array_view<bool>(reinterpret_cast<const bool*>(out.data() + 5), {2, 3}, {0, 1})), -1,
                     out, how);
  });
  std::vector<float> mean(2), rstd(2);
  refuses("the statistics would overwrite the mask: their memory overlaps", out, [&] {
    onefold::layer_norm(where(matrix, array_view<bool>(reinterpret_cast<const bool*>(rstd.data()), {2, 3})), -1, out,
                        {.mean = mean, .rstd = rstd}, how);
  });
}

TEST_CASE("plans for masks") {
  const auto how = on_backend();
  std::vector<float> out(6);
  const std::vector<float> meant = values(onefold::softmax(where(matrix, mask), how));
  onefold::row_plan<float> plan(row_operation::softmax, where(matrix, mask), -1, {}, how);
  CHECK(plan.report().backend == support::backend_under_test());
  plan(where(matrix, mask), out.data());
  CHECK(out == meant);
  const std::vector<std::uint8_t> all(6, 1);
  plan(where(matrix, array_view<std::uint8_t>(all.data(), {2, 3})), out.data());
  CHECK(out == values(onefold::softmax(matrix)));
  const std::string words = "the data or the mask does not have the extents and strides that the plan was made for";
  refuses(words, out, [&] { plan(data.data(), out.data()); });
  refuses(words, out, [&] { plan(where(matrix, not_nan), out.data()); });
  refuses(words, out, [&] { plan(where(data, odd), out.data()); });
  onefold::row_plan<float> plain(row_operation::softmax, matrix, -1, {}, how);
  refuses(words, out, [&] { plain(where(matrix, mask), out.data()); });

  onefold::dynamic_row_plan dynamic("softmax", "f32", matrix.axes(), -1,
                                    {.mask = onefold::mask_layout{onefold::mask_kind::bytes, mask.axes()}}, how);
  dynamic.run({data.data(), out.data(), nullptr, nullptr, nullptr, nullptr}, 6, odd.data());
  CHECK(out == meant);
  refuses("the parameters are not those that the plan was made for", out, [&] {
    dynamic.run({data.data(), out.data(), nullptr, nullptr, nullptr, nullptr}, 6);
  });
  check_error(error_code::invalid_argument, "the mask has the extents (6), the data has (2, 3)", [&] {
    const onefold::axis six{6, 1};
    onefold::dynamic_row_plan("softmax", "f32", matrix.axes(), -1,
                              {.mask = onefold::mask_layout{onefold::mask_kind::bytes, {&six, 1}}});
  });
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> some{1, nan, 3, nan, nan, nan};
  onefold::dynamic_row_plan numbers("softmax", "f32", matrix.axes(), -1, {.mask = onefold::mask_layout{}}, how);
  numbers.run({some.data(), out.data(), nullptr, nullptr, nullptr, nullptr}, 6);
  CHECK(out == meant);
}
