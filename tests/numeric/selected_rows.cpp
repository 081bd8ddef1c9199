// Row operations under a mask: the selected elements of each line get the bits of the operation over a copy of them
// alone, the others a constant; along any axis, on every backend, with any number of threads, in place and planned.
#include <algorithm>
#include <string>
#include <vector>

#include "onefold/dynamic.hpp"
#include "onefold/onefold.hpp"
#include "onefold/row_operations.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/instrumented.hpp"
#include "support/masks.hpp"
#include "support/row_calls.hpp"
#include "support/row_cases.hpp"
#include "support/views.hpp"

namespace {

using onefold::row_operation;
using support::line_outcome;
using support::random_numbers;

support::made_up_mask random_mask(random_numbers& r, const support::made_up_view& s) {
  support::made_up_view places = s;
  if (r.integer(0, 1))
    support::lay_out_in_c_order(places);
  else
    support::lay_out(places, r);
  return {support::random_mask(r, places.before + places.after), places};
}

template <class T>
std::vector<T> chosen(std::span<const T> from, const std::vector<bool>& selects) {
  std::vector<T> some;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (selects[i]) some.push_back(from[i]);
  return some;
}

/// The operation over a copy of the selected elements.
template <class T>
line_outcome<T> meant(row_operation what, std::span<const T> line, const std::vector<bool>& selects,
                      const onefold::row_parameters<T>& with, onefold::accuracy mode) {
  using V = onefold::row_value<T>;
  onefold::options alone;
  alone.backend = onefold::backend::sequential;
  alone.accuracy = mode;
  const std::vector<T> x = chosen(line, selects),
                       weight = chosen(with.weight, with.weight.empty() ? std::vector<bool>{} : selects),
                       bias = chosen(with.bias, with.bias.empty() ? std::vector<bool>{} : selects);
  const bool one_a_line = what == row_operation::logsumexp;
  std::vector<T> y(one_a_line ? 1 : x.size());
  V mean = std::numeric_limits<V>::quiet_NaN(), rstd = mean;
  onefold::row_parameters<T> own{.weight = weight, .bias = bias, .eps = with.eps};
  if (!with.mean.empty()) own.mean = {&mean, 1}, own.rstd = {&rstd, 1};
  support::call_rows(
      what, x, -1,
      onefold::output_view<T>(y.data(),
                              one_a_line ? onefold::extents{} : onefold::extents{static_cast<std::int64_t>(x.size())}),
      own, alone);
  if (one_a_line) return {y, mean, rstd};
  const T other = support::nearest<T>(what == row_operation::log_softmax ? -HUGE_VAL : 0.0);
  std::vector<T> all(line.size(), other);
  for (std::size_t i = 0, j = 0; i < all.size(); ++i)
    if (selects[i]) all[i] = y[j++];
  return {all, mean, rstd};
}

struct tally {
  std::int64_t cases = 0, selected = 0, left_out = 0, wrong = 0, in_place = 0, planned = 0, weighted = 0, empty = 0;
  std::int64_t of_pages = 0, kept_twice = 0;  ///< lines with so many selected elements
};

/// A line of 1 MiB of the type that is computed in.
template <class T>
support::made_up_view long_line() {
  const std::int64_t n = (1 << 20) / sizeof(onefold::row_value<T>);
  return {{{n, 1}}, {0}, 0, n, 1, n};
}

template <class T>
void one_case(random_numbers& r, tally& t, bool is_long) {
  support::row_case c = support::random_row_case<T>(r);
  if (is_long) c.lines = long_line<T>(), c.along = 0;
  const support::made_up_view& s = c.lines;
  const support::made_up_mask mask = random_mask(r, s);
  const bool by_nan = mask.as == support::mask_form::not_nan;
  support::placed_elements elements(s.before + s.after, sizeof(T), r);
  T* const data = reinterpret_cast<T*>(elements.data()) + s.before;
  support::fill<T>(data - s.before, s.before + s.after, r);
  if (by_nan || r.integer(0, 3) == 0) support::fill_nan<T>(data - s.before, s.before + s.after, r);
  support::made_up_results<T> results(c, data, r);
  const support::made_up_parameters<T> parameters(c, r);
  const onefold::row_parameters<T>& with = parameters.with;

  const std::vector<std::int64_t> places = support::offsets(s), mask_places = support::offsets(mask.places);
  for (std::int64_t o = 0; o < s.outputs; ++o) {
    std::vector<T> line;
    std::vector<bool> selects;
    for (std::int64_t i = 0; i < s.n; ++i) {
      const auto number = static_cast<std::size_t>(o * s.n + i);
      line.push_back(data[places[number]]);
      selects.push_back(by_nan ? !support::is_nan<T>(&line.back())
                               : mask.bytes[static_cast<std::size_t>(mask.places.before + mask_places[number])] != 0);
    }
    results.expect(meant<T>(c.operation, line, selects, with, c.how.accuracy));
    const std::int64_t some = std::ranges::count(selects, true);
    constexpr auto size = static_cast<std::int64_t>(sizeof(onefold::row_value<T>));
    t.selected += some;
    t.left_out += s.n - some;
    t.empty += some == 0 && s.n > 0;
    t.of_pages += some > onefold::page_elements(size);
    t.kept_twice += some * size > (256 << 10);
  }
  const bool planned = r.integer(0, 2) == 0;
  ++t.cases;
  t.in_place += results.in_place();
  t.weighted += !with.weight.empty();
  t.planned += planned;
  const auto selected = support::selected(support::view_of<T>(data, s.axes), mask);
  if (planned) {
    onefold::row_plan<T> plan(c.operation, selected, results.view(), c.along, with, c.how);
    plan(selected, results.data(), with);
    if (!results.in_place()) plan(selected, results.data(), with);
  } else {
    support::call_rows(c.operation, selected, c.along, results.view(), with, c.how);
  }
  t.wrong += !results.check(with, support::text_of(c) + ", mask " + std::to_string(static_cast<int>(mask.as)) + ' ' +
                                      support::text_of(mask.places) + results.text() + (planned ? ", planned" : ""));
}

}  // namespace

TEST_CASE("row operations under a mask have the bits of copies of the selected elements") {
  random_numbers r(43);
  tally t;
  while (t.cases < support::random_cases(6'000) && t.wrong <= 5) {
    support::for_each_row_element([&]<class T>() { one_case<T>(r, t, false); });
  }
  for (int i = 0; i < support::random_cases(16); ++i)
    support::for_each_row_element([&]<class T>() { one_case<T>(r, t, true); });
  CHECK(t.wrong == 0);
  CHECK(t.selected > 100 * t.cases);
  CHECK(t.left_out > 100 * t.cases);
  CHECK(t.in_place > t.cases / 20);
  CHECK(t.planned > t.cases / 5);
  CHECK(t.weighted > t.cases / 20);
  CHECK(t.empty > t.cases / 20);
  CHECK(t.of_pages > support::random_cases(100));
  CHECK(t.kept_twice > support::random_cases(5));
}
