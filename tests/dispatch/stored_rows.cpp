// Functions that take the results of row operations, as callers write them, and what is refused.
#include <string>
#include <vector>

#include "onefold/row_operations.hpp"
#include "onefold/where.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

using onefold::array_view;
using onefold::error_code;
using onefold::row_operation;
using onefold::row_position;
using support::check_error;
using support::on_backend;
using support::values;

namespace {

const std::vector<float> data{1, 2, 3, 4, 5, 7};
const array_view<float> matrix(data.data(), {2, 3});

/// A function object that is not a lambda.
struct doubled {
  float* out;
  void operator()(float y, row_position at) const { out[at.line * 3 + at.position] = 2 * y; }
};

}  // namespace

TEST_CASE("results are converted, gated and added to by a function") {
  const auto how = on_backend();
  const std::vector<float> plain = values(onefold::softmax(matrix, how)), gate{1, 0, 2, 0.5, 4, 8};
  const auto number = [](row_position at) { return static_cast<std::size_t>(at.line * 3 + at.position); };
  std::vector<onefold::bf16> narrow(6);
  onefold::softmax(
      matrix, -1, [&](float y, row_position at) { narrow[number(at)] = onefold::bf16(y); }, how);
  std::vector<float> gated(6), sums(6, 10), twice(6);
  onefold::softmax(
      matrix, -1, [&](float y, row_position at) { gated[number(at)] = y * gate[number(at)]; }, how);
  onefold::softmax(
      matrix, -1, [&](float y, row_position at) { sums[number(at)] += y; }, how);
  onefold::softmax(matrix, -1, doubled{twice.data()}, how);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(narrow[i].bits == onefold::bf16(plain[i]).bits);
    CHECK(gated[i] == plain[i] * gate[i]);
    CHECK(sums[i] == plain[i] + 10);
    CHECK(twice[i] == 2 * plain[i]);
  }
  // Down the columns the line is the column; logsumexp has one result a line.
  const std::vector<float> down = values(onefold::softmax(matrix, 0, how)),
                           one = values(onefold::logsumexp(matrix, 0, how));
  std::vector<float> columns(6), sum(3);
  onefold::softmax(
      matrix, 0, [&](float y, row_position at) { columns[static_cast<std::size_t>(at.position * 3 + at.line)] = y; },
      how);
  CHECK(columns == down);
  onefold::logsumexp(
      matrix, 0, [&](float y, row_position at) { sum[static_cast<std::size_t>(at.line + at.position)] = y; }, how);
  CHECK(sum == one);
  // Of lines without elements there is one result with logsumexp, and none otherwise.
  int taken = 0;
  const array_view<float> none(data.data(), {2, 0});
  onefold::logsumexp(
      none, -1, [&](float, row_position) { ++taken; }, on_backend(onefold::accuracy::native, 1));
  CHECK(taken == 2);
  onefold::softmax(
      none, -1, [&](float, row_position) { ++taken; }, how);
  CHECK(taken == 2);
}

TEST_CASE("plans with functions that take the results, and what they refuse") {
  const auto how = on_backend();
  std::vector<float> twice(6), out(6);
  const doubled take{twice.data()};
  onefold::row_plan<float> plan(row_operation::softmax, matrix, take, -1, {}, how);
  plan(data.data(), take);
  CHECK(twice[5] == 2 * onefold::softmax(matrix)[5]);
  const auto other = [&](float y, row_position at) { out[static_cast<std::size_t>(at.line * 3 + at.position)] = y; };
  plan(data.data(), other);
  CHECK(out == values(onefold::softmax(matrix)));
  check_error(error_code::invalid_argument, "the plan was made for a function that takes the results",
              [&] { plan(data.data(), out.data()); });
  onefold::row_plan<float> plain(row_operation::softmax, matrix, -1, {}, how);
  check_error(error_code::invalid_argument,
              "the plan was made for results in memory, not for a function that takes them",
              [&] { plain(data.data(), take); });
  check_error(error_code::unsupported,
              "backend cuda does not hand results of rows to a function; copy the data to host memory, and use a CPU "
              "backend",
              [&] { onefold::softmax(matrix, -1, take, {.backend = onefold::backend::cuda}); });
}
