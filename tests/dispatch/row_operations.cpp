// Row operations as callers write them, what they accept and refuse: axes, room, overlap, parameters, plans, reports.
#include "onefold/row_operations.hpp"

#include <array>
#include <cmath>
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

std::vector<std::int64_t> extents(const onefold::result_array<float>& r) {
  return {r.extents().begin(), r.extents().end()};
}

}  // namespace

TEST_CASE("row operations of ranges and views, along an axis, into memory of the caller's") {
  const auto how = on_backend();
  const std::vector<float> across = values(onefold::softmax(matrix, how));
  CHECK(extents(onefold::softmax(matrix)) == std::vector<std::int64_t>{2, 3});
  CHECK(values(onefold::softmax(matrix, -1, how)) == across);
  CHECK(values(onefold::softmax(matrix, 1, how)) == across);
  CHECK(values(onefold::softmax(matrix, {})) == across);
  CHECK(values(onefold::softmax(matrix, {.threads = 2})) == across);
  CHECK(values(onefold::softmax(std::vector<float>{1, 2, 3}, how)) ==
        std::vector<float>(across.begin(), across.begin() + 3));
  const std::vector<float> down = values(onefold::softmax(matrix, 0, how));
  CHECK(down[0] + down[3] == 1);
  CHECK(down[1] < down[4]);
  CHECK(extents(onefold::logsumexp(matrix, how)) == std::vector<std::int64_t>{2});
  CHECK(extents(onefold::logsumexp(matrix, 0, how)) == std::vector<std::int64_t>{3});
  static_assert(std::is_same_v<decltype(onefold::logsumexp(data, how)), float>);
  CHECK(onefold::logsumexp(data, how) ==
        onefold::logsumexp(array_view<float>(data.data(), {1, std::ssize(data)}), how)[0]);
  CHECK(onefold::logsumexp(where(data, onefold::not_nan), how) == onefold::logsumexp(data, how));
  CHECK(std::isinf(onefold::logsumexp(std::vector<float>{}, how)));

  std::vector<float> out(6), turned(6), two(2);
  onefold::softmax(matrix, -1, out, how);
  CHECK(out == across);
  onefold::softmax(matrix, -1, output_view<float>(turned.data(), {2, 3}, {1, 2}), how);
  CHECK(turned == std::vector<float>{across[0], across[3], across[1], across[4], across[2], across[5]});
  onefold::logsumexp(matrix, -1, two, how);
  CHECK(two == values(onefold::logsumexp(matrix, how)));
  std::vector<float> x = data;
  onefold::softmax(array_view<float>(x.data(), {2, 3}), -1, x, how);
  CHECK(x == across);
  std::array<float, 6> fixed{1, 2, 3, 4, 5, 7};
  onefold::standardize(fixed, -1, fixed, how);
  CHECK(std::vector<float>(fixed.begin(), fixed.end()) == values(onefold::standardize(data, how)));
}

TEST_CASE("row operations into memory of the caller's, along the last axis without its name, and in place") {
  const auto how = on_backend();
  std::vector<float> out(6), two(2);
  onefold::softmax(matrix, out, how);
  CHECK(out == values(onefold::softmax(matrix, how)));
  onefold::logsumexp(matrix, two, how);
  CHECK(two == values(onefold::logsumexp(matrix, how)));
  const auto in_place = [](const auto& call) {
    std::vector<float> x = data;
    call(x);
    return x;
  };
  CHECK(in_place([&](auto& x) { onefold::softmax(x, x, how); }) == values(onefold::softmax(data, how)));
  CHECK(in_place([](auto& x) { onefold::softmax(x, x); }) == values(onefold::softmax(data)));
  CHECK(in_place([&](auto& x) { onefold::log_softmax(x, x, how); }) == values(onefold::log_softmax(data, how)));
  CHECK(in_place([&](auto& x) { onefold::standardize(x, x, how); }) == values(onefold::standardize(data, how)));
  CHECK(in_place([&](auto& x) { onefold::layer_norm(x, x, {.weight = data}, how); }) ==
        values(onefold::layer_norm(data, {.weight = data}, how)));
  CHECK(in_place([&](auto& x) { onefold::rms_norm(x, x, {.eps = 1}, how); }) ==
        values(onefold::rms_norm(data, {.eps = 1}, how)));
  CHECK(in_place([&](auto& x) { onefold::normalize(x, x, {.kind = onefold::norm::l1}, how); }) ==
        values(onefold::normalize(data, {.kind = onefold::norm::l1}, how)));
  std::vector<float> column = data;  // an axis of one element may have any stride
  onefold::softmax(onefold::array_view<float>(column.data(), {6, 1}, {1, 6}),
                   onefold::output_view<float>(column.data(), {6, 1}), how);
  CHECK(column == std::vector<float>(6, 1));
}

TEST_CASE("weights, biases and statistics of layer_norm and rms_norm") {
  const auto how = on_backend();
  const std::vector<float> weight{1, 2, 3}, bias{4, 5, 6};
  const std::vector<float> plain = values(onefold::layer_norm(matrix, {}, how));
  std::vector<float> mean(2), rstd(2);
  const auto both =
      values(onefold::layer_norm(matrix, {.weight = weight, .bias = bias, .mean = mean, .rstd = rstd}, how));
  for (std::size_t i = 0; i < 6; ++i) CHECK(both[i] == plain[i] * weight[i % 3] + bias[i % 3]);
  CHECK(mean[0] == 2);
  CHECK(mean[1] == static_cast<float>(16 / 3.0));
  CHECK(plain[5] == (7 - mean[1]) * rstd[1]);
  const std::vector<float> rms = values(onefold::rms_norm(matrix, -1, {.eps = 1}, how));
  const auto weighted = values(onefold::rms_norm(matrix, -1, {.weight = weight, .eps = 1}, how));
  for (std::size_t i = 0; i < 6; ++i) CHECK(weighted[i] == rms[i] * weight[i % 3]);
  const onefold::result_array<double> wide = onefold::layer_norm(std::vector<double>{1, 2}, {}, how);
  CHECK(wide[1] == -wide[0]);
}

TEST_CASE("what row operations refuse, and write nothing then") {
  const auto how = on_backend();
  std::vector<float> out(6);
  refuses("axis 2 is out of range for a view of 2 axes; expected -2 to 1", out,
          [&] { onefold::softmax(matrix, 2, out, how); });
  refuses("axis -3 is out of range", out, [&] { onefold::softmax(matrix, -3, out, how); });
  refuses("the results do not have the extents of the array", out,
          [&] { onefold::softmax(matrix, -1, std::span(out).first(5), how); });
  refuses("the results do not have the extents of the array", out, [&] {
    onefold::softmax(matrix, -1, output_view<float>(out.data(), {3, 2}), how);
  });
  refuses("the results do not have the extents of the array without the axis", out,
          [&] { onefold::logsumexp(matrix, -1, out, how); });
  refuses("axis 0 of the results has stride 0: they would overwrite each other", out, [&] {
    onefold::softmax(matrix, -1, output_view<float>(out.data(), {2, 3}, {0, 1}), how);
  });
  refuses("the data pointer is null, but there are 6 elements", out, [&] {
    onefold::softmax(array_view<float>(nullptr, {2, 3}), -1, out, how);
  });
  refuses("the result pointer is null", out, [&] {
    onefold::softmax(matrix, -1, output_view<float>(nullptr, {2, 3}), how);
  });
  refuses("the results are not aligned to 4 bytes", out, [&] {
    float* const odd = reinterpret_cast<float*>(reinterpret_cast<char*>(out.data()) + 1);
    onefold::softmax(std::vector<float>{1, 2}, -1, output_view<float>(odd, {2}), how);
  });

  std::vector<float> x(7, -1);
  check_error(error_code::invalid_argument, "the results would overwrite the data: their memory overlaps", [&] {
    onefold::softmax(array_view<float>(x.data(), {2, 3}), -1, output_view<float>(x.data() + 1, {2, 3}), how);
  });
  check_error(error_code::invalid_argument, "the results would overwrite the data", [&] {
    onefold::softmax(array_view<float>(x.data(), {2, 3}), -1, output_view<float>(x.data(), {2, 3}, {1, 2}), how);
  });
  check_error(error_code::invalid_argument, "the results would overwrite the data", [&] {
    onefold::logsumexp(array_view<float>(x.data(), {2, 3}), -1, output_view<float>(x.data(), {2}), how);
  });
  CHECK(x == std::vector<float>(7, -1));
}

TEST_CASE("what row operations say of their parameters") {
  const auto how = on_backend();
  const std::vector<float> three{1, 2, 3};
  std::vector<float> out(6), two(2);
  refuses("the weight has 2 values, but there are 3 positions", out,
          [&] { onefold::layer_norm(matrix, -1, out, {.weight = two}, how); });
  refuses("the bias has 3 values, but there are 2 positions", out,
          [&] { onefold::layer_norm(matrix, 0, out, {.bias = three}, how); });
  refuses("the mean has 6 values, but there are 2 lines", out,
          [&] { onefold::layer_norm(matrix, -1, out, {.mean = out, .rstd = out}, how); });
  refuses("mean and rstd must be given together or not at all", out,
          [&] { onefold::layer_norm(matrix, -1, out, {.mean = two}, how); });
  refuses("rms_norm takes no bias", out, [&] { onefold::rms_norm(matrix, -1, out, {.bias = three}, how); });
  refuses("rms_norm takes no mean", out, [&] { onefold::rms_norm(matrix, -1, out, {.mean = two, .rstd = two}, how); });
  refuses("eps is -1.000000; expected a finite, non-negative number", out,
          [&] { onefold::layer_norm(matrix, -1, out, {.eps = -1}, how); });
  refuses("the means and the reciprocal deviations would overwrite each other", out,
          [&] { onefold::layer_norm(matrix, -1, out, {.mean = two, .rstd = two}, how); });
  refuses("the statistics would overwrite the data or the results", out,
          [&] { onefold::layer_norm(matrix, -1, out, {.mean = std::span(out).first(2), .rstd = two}, how); });
  refuses("the results would overwrite the weight or the bias", out,
          [&] { onefold::layer_norm(matrix, -1, out, {.weight = std::span(out).first(3)}, how); });
  check_error(error_code::unsupported, "softmax supports accuracy native only, not kahan",
              [] { onefold::softmax(matrix, on_backend(onefold::accuracy::kahan)); });
  check_error(error_code::unsupported, "normalize by l1 supports accuracy native only, not exact",
              [] { onefold::normalize(matrix, {.kind = onefold::norm::l1}, on_backend(onefold::accuracy::exact)); });
  check_error(error_code::unsupported, "moments of f32 at accuracy kahan is not supported",
              [] { onefold::layer_norm(matrix, {}, on_backend(onefold::accuracy::kahan)); });
  CHECK(values(onefold::standardize(matrix, on_backend(onefold::accuracy::exact))).size() == 6);
}

TEST_CASE("a plan serves many arrays, says what runs it, and can be moved") {
  const std::vector<float> weight{1, 2, 3}, other{3, 2, 1};
  std::vector<float> out(6);
  onefold::row_plan<float> plan(row_operation::rms_norm, matrix, -1, {.weight = weight}, on_backend());
  CHECK(plan.report().backend == support::backend_under_test());
  CHECK(plan.report().accuracy == onefold::accuracy::native);
  plan(data.data(), out.data(), {.weight = weight});
  CHECK(out == values(onefold::rms_norm(matrix, {.weight = weight})));
  onefold::row_plan<float> moved = std::move(plan);
  moved(data.data(), out.data(), {.weight = other});
  CHECK(out == values(onefold::rms_norm(matrix, {.weight = other})));
  refuses("the parameters differ in size from those that the plan was made for", out,
          [&] { moved(data.data(), out.data()); });
  refuses("the plan was moved from; assign another plan to it first", out,
          [&] { plan(data.data(), out.data(), {.weight = weight}); });  // NOLINT(bugprone-use-after-move)
  const std::vector<float> tiny(6, 1e-9F);                              // its norm is between the two defaults of eps
  onefold::row_plan<float> norm(row_operation::normalize_l2, matrix, -1, {}, on_backend());
  norm(tiny.data(), out.data());
  CHECK(out == values(onefold::normalize(array_view<float>(tiny.data(), {2, 3}))));
  CHECK(out[0] > 0.5F);
  check_error(error_code::invalid_argument, "axis 5 is out of range",
              [] { onefold::row_plan<float>(row_operation::softmax, matrix, 5); });
}

TEST_CASE("a row operation chosen at run time gives the same") {
  const std::vector<float> weight{1, 2, 3}, bias{4, 5, 6};
  std::vector<float> out(6), mean(2), rstd(2), meant_mean(2), meant_rstd(2);
  onefold::dynamic_row_plan softmax("SoftMax", "f32", matrix.axes(), 0, {}, on_backend());
  CHECK(softmax.size() == 6);
  CHECK(softmax.result_size() == 4);
  CHECK(softmax.members().size() == 1);
  CHECK(softmax.report().backend == support::backend_under_test());
  softmax.run({data.data(), out.data(), nullptr, nullptr, nullptr, nullptr}, 6);
  CHECK(out == values(onefold::softmax(matrix, 0)));
  onefold::dynamic_row_plan sums(row_operation::logsumexp, onefold::dtype::f32, matrix.axes());
  CHECK(std::vector<std::int64_t>(sums.extents().begin(), sums.extents().end()) == std::vector<std::int64_t>{2});
  sums.run({data.data(), mean.data(), nullptr, nullptr, nullptr, nullptr}, 2);
  CHECK(mean == values(onefold::logsumexp(matrix)));

  onefold::dynamic_row_plan layer(row_operation::layer_norm, onefold::dtype::f32, matrix.axes(), -1,
                                  {.eps = 0.5, .weights = 3, .biases = 3, .statistics = true}, on_backend());
  layer.run({data.data(), out.data(), weight.data(), bias.data(), mean.data(), rstd.data()}, 6);
  std::vector<float> meant(6);
  onefold::layer_norm(matrix, -1, meant,
                      {.weight = weight, .bias = bias, .eps = 0.5, .mean = meant_mean, .rstd = meant_rstd});
  CHECK(out == meant);
  CHECK(mean == meant_mean);
  CHECK(rstd == meant_rstd);

  // Without an eps, each operation has its own.
  for (const auto name : onefold::row_operation_names()) {
    const auto kind = name == "normalize_l1"   ? onefold::norm::l1
                      : name == "normalize_l2" ? onefold::norm::l2
                                               : onefold::norm::max;
    const std::vector<float> small{1e-9f, -2e-9f, 3e-9f};
    if (!name.starts_with("normalize")) continue;
    onefold::dynamic_row_plan plan(name, "f32", array_view<float>(small.data(), {3}).axes());
    plan.run({small.data(), out.data(), nullptr, nullptr, nullptr, nullptr}, 6);
    CHECK(std::vector<float>(out.begin(), out.begin() + 3) == values(onefold::normalize(small, {.kind = kind})));
  }
}

TEST_CASE("what row operations chosen at run time refuse") {
  using plan = onefold::dynamic_row_plan;
  std::vector<float> out(6);
  check_error(error_code::invalid_argument, "unknown row operation \"softmx\"; did you mean softmax?",
              [] { plan("softmx", "f32", matrix.axes()); });
  check_error(error_code::invalid_argument, "unknown row operation 9",
              [] { plan(static_cast<row_operation>(9), onefold::dtype::f32, matrix.axes()); });
  check_error(error_code::unsupported, "softmax of i32 is not supported; row operations take f16, bf16, f32 or f64",
              [] { plan("softmax", "i32", matrix.axes()); });
  check_error(error_code::invalid_argument, "axis 2 is out of range", [] { plan("softmax", "f32", matrix.axes(), 2); });
  check_error(error_code::invalid_argument, "standardize takes no eps",
              [] { plan("standardize", "f32", matrix.axes(), -1, {.eps = 1}); });
  check_error(error_code::invalid_argument, "the weight has 2 values, but there are 3 positions",
              [] { plan("rms_norm", "f32", matrix.axes(), -1, {.weights = 2}); });
  check_error(error_code::invalid_argument, "the number of values of the bias is negative: -1",
              [] { plan("layer_norm", "f32", matrix.axes(), -1, {.biases = -1}); });
  plan made("rms_norm", "f32", matrix.axes(), -1, {.weights = 3}, on_backend());
  refuses("the row operation has 6 results, but there is room for 5", out, [&] {
    made.run({data.data(), out.data(), data.data(), nullptr, nullptr, nullptr}, 5);
  });
  refuses("the parameters are not those that the plan was made for", out, [&] {
    made.run({data.data(), out.data(), nullptr, nullptr, nullptr, nullptr}, 6);
  });
  refuses("the parameters are not those that the plan was made for", out, [&] {
    made.run({data.data(), out.data(), data.data(), data.data(), nullptr, nullptr}, 6);
  });
}
