// The verbs: one for each operation of the catalog, over everything that can be reduced, with the results of `reduce`
// and of the types that have names; and the forms of `reduce` that report or do not throw.
#include <cmath>
#include <limits>
#include <list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace op = onefold::op;
using onefold::array_view;
using onefold::by_key;
using onefold::error_code;
using onefold::keyed_results;
using onefold::not_nan;
using onefold::result_array;
using onefold::result_of;
using onefold::results_over_axes;
using onefold::segments;
using onefold::where;

namespace {

template <class T>
const std::vector<T> numbers = {3, 1, 0, 7, 7, 2};
const std::vector<std::int32_t> offsets = {0, 2, 5, 6};
const std::vector<std::int16_t> keys = {1, 1, 2, 2, 2, 5};
const std::vector<std::uint8_t> odd = {1, 0, 1, 0, 1, 1};

/// Results as comparable bits, one after the other.
template <class R>
support::result_bits all_bits(const R& result) {
  return support::bits_of(result);
}
template <class R>
support::result_bits all_bits(const result_array<R>& results) {
  support::result_bits bits;
  for (const R& r : results)
    for (const auto b : support::bits_of(r)) bits.push_back(b);
  return bits;
}
template <class K, class R>
support::result_bits all_bits(const keyed_results<K, R>& results) {
  support::result_bits bits = all_bits(results.keys);
  for (const auto b : all_bits(results.results)) bits.push_back(b);
  return bits;
}

/// Checks the verb of Op, whose name and nothing else the macro below knows.
template <class Op, class Verb>
void check_verb(std::string_view name, Verb verb) {
  INFO(std::string(name));
  CHECK(name == Op::name);
  using T = std::conditional_t<onefold::cataloged<Op, float>, float, std::uint32_t>;
  using R = onefold::default_result<T, Op>;
  const std::vector<T>& x = numbers<T>;
  const array_view<T> view(x.data(), {2, 3});
  const auto how = support::on_backend();

  const auto check = [&]<class Wanted, class Data>(std::type_identity<Wanted>, const Data& data, const auto& expected) {
    static_assert(std::is_same_v<decltype(verb(data, how)), Wanted>);
    static_assert(std::is_same_v<result_of<Op, Data>, Wanted>);
    CHECK(all_bits(verb(data, how)) == all_bits(expected));
    CHECK(all_bits(verb(data)) == all_bits(expected));
  };
  check(std::type_identity<R>{}, x, onefold::reduce<T, Op>(x, how));
  check(std::type_identity<R>{}, view, onefold::reduce<T, Op>(x, how));
  check(std::type_identity<R>{}, where(x, odd), onefold::reduce<T, Op>(where(x, odd), how));
  check(std::type_identity<result_array<R>>{}, segments(x, offsets), onefold::reduce<T, Op>(segments(x, offsets), how));
  check(std::type_identity<keyed_results<std::int16_t, R>>{}, by_key(x, keys),
        onefold::reduce<T, Op>(by_key(x, keys), how));

  const auto columns = onefold::reduce<T, Op>(view, {.axes = 0}, how);
  static_assert(std::is_same_v<decltype(verb(view, onefold::axis_list(0))), result_array<R>>);
  static_assert(std::is_same_v<results_over_axes<Op, array_view<T>>, result_array<R>>);
  CHECK(all_bits(verb(view, 0)) == all_bits(columns));
  CHECK(all_bits(verb(view, std::vector<int>{-2}, how)) == all_bits(columns));
  CHECK(all_bits(verb(where(view, not_nan), 0, how)) == all_bits(columns));
}

/// The same of the verb that leaves out what is NaN.
template <class Op, class Verb>
void check_nan_verb(std::string_view name, Verb verb) {
  INFO(std::string(name));
  CHECK(name == "nan" + std::string(Op::name));
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x = {3, nan, 1, 7, nan, 2};
  const std::vector<float> rest = {3, 1, 7, 2};
  const array_view<float> view(x.data(), {2, 3});
  const auto how = support::on_backend();
  using R = onefold::default_result<float, Op>;
  static_assert(std::is_same_v<decltype(verb(x, how)), R>);
  static_assert(std::is_same_v<decltype(verb(view, 0, how)), result_array<R>>);
  const auto whole = verb(x, how);
  if constexpr (Op::gives_index)  // counted with those that are NaN
    CHECK(whole == (x[static_cast<std::size_t>(whole)] == 1 ? 2 : 3));
  else
    CHECK(all_bits(whole) == all_bits(onefold::reduce<float, Op>(rest, how)));
  CHECK(all_bits(verb(view)) == all_bits(whole));
  CHECK(all_bits(verb(view, onefold::axis_list(0, 1), how)) == all_bits(whole));
  CHECK(all_bits(verb(view, 1)) == all_bits(onefold::reduce<float, Op>(where(view, not_nan), {.axes = 1}, how)));
}

/// The list of types without its first one.
template <class First, class... Rest>
using rest_of = onefold::type_list<Rest...>;

/// The operations of the catalog whose verb has a form without NaN: not those that ignore it, and not of truth and
/// bits.
template <class... Ops>
constexpr int count_nan_verbs(onefold::type_list<Ops...>) {
  return (0 + ... +
          (onefold::cataloged<Ops, float> && Ops::family != onefold::operation_family::tally &&
           !std::is_same_v<Ops, op::fmin> && !std::is_same_v<Ops, op::fmax>));
}

#define NAN_VERBS(each)                                                                                        \
  each(sum) each(product) each(min) each(max) each(argmin) each(argmax) each(minmax) each(sum_with_bound)      \
      each(sum_squares) each(norm2) each(mean) each(moments) each(variance) each(sample_variance) each(stddev) \
          each(sample_stddev)
#define VERBS(each)                                                                                                    \
  each(sum) each(product) each(min) each(max) each(fmin) each(fmax) each(argmin) each(argmax) each(minmax)             \
      each(sum_with_bound) each(sum_squares) each(norm2) each(mean) each(moments) each(variance) each(sample_variance) \
          each(stddev) each(sample_stddev) each(count) each(all) each(any) each(bit_and) each(bit_or) each(bit_xor)
#define LISTED(verb) , op::verb

// Whoever adds an operation to the catalog adds its verb, and the verb to these lists.
static_assert(std::is_same_v<rest_of<void VERBS(LISTED)>, onefold::operations>, "an operation has no verb");
static_assert(rest_of<void NAN_VERBS(LISTED)>::size == count_nan_verbs(onefold::operations{}),
              "an operation has no verb without NaN");

template <class Results>
void check_reported(const onefold::reported<Results>& r, const Results& expected) {
  CHECK(all_bits(r.value) == all_bits(expected));
  CHECK(r.ran.backend == support::backend_under_test());
  CHECK(r.ran.threads == (r.ran.backend == onefold::backend::sequential ? 1 : 2));
  CHECK(!r.ran.why.empty());
}

template <class Results>
void check_tried(const onefold::expected<Results>& tried, const Results& expected) {
  REQUIRE(tried);
  CHECK(all_bits(*tried) == all_bits(expected));
}

template <class Results>
void check_refused(const onefold::expected<Results>& tried, const std::string& words) {
  REQUIRE_FALSE(tried);
  CHECK(tried.error().code() == error_code::empty_input);
  INFO(tried.error().what());
  CHECK(std::string(tried.error().what()).find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("each operation has its verb over everything that can be reduced") {
#define CHECK_VERB(verb) \
  check_verb<op::verb>(#verb, [](const auto& data, const auto&... more) { return onefold::verb(data, more...); });
  VERBS(CHECK_VERB)
}

TEST_CASE("verbs that leave out what is NaN") {
#define CHECK_NAN_VERB(verb)            \
  check_nan_verb<op::verb>("nan" #verb, \
                           [](const auto& data, const auto&... more) { return onefold::nan##verb(data, more...); });
  NAN_VERBS(CHECK_NAN_VERB)
}

TEST_CASE("names of results") {
  static_assert(std::is_same_v<result_of<op::sum, std::vector<onefold::f16>>, float>);
  static_assert(std::is_same_v<result_of<op::sum, const std::vector<std::int8_t>&>, std::int64_t>);
  static_assert(std::is_same_v<result_of<op::argmax, double[3]>, std::int64_t>);
  static_assert(std::is_same_v<results_over_axes<op::mean, array_view<const int>>, result_array<double>>);
  using by_number = decltype(by_key(keys, keys));
  static_assert(std::is_same_v<onefold::results_from<by_number, float>, keyed_results<std::int16_t, float>>);
  static_assert(onefold::reducible<std::span<const float>> && !onefold::reducible<std::list<float>>);
  static_assert(onefold::reducible_over_axes<array_view<float>> && !onefold::reducible_over_axes<std::vector<float>>);
  static_assert(onefold::reducible_over_axes<result_array<float>>);
  static_assert(!onefold::reducible<float*> && !onefold::reducible<float>);
}

TEST_CASE("reduce_reported says who reduced views, segments, values by key and selected elements") {
  const std::vector<float> x(200'000, 0.1f);
  const std::vector<std::int64_t> ends = {0, 70'000, 70'000, 200'000};
  const std::vector<std::uint32_t> ids(x.size(), 7);
  const std::vector<std::uint8_t> mask(x.size(), 1);
  const array_view<float> view(x.data(), {400, 500});
  const auto how = support::on_backend(onefold::accuracy::native, 2);

  check_reported(onefold::reduce_reported<float, op::sum>(x, how), onefold::sum(x, how));
  check_reported(onefold::reduce_reported<float, op::sum>(view, how), onefold::sum(view, how));
  check_reported(onefold::reduce_reported<float, op::sum>(view, {.axes = 1}, how), onefold::sum(view, 1, how));
  check_reported(onefold::reduce_reported<float, op::sum>(segments(x, ends), how),
                 onefold::sum(segments(x, ends), how));
  check_reported(onefold::reduce_reported<float, op::sum>(by_key(x, ids), how), onefold::sum(by_key(x, ids), how));
  check_reported(onefold::reduce_reported<float, op::sum>(where(x, mask), how), onefold::sum(where(x, mask), how));
  check_reported(onefold::reduce_reported<float, op::sum>(where(view, not_nan), {.axes = 0}, how),
                 onefold::sum(where(view, not_nan), 0, how));
  // To another type, and with the axes kept.
  const auto kept = onefold::reduce_reported<float, op::sum, double>(view, {.axes = 1, .keep = true}, how);
  static_assert(std::is_same_v<decltype(kept.value), result_array<double>>);
  CHECK(kept.value.extents().size() == 2);
  CHECK_THROWS_AS((onefold::reduce_reported<float, op::sum>(view, {.axes = 2}, how)), onefold::error);
}

TEST_CASE("try_reduce of views, segments, values by key and selected elements") {
  const std::vector<float>& x = numbers<float>;
  const array_view<float> view(x.data(), {2, 3}), nothing(x.data(), {2, 0});
  const std::vector<std::int32_t> with_empty = {0, 2, 2, 6};
  const std::vector<std::uint8_t> none(x.size(), 0);
  const auto how = support::on_backend();

  check_tried(onefold::try_reduce<float, op::max>(view, how), onefold::max(view, how));
  check_tried(onefold::try_reduce<float, op::max>(view, {.axes = 1}, how), onefold::max(view, 1, how));
  check_tried(onefold::try_reduce<float, op::max>(segments(x, offsets), how), onefold::max(segments(x, offsets), how));
  check_tried(onefold::try_reduce<float, op::max>(by_key(x, keys), how), onefold::max(by_key(x, keys), how));
  check_tried(onefold::try_reduce<float, op::max>(where(x, odd), how), onefold::max(where(x, odd), how));
  check_tried(onefold::try_reduce<float, op::max>(where(view, not_nan), {.axes = 0}, how), onefold::max(view, 0, how));

  check_refused(onefold::try_reduce<float, op::max>(nothing, how), "max of no elements");
  check_refused(onefold::try_reduce<float, op::max>(nothing, {.axes = 1}, how), "max of no elements");
  check_refused(onefold::try_reduce<float, op::max>(segments(x, with_empty), how), "segment 1");
  check_refused(onefold::try_reduce<float, op::max>(where(x, none), how), "max");
  check_refused(
      onefold::try_reduce<float, op::max>(where(view, array_view<std::uint8_t>(none.data(), {2, 3})), {.axes = 0}, how),
      "max");
  const auto unequal = onefold::try_reduce<float, op::sum>(by_key(x, std::vector<int>{1}), how);
  REQUIRE_FALSE(unequal);
  CHECK(unequal.error().code() == error_code::invalid_argument);
  CHECK_THROWS_AS(unequal.value(), onefold::error);

  // A result that cannot be copied is moved out of a temporary.
  const result_array<float> rows = onefold::try_reduce<float, op::max>(view, {.axes = 1}, how).value();
  CHECK(rows[1] == 7);
}
