// Row operations of elements that a function computes: the bits of the operation over an array that its values were
// written to; along any axis, on every backend, with any number of threads, planned, in place, and stored by a
// function.
#include <algorithm>
#include <cstring>
#include <vector>

#include "onefold/map_reduce.hpp"
#include "onefold/onefold.hpp"
#include "onefold/row_operations.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/instrumented.hpp"
#include "support/row_calls.hpp"
#include "support/row_cases.hpp"
#include "support/views.hpp"

namespace {

using onefold::row_operation;
using support::random_numbers;

struct tally {
  std::int64_t cases = 0, elements = 0, wrong = 0, in_place = 0, planned = 0, stored = 0, long_lines = 0;
};

/// Computed as V, of an element of type X and a weight.
template <class V, class X>
struct weighted {
  V by;
  V operator()(const X& x, std::int32_t y) const { return static_cast<V>(x) * by + static_cast<V>(y); }
};

template <class V, class X>
void one_case(random_numbers& r, tally& t) {
  const support::row_case c = support::random_row_case<V>(r);
  const support::made_up_view& s = c.lines;
  const bool one_a_line = c.one_a_line();
  support::placed_elements elements(s.before + s.after, sizeof(X), r);
  X* const data = reinterpret_cast<X*>(elements.data()) + s.before;
  support::fill<X>(data - s.before, s.before + s.after, r);
  support::made_up_view other = s;
  support::lay_out(other, r);
  std::vector<std::int32_t> added(static_cast<std::size_t>(other.before + other.after));
  for (std::int32_t& a : added) a = r.integer(-3, 3);
  const weighted<V, X> f{static_cast<V>(r.uniform(0.5, 2))};
  const auto computed = onefold::mapped(f, support::view_of<X>(data, s.axes),
                                        support::view_of<std::int32_t>(added.data() + other.before, other.axes));
  onefold::row_parameters<V> with{.eps = 0.25};
  std::vector<V> weight(static_cast<std::size_t>(s.n));
  support::fill<V>(weight.data(), s.n, r);
  if ((c.operation == row_operation::layer_norm || c.operation == row_operation::rms_norm) && r.integer(0, 1))
    with.weight = weight;

  const bool in_place = std::is_same_v<V, X> && c.fits_in_place() && r.integer(0, 2) == 0;
  const support::made_up_view to = in_place ? s : support::random_results(s, one_a_line, r);
  const std::vector<std::int64_t> places = support::offsets(s), other_places = support::offsets(other),
                                  to_places = support::offsets(to);
  std::vector<V> expected;
  for (std::int64_t o = 0; o < s.outputs; ++o) {
    std::vector<V> line, results(static_cast<std::size_t>(to.n));
    for (std::int64_t i = 0; i < s.n; ++i) {
      const auto number = static_cast<std::size_t>(o * s.n + i);
      line.push_back(f(data[places[number]], added[static_cast<std::size_t>(other.before + other_places[number])]));
    }
    onefold::options alone;
    alone.backend = onefold::backend::sequential;
    alone.accuracy = c.how.accuracy;
    const onefold::extents e = one_a_line ? onefold::extents{} : onefold::extents{s.n};
    support::call_rows(c.operation, line, -1, onefold::output_view<V>(results.data(), e), with, alone);
    if (s.n > 0 || one_a_line) expected.insert(expected.end(), results.begin(), results.end());
  }

  std::vector<V> memory(static_cast<std::size_t>(to.before + to.after)), found(expected.size());
  V* const out = in_place ? reinterpret_cast<V*>(data) : memory.data() + to.before;
  const bool planned = r.integer(0, 2) == 0, stored = !in_place && r.integer(0, 3) == 0;
  const auto run = [&](const auto& results, const auto& again) {
    if (!planned) return support::call_rows(c.operation, computed, c.along, results, with, c.how);
    onefold::row_plan<V> plan(c.operation, computed, results, c.along, with, c.how);
    plan(computed, again, with);
  };
  const auto take = [&](V y, onefold::row_position at) {
    found[static_cast<std::size_t>(at.line * to.n + at.position)] = y;
  };
  if (stored)
    run(take, take);
  else
    run(support::output_of(out, to), out);
  for (std::size_t i = 0; !stored && i < found.size(); ++i) found[i] = out[to_places[i]];
  ++t.cases;
  t.elements += s.outputs * s.n;
  t.in_place += in_place;
  t.planned += planned;
  t.stored += stored;
  t.long_lines += s.n >= 16 * onefold::page_elements(sizeof(V));
  const std::size_t bytes = expected.size() * sizeof(V);
  const bool same = bytes == 0 || std::memcmp(static_cast<const void*>(found.data()), expected.data(), bytes) == 0;
  if (same) return;
  ++t.wrong;
  INFO(support::text_of(c) << ", and " << support::text_of(other) << (in_place ? ", in place" : "")
                           << (planned ? ", planned" : "") << (stored ? ", stored" : ""));
  CHECK(same);
}

}  // namespace

TEST_CASE("row operations of computed elements have the bits of those of an array with their values") {
  random_numbers r(53);
  tally t;
  while (t.cases < support::random_cases(3'000) && t.wrong <= 5) {
    one_case<float, float>(r, t);
    one_case<double, double>(r, t);
    one_case<float, onefold::bf16>(r, t);
    one_case<double, std::int16_t>(r, t);
  }
  CHECK(t.wrong == 0);
  CHECK(t.elements > 100 * t.cases);
  CHECK(t.in_place > t.cases / 20);
  CHECK(t.planned > t.cases / 5);
  CHECK(t.stored > t.cases / 8);
  CHECK(t.long_lines > support::random_cases(5));
}
