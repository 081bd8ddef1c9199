// Results of row operations that a function takes: each once, with the bits that are otherwise written; along any axis,
// under masks, on every backend, with any number of threads, planned, and over the data itself.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "onefold/onefold.hpp"
#include "onefold/row_operations.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/instrumented.hpp"
#include "support/row_calls.hpp"
#include "support/row_cases.hpp"
#include "support/slices.hpp"
#include "support/views.hpp"

namespace {

using onefold::row_operation;
using onefold::row_position;
using support::random_numbers;

struct tally {
  std::int64_t cases = 0, results = 0, wrong = 0, masked = 0, in_place = 0, planned = 0, long_lines = 0;
};

template <class T>
void one_case(random_numbers& r, tally& t) {
  using V = onefold::row_value<T>;
  const support::row_case c = support::random_row_case<T>(r);
  const support::made_up_view& s = c.lines;
  support::placed_elements elements(s.before + s.after, sizeof(T), r);
  T* const data = reinterpret_cast<T*>(elements.data()) + s.before;
  support::fill<T>(data - s.before, s.before + s.after, r);
  const auto view = support::view_of<T>(data, s.axes);
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(s.outputs * s.n));
  for (std::uint8_t& m : mask) m = static_cast<std::uint8_t>(r.integer(0, 2));
  support::made_up_view places = s;
  support::lay_out_in_c_order(places);
  const auto selected = onefold::where(view, support::view_of<std::uint8_t>(mask.data(), places.axes));
  const bool masked = r.integer(0, 3) == 0, planned = r.integer(0, 2) == 0;
  support::made_up_parameters<T> parameters(c, r);
  const onefold::row_parameters<T>& with = parameters.with;

  // What is written otherwise, line by line.
  const std::int64_t n = c.one_a_line() ? 1 : s.n;
  const auto meant = [&](const auto& from) {
    support::made_up_view to;
    for (std::size_t i = 0; i < s.axes.size(); ++i)
      if (!c.one_a_line() || static_cast<int>(i) != s.reduced[0]) to.axes.push_back(s.axes[i]);
    support::lay_out_in_c_order(to);
    std::vector<T> out(static_cast<std::size_t>(s.outputs * n) + 1);
    onefold::options alone;
    alone.backend = onefold::backend::sequential;
    alone.accuracy = c.how.accuracy;
    support::call_rows(c.operation, from, c.along, support::output_of(out.data(), to), with, alone);
    to.reduced = c.one_a_line() ? std::vector<int>{} : s.reduced;
    to.outputs = s.outputs;
    to.n = n;
    std::vector<T> lines;
    for (const std::int64_t at : support::offsets(to)) lines.push_back(out[static_cast<std::size_t>(at)]);
    return lines;
  };
  const std::vector<T> expected = masked ? meant(selected) : meant(view);
  const std::vector<V> mean = parameters.mean, rstd = parameters.rstd;
  std::ranges::fill(parameters.mean, V{});
  std::ranges::fill(parameters.rstd, V{});

  const std::vector<std::int64_t> from_places = support::offsets(s);
  const bool in_place = c.fits_in_place() && r.integer(0, 3) == 0;
  std::vector<T> out(expected.size());
  std::vector<std::atomic<int>> calls(expected.size());
  const auto take = [&](T y, row_position at) {
    const auto number = static_cast<std::size_t>(at.line * n + at.position);
    ++calls[number];
    (in_place ? data[from_places[number]] : out[number]) = y;
  };
  const auto run = [&](const auto& from, const auto& again) {
    if (!planned) return support::call_rows(c.operation, from, c.along, take, with, c.how);
    onefold::row_plan<T> plan(c.operation, from, take, c.along, with, c.how);
    plan(again, take, with);
  };
  if (masked)
    run(selected, selected);
  else
    run(view, data);
  if (in_place)
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = data[from_places[i]];

  ++t.cases;
  t.results += static_cast<std::int64_t>(expected.size());
  t.masked += masked;
  t.in_place += in_place;
  t.planned += planned;
  t.long_lines += s.n >= 16 * onefold::page_elements(sizeof(V));
  const auto same = [](const auto& a, const auto& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(static_cast<const void*>(a.data()), b.data(), a.size() * sizeof a[0]) == 0);
  };
  const bool once = std::ranges::all_of(calls, [](const std::atomic<int>& times) { return times == 1; });
  if (same(out, expected) && once && same(parameters.mean, mean) && same(parameters.rstd, rstd)) return;
  ++t.wrong;
  INFO(support::text_of(c) << (masked ? ", masked" : "") << (in_place ? ", in place" : "")
                           << (planned ? ", planned" : ""));
  CHECK(once);
  CHECK(same(out, expected));
  CHECK(same(parameters.mean, mean));
  CHECK(same(parameters.rstd, rstd));
}

}  // namespace

TEST_CASE("a function that takes the results gets each once, with its bits") {
  random_numbers r(47);
  tally t;
  while (t.cases < support::random_cases(3'000) && t.wrong <= 5) {
    support::for_each_row_element([&]<class T>() { one_case<T>(r, t); });
  }
  CHECK(t.wrong == 0);
  CHECK(t.results > 100 * t.cases);
  CHECK(t.masked > t.cases / 8);
  CHECK(t.in_place > t.cases / 20);
  CHECK(t.planned > t.cases / 5);
  CHECK(t.long_lines > support::random_cases(5));
}
