// What partials and accumulators say of themselves, their sizes, and what they refuse.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "onefold/dynamic_partial.hpp"
#include "onefold/partial.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accumulator;
using onefold::accuracy;
using onefold::error_code;
using onefold::partial;
namespace op = onefold::op;

constexpr std::int64_t page = onefold::page_elements(sizeof(float));

template <class F>
void check_refused(const std::string& words, F f) {
  support::check_error(error_code::invalid_argument, words, f);
}

}  // namespace

TEST_CASE("a partial knows its place") {
  const std::vector<float> x{1, 2, 3};
  const partial<float, op::sum> p(x, 10);
  CHECK(p.begin() == 10);
  CHECK(p.end() == 13);
  CHECK(p.count() == 3);
  CHECK(p.accuracy() == accuracy::native);
  CHECK(partial<float, op::sum>(7, accuracy::kahan).accuracy() == accuracy::kahan);
  CHECK(partial<float, op::sum>(7).end() == 7);
  const auto q = join(p, partial<float, op::sum>(x, 13));
  CHECK(q.begin() == 10);
  CHECK(q.end() == 16);
  // Where positions do not matter, the least is kept.
  const auto low = join(partial<float, op::min>(x, 50), partial<float, op::min>(x, 20));
  CHECK(low.begin() == 20);
  CHECK(low.count() == 6);
  CHECK(low.result() == 1);
}

TEST_CASE("only neighbors are joined") {
  using sums = partial<float, op::sum>;
  using places = partial<float, op::argmax>;
  const std::vector<float> x{1, 5, 3};
  const std::string words =
      "a partial of the elements [0, 3) cannot be joined with one of the elements [4, 7): they are not adjacent; join "
      "a "
      "partial of the elements [3, 4) between them";
  check_refused(words, [&] { join(sums(x), sums(x, 4)); });
  check_refused(words, [&] { join(places(x), places(x, 4)); });
  check_refused("join a partial of the elements [3, 4) between them", [&] { join(sums(x, 4), sums(x)); });
  check_refused("they are not adjacent in this order; swap them", [&] { join(sums(x, 3), sums(x)); });
  check_refused("they are not adjacent in this order; swap them", [&] { join(sums(x, 3), sums(3)); });
  check_refused("both have the elements [2, 3); leave those out of one of them", [&] { join(sums(x), sums(x, 2)); });
  check_refused("both have the elements [2, 3); leave those", [&] { join(sums(x, 2), sums(x)); });
  check_refused("both have the elements [1, 2); leave those", [&] { join(sums(x), sums(std::vector{1.f}, 1)); });
  check_refused("an empty one must begin where the other one begins or ends", [&] { join(sums(x), sums(1)); });
  CHECK(join(places(x, 3), places(x)).result() == 1);
  CHECK(join(places(x), places(x, 3)).result() == 1);
  CHECK(places(x, 7).result() == 8);  // positions are those of the array
  check_refused(
      "a sum of f32 at accuracy native cannot be joined with one of a sum of f32 at accuracy wide; make both "
      "at the same accuracy",
      [&] { join(sums(x), sums(3, accuracy::wide)); });
}

TEST_CASE("a result needs what comes before") {
  const std::vector<float> x{1, 2, 3};
  check_refused(
      "a partial of the elements [3, 6) has no result of its own: a sum of f32 needs the elements before them",
      [&] { partial<float, op::sum>(x, 3).result(); });
  onefold::options exactly;
  exactly.accuracy = accuracy::exact;
  CHECK(partial<float, op::sum>(x, 3, exactly).result() == 6);
}

TEST_CASE("results have the types, initial values and errors of reduce") {
  const std::vector<float> x{0.1f, 0.2f, 0.3f};
  const partial<float, op::sum> p(x);
  CHECK(support::bits_of(p.result<double>()) == support::bits_of(onefold::reduce<float, op::sum, double>(x)));
  CHECK(support::bits_of(p.result<onefold::f16>(1)) ==
        support::bits_of(onefold::reduce<float, op::sum, onefold::f16>(x, {.init = 1})));
  const auto bounded = partial<float, op::sum_with_bound>(x).result();
  CHECK(support::bits_of(bounded) == support::bits_of(onefold::reduce<float, op::sum_with_bound>(x)));
  CHECK(support::bits_of(partial<float, op::sum>().result()) == support::bits_of(0.0f));
  CHECK(partial<float, op::min>().result(4) == 4);
  support::check_error(error_code::empty_input, "min of no elements has no value",
                       [] { partial<float, op::min>().result(); });
  check_refused("takes no initial value", [&] { partial<float, op::mean>(x).result(1); });
  const std::vector<std::int64_t> large(2, std::numeric_limits<std::int64_t>::max());
  onefold::options exactly;
  exactly.accuracy = accuracy::exact;
  support::check_error(error_code::overflow, "the exact sum is beyond the range of i64",
                       [&] { partial<std::int64_t, op::sum>(large, 0, exactly).result(); });
}

TEST_CASE("an accumulator takes pieces of any length") {
  const auto x = support::normal_data<float>(40 * page + 3, 5);
  const float wanted = onefold::reduce<float, op::sum>(x);
  for (const std::int64_t piece : {std::int64_t{1}, std::int64_t{1000}, page, 3 * page + 1, std::ssize(x)}) {
    accumulator<float, op::sum> a(support::on_backend());
    for (std::int64_t i = 0; i < std::ssize(x); i += piece)
      a.push(x.data() + i, std::min<std::int64_t>(piece, std::ssize(x) - i));
    CHECK(a.count() == std::ssize(x));
    CHECK(a.result() == wanted);
    CHECK(a.result() == wanted);  // it changes nothing
    CHECK(a.report().backend == support::backend_under_test());
  }
  accumulator<float, op::sum> first(support::on_backend());
  first.push(std::span(x).first(5000));
  accumulator<float, op::sum> then(first.partial(), support::on_backend());
  then.push(std::span(x).subspan(5000));
  CHECK(then.result() == wanted);
  CHECK(then.count() == std::ssize(x));
}

TEST_CASE("what accumulators refuse") {
  using sums = accumulator<float, op::sum>;
  sums a;
  const float* const nothing = nullptr;
  check_refused("the data pointer is null, but there are 3 elements", [&] { a.push(nothing, 3); });
  check_refused("the number of elements is negative: -1", [&] { a.push(nothing, -1); });
  a.push(nothing, 0);
  check_refused("the position of the first element is negative: -2", [] { sums({}, -2); });
  support::check_error(error_code::unsupported,
                       "accumulators fold elements of the host on CPUs only, not on backend cuda",
                       [] { sums({.backend = onefold::backend::cuda}); });
  support::check_error(error_code::unsupported, "accuracy", [] { partial<float, op::product>(0, accuracy::kahan); });
  const auto no_initial = "variance takes no initial value";
  check_refused(no_initial, [] { accumulator<float, op::variance>({.init = 1}); });
  check_refused(no_initial, [] {
    onefold::dynamic_accumulator(onefold::operation_index<op::variance>, onefold::dtype::f32, {.init = 1});
  });
  const std::vector<float> x{1, 2};
  CHECK(partial<float, op::variance>(x, 0, {.init = 1}).result() == 0.25f);  // it is not used
  sums last({}, std::numeric_limits<std::int64_t>::max() - 1);
  last.push(1.0f);
  support::check_error(error_code::overflow, "beyond position 2^63 - 1", [&] { last.push(x); });
  CHECK(last.count() == 1);
  sums moved = std::move(a);
  check_refused("the accumulator was moved from", [&] { a.push(x); });
  auto p = moved.partial();
  const auto q = std::move(p);
  check_refused("the partial was moved from", [&] { p.count(); });
  p = q;
  CHECK(p.count() == 0);
}

TEST_CASE("partials that are cut at page borders are small") {
  const auto x = support::normal_data<float>(1000 * page, 6);
  const auto sum = partial<float, op::sum>(x).save();
  CHECK(sum.size() == 60 + 6 * 4);  // 1000 pages are 6 nodes
  CHECK(partial<float, op::min>(x).save().size() == 60 + 4);
  const auto between = partial<float, op::sum>(std::span(x).subspan(1, 3 * page), 1).save();
  CHECK(between.size() == 60 + static_cast<std::size_t>(page) * 4 + 2 * 4);
}

TEST_CASE("equal elements have equal bytes, however they were pushed and joined") {
  const auto x = support::normal_data<double>(9 * page, 7);
  const auto check = [&]<class Op>(accuracy mode) {
    const auto how = support::on_backend(mode, 3);
    const std::span<const double> all(x);
    const partial<double, Op> once(all, 0, how);
    const auto joined = join(partial<double, Op>(all.first(5000), 0, how),
                             partial<double, Op>(all.subspan(5000), 5000, support::on_backend(mode, 1)));
    CHECK(joined.save() == once.save());
  };
  check.operator()<op::sum>(accuracy::native);
  check.operator()<op::sum>(accuracy::exact);
  check.operator()<op::variance>(accuracy::exact);
  check.operator()<op::argmin>(accuracy::native);
  check.operator()<op::moments>(accuracy::native);
}

TEST_CASE("ranks get whole pages") {
  using borders = std::vector<std::int64_t>;
  CHECK(onefold::page_split<float>(10 * page + 1, 3) == borders{0, 4 * page, 8 * page, 10 * page + 1});
  CHECK(onefold::page_split<float>(5, 3) == borders{0, 5, 5, 5});
  CHECK(onefold::page_split<float>(0, 2) == borders{0, 0, 0});
  CHECK(onefold::page_split<double>(2 * page, 2) == borders{0, page, 2 * page});
  const auto many = onefold::page_split<std::int8_t>(std::numeric_limits<std::int64_t>::max(), 7);
  CHECK(std::ranges::is_sorted(many));
  CHECK(many.back() == std::numeric_limits<std::int64_t>::max());
  check_refused("the number of ranks is 0", [] { onefold::page_split<float>(1, 0); });
  check_refused("the number of elements is negative", [] { onefold::page_split<float>(-1, 1); });
}

TEST_CASE("the same by names at run time") {
  const auto x = support::normal_data<float>(2 * page + 9, 8);
  onefold::dynamic_accumulator a(onefold::operation_named("sum"), onefold::dtype::f32,
                                 support::on_backend(accuracy::wide), 0, onefold::dtype::f64);
  a.push(x.data(), std::ssize(x));
  const double wanted = onefold::reduce<float, op::sum, double>(x, support::on_backend(accuracy::wide));
  CHECK(a.result().front().bits == support::bits_of(wanted).front());
  const onefold::dynamic_partial p = a.partial();
  CHECK(p.accuracy() == accuracy::wide);
  CHECK(p.has_result());
  CHECK(p.result({}, onefold::dtype::f64).front().bits == support::bits_of(wanted).front());
  CHECK(partial<float, op::sum>::load(p.save()).result<double>() == wanted);
  const onefold::dynamic_partial later("SUM", "f32", p.end(), "wide");
  CHECK_FALSE(later.has_result());
  CHECK(join(p, later).count() == p.count());
  check_refused("unknown operation \"som\"; did you mean sum", [] { onefold::dynamic_partial("som", "f32"); });
  check_refused(
      "a partial of a sum of f32 cannot be joined with one of a sum of f64; make both with the same operation "
      "and element type",
      [&] { join(p, onefold::dynamic_partial("sum", "f64", p.end(), "wide")); });
  support::check_error(error_code::unsupported, "has no result of type i32",
                       [&] { p.result({}, onefold::dtype::i32); });
}
