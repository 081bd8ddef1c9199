// Row operations have the bits that their definition says, along any axis, on every backend, with any number of
// threads, at every instruction set. The definition (docs/row-operations.md) is written out here: `reduce` over copies
// of lines and pages, and scalar functions.
#include "onefold/row_operations.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "onefold/math.hpp"
#include "onefold/onefold.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/instrumented.hpp"
#include "support/row_calls.hpp"
#include "support/row_cases.hpp"
#include "support/views.hpp"

namespace {

using onefold::row_operation;
using support::line_outcome;
using support::random_numbers;
namespace op = onefold::op;

onefold::options alone(onefold::accuracy mode = onefold::accuracy::native) {
  onefold::options how;
  how.backend = onefold::backend::sequential;
  how.threads = 1;
  how.accuracy = mode;
  return how;
}

template <class T>
T rounded(onefold::row_value<T> x) {
  const T y(x);
  return x == x ? y : support::nearest<T>(std::numeric_limits<double>::quiet_NaN());
}

template <class V>
struct state {
  V c, s;
};

template <class V>
state<V> joined(state<V> a, state<V> b) {
  if (a.s == 0) return b;
  if (b.s == 0) return a;
  const V c = a.c != a.c || a.c > b.c ? a.c : b.c;
  const auto moved = [c](state<V> x) { return std::isfinite(x.s) ? x.s * onefold::exp_nonpositive(x.c - c) : x.s; };
  return {c, moved(a) + moved(b)};
}

/// The aligned tree over 2^level pages from `first` on.
template <class V>
state<V> node(const std::vector<state<V>>& pages, std::size_t first, int level) {
  if (level == 0) return pages[first];
  const std::size_t right = first + (std::size_t{1} << (level - 1));
  const state<V> left = node(pages, first, level - 1);
  return right < pages.size() ? joined(left, node(pages, right, level - 1)) : left;
}

template <class T>
line_outcome<T> exponentials(row_operation what, const std::vector<T>& x) {
  using V = onefold::row_value<T>;
  const auto page = static_cast<std::size_t>(onefold::page_elements(sizeof(V)));
  std::vector<state<V>> pages;
  std::vector<V> e;
  for (std::size_t first = 0; first < x.size(); first += page) {
    const std::span<const T> here(x.data() + first, std::min(page, x.size() - first));
    const V m = static_cast<V>(onefold::reduce<T, op::max>(here, alone()));
    const V c = std::isinf(m) ? V{} : m;
    std::vector<V> powers;
    for (const T& y : here) powers.push_back(onefold::exp_nonpositive(static_cast<V>(y) - c));
    pages.push_back({c, std::isinf(m) && m > 0 ? m : onefold::reduce<V, op::sum>(powers, alone())});
    e.insert(e.end(), powers.begin(), powers.end());
  }
  int level = 0;
  while ((std::size_t{1} << level) < pages.size()) ++level;
  const state<V> all = pages.empty() ? state<V>{0, 0} : node(pages, 0, level);
  line_outcome<T> out{{}, 0, 0};
  if (what == row_operation::logsumexp) {
    out.results = {rounded<T>(all.c + onefold::log(all.s))};
    return out;
  }
  const V nan = std::numeric_limits<V>::quiet_NaN();
  const bool none = !std::isfinite(all.s) || all.s == 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const state<V> own = pages[i / page];
    const V shift = own.s == 0 ? V{1} : onefold::exp_nonpositive(own.c - all.c);
    out.results.push_back(rounded<T>(none ? nan
                                     : what == row_operation::softmax
                                         ? e[i] * (shift / all.s)
                                         : (static_cast<V>(x[i]) - all.c) - onefold::log(all.s)));
  }
  return out;
}

template <class T>
line_outcome<T> scaled(row_operation what, const std::vector<T>& x, const onefold::row_parameters<T>& with, double eps,
                       onefold::accuracy mode) {
  using V = onefold::row_value<T>;
  line_outcome<T> out{{}, 0, 0};
  std::vector<V> magnitudes;
  for (const T& y : x) magnitudes.push_back(std::abs(static_cast<V>(y)));
  const auto squares = [&] { return onefold::reduce<T, op::sum_squares, double>(x, alone(mode)); };
  const auto least = [eps](double norm) { return norm < eps ? eps : norm; };
  const double n = static_cast<double>(x.size());
  switch (what) {
    case row_operation::normalize_l1:
      out.rstd = static_cast<V>(1 / least(onefold::reduce<V, op::sum>(magnitudes, alone())));
      break;
    case row_operation::normalize_max:
      out.rstd = static_cast<V>(1 / least(onefold::reduce<V, op::max>(magnitudes, alone())));
      break;
    case row_operation::normalize_l2:
      out.rstd = static_cast<V>(1 / least(std::sqrt(squares())));
      break;
    case row_operation::rms_norm:
      out.rstd = static_cast<V>(1 / std::sqrt(squares() / n + eps));
      break;
    default: {
      const auto m = onefold::reduce<T, op::moments>(x, alone(mode));
      out.mean = static_cast<V>(m.mean);
      out.rstd = static_cast<V>(1 / std::sqrt(what == row_operation::standardize ? m.m2 / n : m.m2 / n + eps));
    }
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    V y = (static_cast<V>(x[i]) - out.mean) * out.rstd;
    if (!with.weight.empty()) y = y * static_cast<V>(with.weight[i]);
    if (!with.bias.empty()) y = y + static_cast<V>(with.bias[i]);
    out.results.push_back(rounded<T>(y));
  }
  return out;
}

template <class T>
line_outcome<T> meant(row_operation what, const std::vector<T>& x, const onefold::row_parameters<T>& with,
                      onefold::accuracy mode) {
  return what <= row_operation::logsumexp ? exponentials(what, x) : scaled(what, x, with, *with.eps, mode);
}

/// Elements by lot, now and then far below zero, and with a stretch of -infinity.
template <class T>
void fill(T* x, std::int64_t n, random_numbers& r) {
  support::fill<T>(x, n, r);
  if (n == 0) return;
  if (r.integer(0, 2) == 0)
    for (std::int64_t i = 0; i < n; ++i) x[i] = support::nearest<T>(support::value_of(x[i]) - 2000);
  if (r.integer(0, 2) != 0) return;
  const auto place = [&] { return static_cast<std::int64_t>(r.bits() % static_cast<std::uint64_t>(n)); };
  const std::int64_t from = r.integer(0, 1) ? place() : 0, to = r.integer(0, 1) ? place() : n;
  if (from < to) std::fill(x + from, x + to, support::nearest<T>(-HUGE_VAL));
}

struct tally {
  std::int64_t cases = 0, elements = 0, wrong = 0, in_place = 0, planned = 0, long_lines = 0, weighted = 0, columns = 0,
               long_columns = 0;
};

template <class T>
void one_case(random_numbers& r, tally& t) {
  const support::row_case c = support::random_row_case<T>(r);
  const support::made_up_view& s = c.lines;
  support::placed_elements elements(s.before + s.after, sizeof(T), r);
  T* const data = reinterpret_cast<T*>(elements.data()) + s.before;
  fill(data - s.before, s.before + s.after, r);
  const support::made_up_parameters<T> parameters(c, r);
  const onefold::row_parameters<T>& with = parameters.with;
  support::made_up_results<T> results(c, data, r);
  const std::vector<std::int64_t> places = support::offsets(s);
  for (std::int64_t o = 0; o < s.outputs && (s.n > 0 || c.one_a_line()); ++o) {
    std::vector<T> line;
    for (std::int64_t i = 0; i < s.n; ++i) line.push_back(data[places[static_cast<std::size_t>(o * s.n + i)]]);
    results.expect(meant(c.operation, line, with, c.how.accuracy));
  }
  const bool planned = r.integer(0, 2) == 0;
  ++t.cases;
  t.elements += s.outputs * s.n;
  t.in_place += results.in_place();
  t.planned += planned;
  t.long_lines += s.n >= 16 * onefold::page_elements(sizeof(onefold::row_value<T>));
  t.weighted += !with.weight.empty();
  const bool in_columns = c.along == 1 && s.axes.size() == 3 && s.axes[2].stride == 1 && s.axes[2].extent >= 16;
  t.columns += in_columns;
  t.long_columns += in_columns && s.n > onefold::page_elements(sizeof(onefold::row_value<T>));

  const auto view = support::view_of<T>(data, s.axes);
  if (planned) {
    onefold::row_plan<T> plan(c.operation, view, results.view(), c.along, with, c.how);
    plan(data, results.data(), with);
    if (!results.in_place()) plan(data, results.data(), with);
  } else {
    support::call_rows(c.operation, view, c.along, results.view(), with, c.how);
  }
  t.wrong += !results.check(with, support::text_of(c) + results.text() + (planned ? ", planned" : ""));
}

}  // namespace

TEST_CASE("row operations have the bits of their definition") {
  random_numbers r(41);
  tally t;
  while (t.cases < support::random_cases(6'000) && t.wrong <= 5) {
    support::for_each_row_element([&]<class T>() { one_case<T>(r, t); });
  }
  CHECK(t.wrong == 0);
  CHECK(t.elements > 100 * t.cases);
  CHECK(t.in_place > t.cases / 20);
  CHECK(t.planned > t.cases / 5);
  CHECK(t.long_lines > support::random_cases(10));
  CHECK(t.weighted > t.cases / 20);
  CHECK(t.columns > t.cases / 20);
  CHECK(t.long_columns > support::random_cases(20));
}
