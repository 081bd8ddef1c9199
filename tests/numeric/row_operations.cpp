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
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/row_calls.hpp"
#include "support/slices.hpp"
#include "support/views.hpp"

namespace {

using onefold::row_operation;
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

/// What a line should give.
template <class T>
struct outcome_of_line {
  std::vector<T> results;
  onefold::row_value<T> mean, rstd;
};

template <class V>
struct state {
  V c, s;
};

template <class V>
state<V> joined(state<V> a, state<V> b) {
  if (a.s == 0) return b;
  if (b.s == 0) return a;
  const V c = a.c != a.c || a.c > b.c ? a.c : b.c;
  const auto moved = [c](state<V> x) { return std::isfinite(x.s) ? x.s * onefold::exp(x.c - c) : x.s; };
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
outcome_of_line<T> exponentials(row_operation what, const std::vector<T>& x) {
  using V = onefold::row_value<T>;
  const auto page = static_cast<std::size_t>(onefold::page_elements(sizeof(V)));
  std::vector<state<V>> pages;
  std::vector<V> e;
  for (std::size_t first = 0; first < x.size(); first += page) {
    const std::span<const T> here(x.data() + first, std::min(page, x.size() - first));
    const V m = static_cast<V>(onefold::reduce<T, op::max>(here, alone()));
    const V c = std::isinf(m) ? V{} : m;
    std::vector<V> powers;
    for (const T& y : here) powers.push_back(onefold::exp(static_cast<V>(y) - c));
    pages.push_back({c, onefold::reduce<V, op::sum>(powers, alone())});
    e.insert(e.end(), powers.begin(), powers.end());
  }
  int level = 0;
  while ((std::size_t{1} << level) < pages.size()) ++level;
  const state<V> all = pages.empty() ? state<V>{0, 0} : node(pages, 0, level);
  outcome_of_line<T> out{{}, 0, 0};
  if (what == row_operation::logsumexp) {
    out.results = {rounded<T>(all.c + onefold::log(all.s))};
    return out;
  }
  const V nan = std::numeric_limits<V>::quiet_NaN();
  const bool none = !std::isfinite(all.s) || all.s == 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const state<V> own = pages[i / page];
    const V shift = own.s == 0 ? V{1} : onefold::exp(own.c - all.c);
    out.results.push_back(rounded<T>(none ? nan
                                     : what == row_operation::softmax
                                         ? e[i] * (shift / all.s)
                                         : (static_cast<V>(x[i]) - all.c) - onefold::log(all.s)));
  }
  return out;
}

template <class T>
outcome_of_line<T> scaled(row_operation what, const std::vector<T>& x, const onefold::row_parameters<T>& with,
                          double eps, onefold::accuracy mode) {
  using V = onefold::row_value<T>;
  outcome_of_line<T> out{{}, 0, 0};
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
outcome_of_line<T> meant(row_operation what, const std::vector<T>& x, const onefold::row_parameters<T>& with,
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
  std::int64_t cases = 0, elements = 0, wrong = 0, in_place = 0, planned = 0, long_lines = 0, weighted = 0;
};

bool runs(row_operation what, onefold::accuracy mode, onefold::dtype element) {
  if (what == row_operation::normalize_max || mode == onefold::accuracy::native) return true;
  if (what <= row_operation::logsumexp || what == row_operation::normalize_l1) return false;
  const bool moments = what == row_operation::layer_norm || what == row_operation::standardize;
  return !onefold::why_not(moments ? onefold::operation_index<op::moments> : onefold::operation_index<op::sum_squares>,
                           element, mode);
}

template <class V>
bool same_bits(const V& a, const V& b) {
  return std::memcmp(static_cast<const void*>(&a), static_cast<const void*>(&b), sizeof(V)) == 0;
}

template <class T>
void one_case(const support::made_up_view& s, int along, row_operation what, const onefold::options& how,
              random_numbers& r, tally& t) {
  using V = onefold::row_value<T>;
  const bool one_a_line = what == row_operation::logsumexp;

  support::placed_elements elements(s.before + s.after, sizeof(T), r);
  T* const data = reinterpret_cast<T*>(elements.data()) + s.before;
  fill(data - s.before, s.before + s.after, r);
  std::vector<T> weight(static_cast<std::size_t>(s.n)), bias(weight.size());
  std::vector<V> means(static_cast<std::size_t>(s.outputs)), rstds(means.size());
  support::fill<T>(weight.data(), s.n, r);
  support::fill<T>(bias.data(), s.n, r);
  onefold::row_parameters<T> with;
  with.eps = r.integer(0, 2) == 0 ? 0 : r.uniform();
  const bool layer = what == row_operation::layer_norm;
  if ((layer || what == row_operation::rms_norm) && r.integer(0, 1)) with.weight = weight;
  if (layer && r.integer(0, 1)) with.bias = bias;
  if (layer && r.integer(0, 1)) with.mean = means, with.rstd = rstds;
  t.weighted += !with.weight.empty();

  // Results in C order, in any order, or over the elements.
  const bool repeats = std::ranges::any_of(s.axes, [](const onefold::axis& a) { return a.stride == 0; });
  const bool in_place = !one_a_line && !repeats && r.integer(0, 3) == 0;
  const support::made_up_view to = in_place ? s : support::random_results(s, one_a_line, r);

  // What should be there: what was there before, and the results of each line.
  const std::vector<std::int64_t> from_places = support::offsets(s), to_places = support::offsets(to);
  support::placed_elements memory(to.before + to.after, sizeof(T), r);
  T* const out = in_place ? data : reinterpret_cast<T*>(memory.data()) + to.before;
  if (!in_place) fill(out - to.before, to.before + to.after, r);
  std::vector<T> expected(out - to.before, out + to.after);
  std::vector<V> expected_means, expected_rstds;
  for (std::int64_t o = 0; o < s.outputs; ++o) {
    std::vector<T> line;
    for (std::int64_t i = 0; i < s.n; ++i) line.push_back(data[from_places[static_cast<std::size_t>(o * s.n + i)]]);
    if (line.empty() && !one_a_line) continue;
    const auto m = meant(what, line, with, how.accuracy);
    for (std::int64_t i = 0; i < to.n; ++i)
      expected[static_cast<std::size_t>(to.before + to_places[static_cast<std::size_t>(o * to.n + i)])] =
          m.results[static_cast<std::size_t>(i)];
    expected_means.push_back(m.mean);
    expected_rstds.push_back(m.rstd);
  }
  ++t.cases;
  t.elements += s.outputs * s.n;
  t.in_place += in_place;
  t.long_lines += s.n >= 16 * onefold::page_elements(sizeof(V));

  const auto view = support::view_of<T>(data, s.axes);
  const onefold::output_view<T> results = support::output_of(out, to);
  const bool planned = r.integer(0, 2) == 0;
  t.planned += planned;
  if (planned) {
    onefold::row_plan<T> plan(what, view, results, along, with, how);
    plan(data, out, with);
    if (!in_place) plan(data, out, with);
  } else {
    support::call_rows(what, view, along, results, with, how);
  }
  std::size_t place = 0;
  while (place < expected.size() && same_bits(out[static_cast<std::int64_t>(place) - to.before], expected[place]))
    ++place;
  bool statistics = true;
  if (s.n > 0 && !with.mean.empty())
    for (std::size_t o = 0; o < means.size(); ++o)
      statistics =
          statistics &&
          (same_bits(means[o], expected_means[o]) || (std::isnan(means[o]) && std::isnan(expected_means[o]))) &&
          (same_bits(rstds[o], expected_rstds[o]) || (std::isnan(rstds[o]) && std::isnan(expected_rstds[o])));
  if (place == expected.size() && statistics) return;
  ++t.wrong;
  INFO(support::row_operation_names[static_cast<int>(what)]
       << ' ' << onefold::name_of(onefold::dtype_of<T>) << ' ' << support::text_of(how) << ": " << support::text_of(s)
       << (in_place ? ", in place" : "") << ", results " << support::text_of(to) << (planned ? ", planned" : ""));
  CHECK(place == expected.size());
  CHECK(statistics);
  if (place < expected.size())
    CHECK(static_cast<double>(support::value_of(out[static_cast<std::int64_t>(place) - to.before])) ==
          static_cast<double>(support::value_of(expected[place])));
}

template <class T>
void random_case(random_numbers& r, tally& t) {
  const auto page = static_cast<int>(onefold::page_elements(sizeof(onefold::row_value<T>)));
  const auto what = static_cast<row_operation>(r.integer(0, 8));
  onefold::options how = support::on_backend(static_cast<onefold::accuracy>(r.integer(0, 3)), r.integer(1, 4));
  if (!runs(what, how.accuracy, onefold::dtype_of<T>)) how.accuracy = onefold::accuracy::native;
  how.isa = onefold::isas()[r.bits() % onefold::isas().size()];
  int along = 0;
  const support::made_up_view s = support::random_lines(r, page, &along);
  one_case<T>(s, along, what, how, r, t);
}

}  // namespace

TEST_CASE("row operations have the bits of their definition") {
  random_numbers r(41);
  tally t;
  while (t.cases < 6'000 && t.wrong <= 5) {
    onefold::for_each_type(onefold::type_list<float, double, onefold::f16, onefold::bf16>{}, [&]<class T>() {
      if (!onefold::why_not(onefold::operation_index<op::sum>, onefold::dtype_of<T>, onefold::accuracy::native))
        random_case<T>(r, t);
    });
  }
  CHECK(t.wrong == 0);
  CHECK(t.elements > 100 * t.cases);
  CHECK(t.in_place > t.cases / 20);
  CHECK(t.planned > t.cases / 5);
  CHECK(t.long_lines > 10);
  CHECK(t.weighted > t.cases / 20);
}
