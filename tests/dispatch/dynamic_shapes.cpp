// Plans over some axes whose operation and types are known at run time only: bits, extents, members, and refusals.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "onefold/shapes.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"

using onefold::array_view;
using onefold::axis;
using onefold::dtype;
using onefold::dynamic_shaped_plan;
using onefold::error_code;
using onefold::over;
using support::check_error;
namespace op = onefold::op;

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::vector<std::int64_t> numbers(const onefold::extents& e) { return {e.begin(), e.end()}; }

/// The plan's results are those of reduce<T, Op> over the same axes.
template <class T, class Op, class R>
void same_as_reduce(const array_view<T>& view, const over& along, const onefold::options& how) {
  INFO(Op::name << " of " << onefold::name_of(onefold::dtype_of<T>));
  const auto expected = onefold::reduce<T, Op, R>(view, along, how);
  constexpr bool own = std::is_same_v<R, onefold::default_result<T, Op>>;
  dynamic_shaped_plan p(onefold::operation_index<Op>, onefold::dtype_of<T>, view.axes(), along, how,
                        own ? std::nullopt : std::optional(onefold::dtype_of<R>));
  CHECK(numbers(p.extents()) == numbers(expected.extents()));
  CHECK(p.size() == static_cast<std::int64_t>(expected.size()));
  REQUIRE(p.result_size() == sizeof(R));
  onefold::result_array<R> found(expected.extents());
  p.run(view.data(), found.data(), p.size());
  bool same = true;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const onefold::result_member& m : p.members())
      same = same && std::memcmp(reinterpret_cast<const std::byte*>(found.data() + i) + m.offset,
                                 reinterpret_cast<const std::byte*>(expected.data() + i) + m.offset,
                                 static_cast<std::size_t>(onefold::size_of(m.type))) == 0;
  CHECK(same);
}

template <class T, class Op>
void own_results(const array_view<T>& view, const over& along, const onefold::options& how) {
  same_as_reduce<T, Op, onefold::default_result<T, Op>>(view, along, how);
}

template <class T>
std::vector<T> noise(std::size_t n) {
  std::mt19937 random(7);
  std::vector<T> x(n);
  for (T& y : x) y = static_cast<T>(static_cast<int>(random() % 201) - 100);
  if constexpr (std::is_floating_point_v<T>)
    for (T& y : x) y /= static_cast<T>(1 + random() % 1000);
  return x;
}

const std::vector<float> six{0, 1, 2, 3, 4, 5};
const array_view<float> matrix(six.data(), {2, 3});

}  // namespace

TEST_CASE("the results of a dynamic plan over axes have the bits of reduce over a view") {
  const auto floats = noise<float>(40 * 7 * 300);
  const auto doubles = noise<double>(40 * 7 * 300);
  const auto bytes = noise<std::int8_t>(40 * 7 * 300);
  for (const over& along : {over{.axes = 0}, over{.axes = 1, .keep = true}, over{.axes = {-1, 0}}, over{}}) {
    const auto how = support::on_backend();
    const auto both = [&](const onefold::extents& e, const onefold::strides& s) {
      const array_view<float> f(floats.data(), e, s);
      own_results<float, op::sum>(f, along, how);
      own_results<float, op::argmax>(f, along, how);
      own_results<float, op::minmax>(f, along, how);
      own_results<float, op::moments>(f, along, how);
      own_results<float, op::sum_with_bound>(f, along, how);
      own_results<float, op::mean>(f, along, support::on_backend(onefold::accuracy::exact, 2));
      same_as_reduce<float, op::sum, double>(f, along, how);
      own_results<double, op::variance>(array_view<double>(doubles.data(), e, s), along, how);
      const array_view<std::int8_t> b(bytes.data(), e, s);
      own_results<std::int8_t, op::sum>(b, along, how);
      own_results<std::int8_t, op::all>(b, along, how);
    };
    both({40, 7, 300}, {2100, 300, 1});
    both({40, 7, 300}, {1, 40, 280});  // Fortran's order
  }
}

TEST_CASE("a dynamic plan over axes by names runs many times, and says who runs it") {
  dynamic_shaped_plan p("Sum", "F32", matrix.axes(), {.axes = 1}, support::on_backend(), "f64");
  CHECK(numbers(p.extents()) == std::vector<std::int64_t>{2});
  std::vector<double> out(3, -1);
  p.run(six.data(), out.data(), 3);
  CHECK(out == std::vector<double>{3, 12, -1});
  const std::vector<float> ones(6, 1);
  p.run(ones.data(), out.data(), 2);
  CHECK(out == std::vector<double>{3, 3, -1});
  CHECK(p.report().backend == support::backend_under_test());
  CHECK(p.report().why == "requested by the caller");
}

TEST_CASE("each result of a dynamic plan over axes as named numbers") {
  dynamic_shaped_plan p("minmax", "f32", matrix.axes(), {.axes = 0}, support::on_backend());
  std::vector<std::byte> results(static_cast<std::size_t>(p.size() * p.result_size()));
  p.run(six.data(), results.data(), p.size());
  std::string texts;
  for (std::int64_t i = 0; i < p.size(); ++i)
    for (const onefold::scalar& s : p.scalars(results.data() + i * p.result_size()))
      texts += s.name + ' ' + s.text() + "; ";
  CHECK(texts == "min 0; max 3; min 1; max 4; min 2; max 5; ");
}

TEST_CASE("an initial value of a dynamic plan joins each result") {
  auto how = support::on_backend();
  how.init = 10;
  dynamic_shaped_plan p("max", "f32", matrix.axes(), {.axes = 1}, how);
  std::vector<float> out(2);
  p.run(six.data(), out.data(), 2);
  CHECK(out == std::vector<float>{10, 10});
  check_error(error_code::invalid_argument, "mean takes no initial value",
              [&] { dynamic_shaped_plan("mean", "f32", matrix.axes(), {}, how); });
}

TEST_CASE("axes, types and operations that a dynamic plan over axes refuses") {
  const auto plan_of = [](const std::vector<axis>& axes, const over& along, dtype element = dtype::f32) {
    return [=] { dynamic_shaped_plan(onefold::operation_named("sum"), element, axes, along, support::on_backend()); };
  };
  const std::vector<axis> two{{2, 3}, {3, 1}};
  check_error(error_code::invalid_argument, "axis 2 is out of range for a view of 2 axes; expected -2 to 1",
              plan_of(two, {.axes = 2}));
  check_error(error_code::invalid_argument, "axis -2 is named twice", plan_of(two, {.axes = {0, -2}}));
  check_error(error_code::invalid_argument, "a view of 9 axes is not supported; at most 8",
              plan_of(std::vector<axis>(9, {1, 1}), {}));
  check_error(error_code::invalid_argument, "the extent of axis 0 is negative: -2", plan_of({{-2, 1}}, {}));
  // An address is of a byte: what fits as bytes does not as doubles.
  const std::vector<axis> long_axis{{2, largest / 4}};
  CHECK_NOTHROW(plan_of(long_axis, {}, dtype::i8)());
  check_error(error_code::invalid_argument, "reaches farther, than there are addresses",
              plan_of(long_axis, {}, dtype::f64));
  check_error(error_code::invalid_argument, "unknown element type 99", plan_of(two, {}, static_cast<dtype>(99)));
  check_error(error_code::unsupported, "max of f32 has no result of type f64",
              [&] { dynamic_shaped_plan("max", "f32", two, {}, support::on_backend(), "f64"); });
  check_error(error_code::invalid_argument, "did you mean sum?", [&] { dynamic_shaped_plan("summ", "f32", two); });
}

TEST_CASE("what a dynamic plan over axes refuses to run; nothing is written") {
  const auto how = support::on_backend();
  dynamic_shaped_plan p("sum", "f32", matrix.axes(), {.axes = 0}, how);
  std::vector<float> out(3, -1), both(9, 1);
  check_error(error_code::invalid_argument, "the reduction has 3 results, but there is room for 2",
              [&] { p.run(six.data(), out.data(), 2); });
  check_error(error_code::invalid_argument, "the data pointer is null, but there are 6 elements",
              [&] { p.run(nullptr, out.data(), 3); });
  check_error(error_code::invalid_argument, "the result pointer is null", [&] { p.run(six.data(), nullptr, 3); });
  check_error(error_code::invalid_argument, "the results would overwrite the data",
              [&] { p.run(both.data(), both.data() + 5, 3); });
  CHECK(out == std::vector<float>(3, -1));
  CHECK(both == std::vector<float>(9, 1));
  const std::vector<axis> hollow{{0, 2}, {2, 1}};
  dynamic_shaped_plan sums("sum", "f32", hollow, {.axes = 0}, how), maxima("max", "f32", hollow, {.axes = 0}, how),
      none("max", "f32", hollow, {.axes = 1}, how);
  sums.run(nullptr, out.data(), 2);
  CHECK(out == std::vector<float>{0, 0, -1});
  check_error(error_code::empty_input, "max of no elements has no value: the axes that are reduced are empty",
              [&] { maxima.run(nullptr, out.data(), 2); });
  CHECK(none.size() == 0);
  CHECK_NOTHROW(none.run(nullptr, nullptr, 0));
}

TEST_CASE("a dynamic plan over axes that was moved from throws, and can be assigned to") {
  const auto how = support::on_backend();
  dynamic_shaped_plan a("sum", "f32", matrix.axes(), {.axes = 1}, how);
  dynamic_shaped_plan b = std::move(a);
  std::vector<float> out(3);
  b.run(six.data(), out.data(), 2);
  CHECK(out == std::vector<float>{3, 12, 0});
  check_error(error_code::invalid_argument, "the plan was moved from", [&] { a.run(six.data(), out.data(), 3); });
  check_error(error_code::invalid_argument, "the plan was moved from", [&] { static_cast<void>(a.report()); });
  a = dynamic_shaped_plan("max", "f32", matrix.axes(), {.axes = 0}, how);
  a.run(six.data(), out.data(), 3);
  CHECK(out == std::vector<float>{3, 4, 5});
}
