// The prefix law: every result of a scan has the bits of `reduce` over its prefix alone, along any axis, in segments,
// on every backend, with any number of threads, at every instruction set.
#include "onefold/scan.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/entries.hpp"
#include "support/instrumented.hpp"
#include "support/result_bits.hpp"
#include "support/slices.hpp"
#include "support/views.hpp"

namespace {

using onefold::axis;
using onefold::dtype;
using onefold::scan_kind;
using support::random_numbers;
using support::result_bits;

/// Results of a scan, of a type that their entry knows.
using raw_results = std::vector<char>;

/// How a scan is called.
struct call_form {
  std::optional<int> along;
  scan_kind kind;
  bool planned;   ///< by a plan, twice
  bool in_place;  ///< over the elements, where there are results of their size
};

/// An operation over an element type, as functions that know the types.
struct entry {
  std::string name;
  int operation;
  dtype element;
  std::int64_t size, result_size;
  bool takes_init, has_verb;
  void (*fill)(void* to, std::int64_t n, random_numbers& r);
  raw_results (*scan)(const void* data, const std::vector<axis>& axes, const call_form& form,
                      const onefold::options& how);
  raw_results (*scan_segments)(const void* data, std::int64_t n, const std::vector<std::int64_t>& at, scan_kind kind,
                               const onefold::options& how);
  result_bits (*bits_at)(const raw_results& results, std::int64_t i);
};

template <class R>
raw_results raw(const R* results, std::size_t n) {
  raw_results bytes(n * sizeof(R) + 1);
  std::memcpy(bytes.data(), static_cast<const void*>(results), n * sizeof(R));
  return bytes;
}

template <class Op, class T>
raw_results scan(const void* data, const std::vector<axis>& axes, const call_form& form, const onefold::options& how) {
  using R = onefold::default_result<T, Op>;
  const auto view = support::view_of<T>(data, axes);
  if (!form.along) {
    const auto n = static_cast<std::size_t>(axes[0].extent);
    const std::span<const T> elements(view.data(), n);
    std::vector<char> memory(n * sizeof(R) + sizeof(R));
    R* const results = reinterpret_cast<R*>(memory.data());
    std::span<R> out(results, n);
    std::span<const T> in = elements;
    if constexpr (sizeof(R) == sizeof(T))
      if (form.in_place) {
        std::memcpy(memory.data(), elements.data(), n * sizeof(T));
        in = {reinterpret_cast<const T*>(memory.data()), n};
      }
    if (form.planned) {
      onefold::scan_plan<T, Op> plan(axes[0].extent, form.kind, how);
      for (int i = 0; i < (in.data() == elements.data() ? 2 : 1); ++i) plan(in.data(), results);
    } else if (form.kind == scan_kind::inclusive) {
      onefold::inclusive_scan<T, Op>(in, out, how);
    } else {
      onefold::exclusive_scan<T, Op>(in, out, how);
    }
    return raw(results, n);
  }
  onefold::extents extents;
  for (const axis& a : axes) extents.push_back(a.extent);
  if (form.planned) {
    onefold::result_array<R> out(extents);
    onefold::scan_plan<T, Op> plan(view, *form.along, form.kind, how);
    for (int i = 0; i < 2; ++i) plan(view.data(), out.data());
    return raw(out.data(), out.size());
  }
  const auto out = form.kind == scan_kind::inclusive ? onefold::inclusive_scan<T, Op>(view, *form.along, how)
                                                     : onefold::exclusive_scan<T, Op>(view, *form.along, how);
  return raw(out.data(), out.size());
}

template <class Op, class T>
raw_results scan_segments(const void* data, std::int64_t n, const std::vector<std::int64_t>& at, scan_kind kind,
                          const onefold::options& how) {
  using R = onefold::default_result<T, Op>;
  onefold::result_array<R> out({n});
  const std::span<R> to(out.data(), out.size());
  const auto what = onefold::segments(std::span(static_cast<const T*>(data), static_cast<std::size_t>(n)), at);
  if (kind == scan_kind::inclusive)
    onefold::inclusive_scan<T, Op>(what, to, how);
  else
    onefold::exclusive_scan<T, Op>(what, to, how);
  return raw(out.data(), out.size());
}

template <class R>
result_bits bits_at(const raw_results& results, std::int64_t i) {
  R x;
  std::memcpy(static_cast<void*>(&x), results.data() + i * static_cast<std::int64_t>(sizeof(R)), sizeof(R));
  return support::bits_of(x);
}

std::vector<entry> entries() {
  std::vector<entry> all;
  onefold::for_each_entry([&]<class Op, class T>() {
    using R = onefold::default_result<T, Op>;
    if (!onefold::why_not(onefold::operation_index<Op>, onefold::dtype_of<T>, onefold::accuracy::native))
      all.push_back({std::string(Op::name) + ' ' + onefold::name_of(onefold::dtype_of<T>), onefold::operation_index<Op>,
                     onefold::dtype_of<T>, sizeof(T), sizeof(R), Op::takes_init, Op::has_scan_verb, support::fill<T>,
                     scan<Op, T>, scan_segments<Op, T>, bits_at<R>});
  });
  return all;
}

/// The places in a line of n elements that are looked at: its ends, those of pages and strips, and some others.
std::vector<std::int64_t> places(std::int64_t n, std::int64_t page, random_numbers& r) {
  std::vector<std::int64_t> at{0, n - 1};
  for (int i = 0; i < 4; ++i) at.push_back(r.integer(0, static_cast<int>(n) - 1));
  for (const std::int64_t border : {page, 2 * page, 16 * page, page / 32, page / 4})
    for (const std::int64_t i : {border - 1, border})
      if (i < n) at.push_back(i);
  return at;
}

/// What a scan should have at a place of a line.
std::optional<result_bits> meant_at(const entry& e, const char* line, std::int64_t i, scan_kind kind,
                                    const onefold::options& how) {
  std::optional<result_bits> meant;
  support::error_of(
      [&] { meant = support::run(e.operation, e.element, line, kind == scan_kind::inclusive ? i + 1 : i, how); });
  return meant;
}

struct tally {
  std::int64_t cases = 0, compared = 0, refused = 0, wrong = 0;

  /// Compares a line's results, the first of which has the number `first`, and each next one `step` more.
  void compare(const entry& e, const char* line, std::int64_t n, const raw_results& results, std::int64_t first,
               std::int64_t step, scan_kind kind, const onefold::options& how, random_numbers& r,
               const std::string& what) {
    for (const std::int64_t i : places(n, onefold::page_elements(e.size), r)) {
      ++compared;
      const auto meant = meant_at(e, line, i, kind, how);
      const result_bits found = e.bits_at(results, first + i * step);
      if (meant && found == *meant) continue;
      ++wrong;
      INFO(e.name << ' ' << support::text_of(how) << ": " << what << ", place " << i);
      CHECK(meant);
      if (meant) CHECK(support::text_of(found) == support::text_of(*meant));
      return;
    }
  }
};

/// Options by lot: none where the operation does not have the accuracy, or no scan at it.
std::optional<onefold::options> options_for(const entry& e, random_numbers& r) {
  // A device scans with the operations that have a verb.
  if (support::backend_under_test() == onefold::backend::cuda && !e.has_verb) return std::nullopt;
  auto how = support::random_options(r, e.operation, e.element, e.takes_init);
  if (how && onefold::why_no_scan(e.operation, e.element, how->accuracy)) return std::nullopt;
  // It cannot say that an exact sum has no result.
  if (how && support::backend_under_test() == onefold::backend::cuda && how->accuracy == onefold::accuracy::exact &&
      e.operation == onefold::operation_index<onefold::op::sum>)
    return std::nullopt;
  return how;
}

bool has_first(const entry& e, scan_kind kind, const onefold::options& how) {
  return kind == scan_kind::inclusive ||
         onefold::operation_infos()[static_cast<std::size_t>(e.operation)].empty_allowed ||
         !std::holds_alternative<std::monostate>(how.init.value());
}

/// Backends have cases of their own. On CPUs the four of them together have 100,000, a GPU has as many.
std::uint64_t seed(std::uint64_t first) {
  return first + 100 * static_cast<std::uint64_t>(support::backend_under_test());
}
std::int64_t most_cases() {
  return support::backend_under_test() == onefold::backend::cuda ? 100'000 : support::random_cases(25'000);
}

onefold::options alone(onefold::options how) {
  if (how.backend == onefold::backend::cuda) how.backend = onefold::backend::sequential;
  how.threads = 1;
  return how;
}

}  // namespace

TEST_CASE("every result of a scan has the bits of reduce over its prefix") {
  const std::vector<entry> all = entries();
  random_numbers r(seed(31));
  tally t;
  std::int64_t long_lines = 0;
  while (t.cases < most_cases() && t.wrong <= 5) {
    const entry& e = all[r.bits() % all.size()];
    const auto how = options_for(e, r);
    if (!how) continue;
    const std::int64_t page = onefold::page_elements(e.size);
    support::made_up_view s = support::random_view(r, page);
    call_form form{std::nullopt, r.integer(0, 2) == 0 ? scan_kind::exclusive : scan_kind::inclusive,
                   r.integer(0, 2) == 0, r.integer(0, 1) == 0};
    if (s.axes.empty() || r.integer(0, 1) == 0) {  // one array; now and then of several units of work
      const bool is_long = r.integer(0, 99) == 0;
      s.axes = {{r.integer(1, is_long                ? 70 * static_cast<int>(page)
                              : r.integer(0, 5) == 0 ? 3 * static_cast<int>(page)
                                                     : 600),
                 1}};
      s.before = 0;
      s.after = s.axes[0].extent;
      s.reduced = {0};
    } else {
      const int rank = static_cast<int>(s.axes.size());
      form.along = r.integer(-rank, rank - 1);
      s.reduced = {*form.along};
    }
    const int rank = static_cast<int>(s.axes.size()), along = form.along ? (*form.along + rank) % rank : 0;
    s.outputs = 1;
    for (int i = 0; i < rank; ++i)
      if (i != along) s.outputs *= s.axes[static_cast<std::size_t>(i)].extent;
    s.n = s.axes[static_cast<std::size_t>(along)].extent;
    ++t.cases;
    support::placed_elements elements(s.before + s.after, e.size, r);
    e.fill(elements.data(), s.before + s.after, r);
    const char* data = elements.data() + s.before * e.size;
    raw_results results;
    const auto failed = support::error_of([&] { results = e.scan(data, s.axes, form, *how); });
    if (s.outputs * s.n > 0 && !has_first(e, form.kind, *how)) {
      t.refused += failed == onefold::error_code::empty_input;
      CHECK(failed == onefold::error_code::empty_input);
      continue;
    }
    CHECK_FALSE(failed);
    if (failed || s.n == 0) continue;
    long_lines += s.n > 16 * page;
    const std::vector<char> copy = support::slices(data, s, e.size);
    std::int64_t inner = 1;  // results from one of a line to the next
    for (int i = along + 1; i < rank; ++i) inner *= s.axes[static_cast<std::size_t>(i)].extent;
    for (int k = 0; k < 3 && s.outputs > 0; ++k) {
      const std::int64_t o = k == 0 ? 0 : static_cast<std::int64_t>(r.bits() % static_cast<std::uint64_t>(s.outputs));
      t.compare(e, copy.data() + o * s.n * e.size, s.n, results, o / inner * inner * s.n + o % inner, inner, form.kind,
                alone(*how), r, support::text_of(s) + (form.kind == scan_kind::exclusive ? ", exclusive" : ""));
    }
  }
  CHECK(t.wrong == 0);
  CHECK(t.compared > 10 * t.cases);
  CHECK(t.refused > support::random_cases(100));
  CHECK(long_lines > support::random_cases(30));
}

TEST_CASE("every result of a scan of segments has the bits of reduce over its prefix") {
  const std::vector<entry> all = entries();
  random_numbers r(seed(32));
  tally t;
  std::int64_t long_segments = 0;
  while (t.cases < support::random_cases(5'000) && t.wrong <= 5) {
    const entry& e = all[r.bits() % all.size()];
    const auto how = options_for(e, r);
    if (!how) continue;
    const std::int64_t page = onefold::page_elements(e.size);
    const scan_kind kind = r.integer(0, 2) == 0 ? scan_kind::exclusive : scan_kind::inclusive;
    std::vector<std::int64_t> at{r.integer(0, 20)};
    const bool is_long = r.integer(0, 19) == 0;
    for (int i = r.integer(1, is_long ? 5 : 60); i > 0; --i)
      at.push_back(at.back() + (is_long && r.integer(0, 1) ? r.integer(1, 40 * static_cast<int>(page))
                                                           : r.integer(0, r.integer(0, 3) ? 60 : 2000)));
    const std::int64_t n = at.back() + r.integer(0, 9);
    ++t.cases;
    support::placed_elements elements(n, e.size, r);
    e.fill(elements.data(), n, r);
    raw_results results;
    const auto failed = support::error_of([&] { results = e.scan_segments(elements.data(), n, at, kind, *how); });
    if (at.back() > at.front() && !has_first(e, kind, *how)) {
      CHECK(failed == onefold::error_code::empty_input);
      ++t.refused;
      continue;
    }
    CHECK_FALSE(failed);
    if (failed) continue;
    for (int k = 0; k < 4; ++k) {
      const std::size_t i = r.bits() % (at.size() - 1);
      const std::int64_t length = at[i + 1] - at[i];
      if (length == 0) continue;
      long_segments += length > 16 * page;
      t.compare(e, elements.data() + at[i] * e.size, length, results, at[i], 1, kind, alone(*how), r,
                "segment " + std::to_string(i) + " of " + std::to_string(at.size() - 1));
    }
  }
  CHECK(t.wrong == 0);
  CHECK(t.compared > 10 * t.cases);
  CHECK(t.refused > support::random_cases(50));
  CHECK(long_segments > support::random_cases(50));
}
