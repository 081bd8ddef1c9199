// Plans whose operation and types are known at run time only: by place and by name, their refusals, and who owns what.
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"

using onefold::dtype;
using onefold::dynamic_plan;
using onefold::error_code;
using onefold::operation_named;
using support::check_error;

namespace {

const std::vector<float> data{1, 2, 3};

/// The plan's result, read as an R.
template <class R, class T>
R run(dynamic_plan& p, const std::vector<T>& x) {
  R result;
  REQUIRE(p.result_size() == sizeof result);
  p.run(x.data(), static_cast<std::int64_t>(x.size()), &result);
  return result;
}

std::string texts(const std::vector<onefold::scalar>& values) {
  std::string all;
  for (const onefold::scalar& s : values) all += s.name + ' ' + onefold::name_of(s.type) + ' ' + s.text() + "; ";
  return all;
}

/// What the plan says of a result's members, without a result.
std::string layout(const dynamic_plan& p) {
  std::string all;
  for (const onefold::result_member& m : p.members())
    all += std::string(m.name) + ' ' + onefold::name_of(m.type) + " at " + std::to_string(m.offset) + "; ";
  return all + std::to_string(p.result_size());
}

}  // namespace

TEST_CASE("by place and by name, in the operation's own type and in others") {
  const auto how = support::on_backend();
  dynamic_plan by_place(operation_named("sum"), dtype::f32, 3, how), by_name("Sum", "F32", 3, how);
  CHECK(run<float>(by_place, data) == 6);
  CHECK(run<float>(by_name, data) == 6);
  dynamic_plan wide(operation_named("sum"), dtype::f32, 3, how, dtype::f64), wide_by_name("sum", "f32", 3, how, "f64");
  CHECK(run<double>(wide, data) == 6);
  CHECK(run<double>(wide_by_name, data) == 6);
  dynamic_plan narrow("sum", "f32", 3, how, "bf16");
  CHECK(run<onefold::bf16>(narrow, data).bits == onefold::bf16(6.0f).bits);
  dynamic_plan truth("all", "f32", 3, how, "BOOL");
  CHECK(run<bool>(truth, data));
}

TEST_CASE("the numbers of a result have names, types and places") {
  const auto how = support::on_backend();
  CHECK(layout({"argmax", "u8", 1, how}) == "value i64 at 0; 8");
  CHECK(layout({"any", "u8", 1, how}) == "value bool at 0; 1");
  CHECK(layout({"minmax", "f16", 1, how}) == "min f16 at 0; max f16 at 2; 4");
  CHECK(layout({"moments", "f32", 1, how}) == "n i64 at 0; mean f64 at 8; m2 f64 at 16; 24");
  CHECK(layout({"sum_with_bound", "f32", 1, how}) == "value f32 at 0; bound f64 at 8; condition f64 at 16; 24");
  dynamic_plan moments("moments", "f32", 3, how), minmax("minmax", "f32", 3, how), position("argmin", "f32", 3, how);
  CHECK(texts(moments.run(data.data(), 3).values) == "n i64 3; mean f64 2; m2 f64 2; ");
  CHECK(texts(minmax.run(data.data(), 3).values) == "min f32 1; max f32 3; ");
  CHECK(texts(position.run(data.data() + 1, 2).values) == "value i64 0; ");
}

TEST_CASE("a dynamic plan says who runs it") {
  dynamic_plan p("sum", "f32", 3, support::on_backend());
  CHECK(p.report().backend == support::backend_under_test());
  CHECK(p.report().why == "requested by the caller");
  CHECK(p.run(data.data(), 3).ran.backend == support::backend_under_test());
}

TEST_CASE("an initial value is converted once, where the plan is made") {
  auto how = support::on_backend();
  how.init = 0.5;
  dynamic_plan sum("sum", "f32", 3, how);
  CHECK(run<float>(sum, data) == 6.5f);
  CHECK(run<float>(sum, data) == 6.5f);
  CHECK(run<float>(sum, std::vector<float>{}) == 0.5f);
  check_error(error_code::invalid_argument, "the initial value 0.5 does not fit the result type i64",
              [&] { dynamic_plan("sum", "i32", 3, how); });
  check_error(error_code::invalid_argument, "mean takes no initial value",
              [&] { dynamic_plan("mean", "f32", 3, how); });
  check_error(error_code::invalid_argument, "moments takes no initial value",
              [&] { dynamic_plan("moments", "f32", 3, how); });
}

TEST_CASE("what the catalog does not have, where a dynamic plan is made") {
  const auto how = support::on_backend();
  const int sum = operation_named("sum");
  for (const int unknown : {-1, 999})
    check_error(
        error_code::unsupported,
        "operation " + std::to_string(unknown) + " of f32 at accuracy native is not supported: unknown operation",
        [&] { dynamic_plan(unknown, dtype::f32, 3, how); });
  check_error(error_code::invalid_argument, "unknown operation \"summ\"; did you mean sum?",
              [&] { dynamic_plan("summ", "f32", 3, how); });
  check_error(error_code::invalid_argument, "unknown element type 99",
              [&] { dynamic_plan(sum, static_cast<dtype>(99), 3, how); });
  check_error(error_code::invalid_argument, "unknown element type 99",
              [&] { dynamic_plan(sum, dtype::f32, 3, how, static_cast<dtype>(99)); });
  check_error(error_code::unsupported, "is not supported: unknown element type",
              [&] { dynamic_plan(sum, dtype::boolean, 3, how); });
  check_error(error_code::invalid_argument, "unknown element type \"f33\"; did you mean f32?",
              [&] { dynamic_plan("sum", "f33", 3, how); });
  check_error(error_code::invalid_argument, "unknown element type \"f65\"; did you mean f64?",
              [&] { dynamic_plan("sum", "f32", 3, how, "f65"); });
  check_error(error_code::unsupported,
              "bit_and of f32 at accuracy native is not supported: it takes integer elements only",
              [&] { dynamic_plan("bit_and", "f32", 3, how); });
  check_error(error_code::unsupported, "product of f32 at accuracy exact is not supported: ", [&] {
    dynamic_plan("product", "f32", 3, support::on_backend(onefold::accuracy::exact));
  });
  check_error(
      error_code::unsupported,
      "max of f32 has no result of type f64: rounded results can be f32 or f64 (of floating-point elements also f16 "
      "or bf16), others have their own type",
      [&] { dynamic_plan("max", "f32", 3, how, "f64"); });
  for (const dtype other : {dtype::f16, dtype::bf16, dtype::i32, dtype::boolean, dtype::other})
    check_error(error_code::unsupported, std::string("sum of i32 has no result of type ") + onefold::name_of(other),
                [&] { dynamic_plan(sum, dtype::i32, 3, how, other); });
  check_error(error_code::invalid_argument, "the number of elements is negative: -3",
              [&] { dynamic_plan(sum, dtype::f32, -3, how); });
  check_error(error_code::invalid_argument, "accuracy = 9 is out of range",
              [&] { dynamic_plan(sum, dtype::f32, 3, {.accuracy = static_cast<onefold::accuracy>(9)}); });
}

TEST_CASE("what a dynamic plan refuses to run") {
  dynamic_plan sum("sum", "f32", 2, support::on_backend()), max("max", "f32", 2, support::on_backend());
  const auto both = [&](dynamic_plan& p, const float* x, std::int64_t n, error_code code, const std::string& words) {
    float result = 0;
    check_error(code, words, [&] { p.run(x, n, &result); });
    check_error(code, words, [&] { p.run(x, n); });
  };
  for (const std::int64_t n : {-1, 3})
    both(sum, data.data(), n, error_code::invalid_argument,
         "the number of elements, " + std::to_string(n) + ", is not between 0 and the plan's 2");
  both(sum, nullptr, 1, error_code::invalid_argument, "the data pointer is null, but there is 1 element");
  both(max, data.data(), 0, error_code::empty_input, "max of no elements has no value: the input is empty");
  for (const std::int64_t n : {0, 2})
    check_error(error_code::invalid_argument, "the result pointer is null", [&] { sum.run(data.data(), n, nullptr); });
  CHECK(run<float>(sum, std::vector<float>{1, 2}) == 3);
  CHECK(run<float>(sum, std::vector<float>{}) == 0);
}

TEST_CASE("a dynamic plan that was moved from throws, and can be assigned to") {
  const auto how = support::on_backend();
  dynamic_plan a("sum", "f32", 3, how), b("max", "i8", 1, how);
  dynamic_plan taker = std::move(a);
  b = std::move(taker);
  CHECK(run<float>(b, data) == 6);
  for (dynamic_plan* p : {&a, &taker}) {
    const auto moved = [](auto f) { check_error(error_code::invalid_argument, "the plan was moved from", f); };
    float result = 0;
    const std::int64_t n = 1;
    moved([&] { p->run(data.data(), 3, &result); });
    moved([&] { p->run(data.data(), 3); });
    moved([&] { p->enqueue(data.data(), 1, &result, nullptr); });
    moved([&] { p->enqueue(data.data(), &n, &result, nullptr); });
    moved([&] { static_cast<void>(p->report()); });
    *p = dynamic_plan("minmax", "f32", 3, how);
    CHECK(texts(p->run(data.data(), 3).values) == "min f32 1; max f32 3; ");
  }
}

// With the stand-in for CUDA, whose memory is the host's and which takes as many elements as the plan has.
TEST_CASE("a dynamic plan enqueues its result, with a number of elements here or there", "[.accelerator]") {
  for (const onefold::options& how : {onefold::options{}, onefold::options{.backend = onefold::backend::cuda}}) {
    onefold::options with = how;
    with.init = 0.5;
    dynamic_plan moments("moments", "f32", 3, how), sum("sum", "f32", 3, with, "f64");
    alignas(onefold::result_alignment) std::byte result[onefold::most_result_size]{};
    moments.enqueue(data.data(), 2, result, nullptr);
    CHECK(texts(moments.scalars(result)) == "n i64 2; mean f64 1.5; m2 f64 0.5; ");
    sum.enqueue(data.data(), std::int64_t{2}, result, nullptr);
    CHECK(texts(sum.scalars(result)) == "value f64 3.5; ");
    const std::int64_t n = 3;
    sum.enqueue(data.data(), &n, result, nullptr);
    CHECK(texts(sum.scalars(result)) == "value f64 6.5; ");
    check_error(error_code::invalid_argument, "the result pointer is null",
                [&] { sum.enqueue(data.data(), 2, nullptr, nullptr); });
    check_error(error_code::invalid_argument, "is not between 0 and the plan's 3",
                [&] { sum.enqueue(data.data(), 4, result, nullptr); });
  }
}
