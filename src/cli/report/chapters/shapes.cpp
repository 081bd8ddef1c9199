// What do sums over rows and columns cost, beside a sum of the whole array?
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "quantity.hpp"
#include "report/chapter.hpp"
#include "report/rows.hpp"

namespace onefold::cli {
namespace {

/// Every shape below has a whole number of rows where an array has a multiple of this many elements: 4096 and 1000
/// divide it.
constexpr std::int64_t unit = 512'000;

/// From rows shorter than a vector register to whole pages, and one whose length is not a power of two.
constexpr std::int64_t row_lengths[] = {8, 32, 256, 1000, 4096};
/// Few long columns, and many short ones.
constexpr std::int64_t column_counts[] = {32, 4096};

/// Matrices of n elements that are reduced over one axis.
template <class Widths>
axes over_one_axis(axes a, std::int64_t n, const Widths& widths, int axis) {
  for (const std::int64_t width : widths) a.shapes.push_back({n / width, width});
  a.reduced = {axis};
  return a;
}

std::vector<axes> all_shapes(const assignment& asked, std::int64_t n, bool warm) {
  std::vector<axes> all;
  for (axes a : {on_cpu(asked), on_accelerators(asked)}) {
    a.warm = warm;
    a.seconds /= 4;
    if (asked.set == "full") a.elements.push_back(dtype::f64);
    axes whole = a;
    whole.counts = {n};
    all.push_back(std::move(whole));
    all.push_back(over_one_axis(a, n, row_lengths, 1));
    all.push_back(over_one_axis(a, n, column_counts, 0));
  }
  return all;
}

std::vector<axes> measured_shapes(const assignment& asked) {
  return all_shapes(asked, (asked.set == "full" ? 128 : 8) * unit, false);
}
std::vector<axes> measured_shapes_cached(const assignment& asked) { return all_shapes(asked, unit, true); }

std::string what_of(const measurement& m) {
  if (m.what.shape.empty()) return "whole array";
  const std::int64_t width = m.what.shape.back();
  return m.what.reduced.front() == 1 ? fmt::format("rows of {}", width) : fmt::format("{} columns", width);
}

std::string array_of(const measurement& m) { return fmt::format("{}, n = {}", reduction_of(m), m.what.n); }

bool is_noisy(const measurement* m) { return m->seconds.noisy(); }

const measurement* fastest_of(const row_list& all) {
  const auto found = std::ranges::min_element(all, {}, [](const measurement* m) { return m->seconds.median; });
  return found == all.end() ? nullptr : *found;
}

/// The same backend's sum of the whole array; null where it was not measured.
const measurement* whole_of(const measurement& m, const row_list& all) {
  const auto found = std::ranges::find_if(all, [&](const measurement* w) {
    return w->what.shape.empty() && array_of(*w) == array_of(m) && series_of(*w) == series_of(m);
  });
  return found == all.end() ? nullptr : *found;
}

/// The share of the speed of the same backend's sum of the whole array, and whether it rests on noise.
struct compared_share {
  double of_whole;
  bool noisy;
};
std::optional<compared_share> share_of(const measurement& m, const row_list& all) {
  const measurement* whole = whole_of(m, all);
  if (!whole) return std::nullopt;
  return compared_share{whole->seconds.median / m.seconds.median, is_noisy(&m) || is_noisy(whole)};
}

row_list without_noise(row_list all) {
  std::erase_if(all, is_noisy);
  return all;
}

/// Those of backends that begin with data on the host, of which one is called the fastest.
row_list on_host(row_list all) {
  std::erase_if(all, [](const measurement* m) { return m->what.where != measure::location::host; });
  return all;
}

/// The read limit of each backend's threads, above the shapes.
std::vector<std::string> limits_of(const table& t, const row_list& all) {
  std::vector<std::string> line{"read limit"};
  for (std::size_t i = 1; i < t.names.size(); ++i) {
    double limit = 0;
    for (const measurement* m : all)
      if (series_of(*m) == t.names[i]) limit = std::max(limit, m->limit.value_or(0));
    line.push_back(limit > 0 ? fmt::format("{:.3g}", limit / 1e9) : "-");
  }
  return line;
}

table speeds_of(const std::string& caption, const row_list& all) {
  table t = pivot("shape", all, what_of, series_of, [&](const measurement& m) {
    const auto share = m.what.shape.empty() ? std::nullopt : share_of(m, all);
    const std::string rate = rate_text(m, m.seconds.median);
    return share ? marked(fmt::format("{} ({:.0f} %)", rate, 100 * share->of_whole), share->noisy) : rate_cell(m);
  });
  t.caption = caption + ": GB/s, and the share of the speed of the whole array's sum";
  std::vector<std::string> limits = limits_of(t, all);
  t.names.emplace_back("fastest");
  for (std::size_t i = 0; const auto& [what, its] : grouped(all, what_of)) {
    const row_list host = on_host(its);
    const measurement* fastest = fastest_of(without_noise(host));
    t.lines[i++].push_back(fastest ? marked(series_of(*fastest), std::ranges::any_of(host, is_noisy)) : "-");
  }
  limits.emplace_back("-");
  t.lines.insert(t.lines.begin(), std::move(limits));
  return t;
}

section shape_tables(const record& r, const chapter& c) {
  section s;
  s.paragraphs = {
      "Rows of 32 are sums over axis 1 of a matrix in C order whose rows have 32 elements; 32 columns are sums over "
      "axis 0 of a matrix with 32 columns. Every matrix has as many bytes as the whole array, and GB/s count those; "
      "a call also writes its results to host memory, more of them the shorter the rows are. Fastest is the backend "
      "with the shortest median time among those whose data begin on the host; noisy rows do not count."};
  for (const auto& [name, members] : grouped(rows_of(r, c.name), array_of))
    s.tables.push_back(speeds_of(name, members));
  return s;
}

section shown_shapes(const record& r) { return shape_tables(r, shapes); }
section shown_shapes_cached(const record& r) { return shape_tables(r, shapes_cached); }

/// "25 % (rows of 8) to 98 % (32 columns) on openmp" for the fastest of these backends at the whole array; empty where
/// rows are missing.
std::string range_of(const row_list& all) {
  row_list whole = all, shaped = all;
  std::erase_if(whole, [](const measurement* m) { return !m->what.shape.empty(); });
  std::erase_if(shaped, [](const measurement* m) { return m->what.shape.empty(); });
  const measurement* base = fastest_of(without_noise(whole));
  std::erase_if(shaped, [&](const measurement* m) { return base && series_of(*m) != series_of(*base); });
  std::erase_if(shaped, [&](const measurement* m) { return !share_of(*m, all); });  // of a stored report
  if (whole.empty() || shaped.empty()) return "";
  const row_list quiet = without_noise(shaped);
  if (!base || quiet.empty()) return "unknown, because of noise";
  const auto text = [&](const measurement* m) {
    return fmt::format("{:.0f} % ({})", 100 * share_of(*m, all)->of_whole, what_of(*m));
  };
  const auto [fast, slow] =
      std::ranges::minmax_element(quiet, {}, [](const measurement* m) { return m->seconds.median; });
  return fmt::format("{}{} on {}{}", text(*slow), quiet.size() > 1 ? " to " + text(*fast) : "", series_of(*base),
                     quiet.size() < shaped.size()
                         ? ", leaving out " + detail::quantity(shaped.size() - quiet.size(), "noisy shape")
                         : "");
}

}  // namespace

std::vector<shape_line> shape_lines(const record& r, const chapter& c) {
  std::vector<shape_line> lines;
  for (const auto& [array, all] : grouped(rows_of(r, c.name), array_of))
    for (const auto& [what, its] : grouped(all, what_of)) {
      const measurement* fastest = fastest_of(without_noise(on_host(its)));
      const setting& first = its.front()->what;
      shape_line line{c.name, reduction_of(*its.front()), first.n, first.shape, first.reduced, what, {}, {}};
      if (fastest) line.fastest = series_of(*fastest);
      for (const measurement* m : its) {
        const std::optional<compared_share> share = share_of(*m, all);
        line.shares.push_back({series_of(*m), share && !share->noisy ? std::optional(share->of_whole) : std::nullopt});
      }
      lines.push_back(std::move(line));
    }
  return lines;
}

std::string shapes_in_short(const record& r) {
  std::string text;
  const auto add = [&](const char* from, const row_list& all) {
    if (const std::string range = range_of(all); !range.empty())
      text += fmt::format("{} {} {}", text.empty() ? "" : ";", from, range);
  };
  const auto add_chapter = [&](const chapter& c, const char* from) {
    row_list cpu, device;
    for (const measurement* m : rows_of(r, c.name)) {
      if (m->what.element != dtype::f32) continue;
      if (!is_accelerator(m->ran.backend)) cpu.push_back(m);
      if (m->what.where == measure::location::device) device.push_back(m);
    }
    add(from, cpu);
    add(from, device);
  };
  add_chapter(shapes, "from memory");
  add_chapter(shapes_cached, "from the caches");
  if (text.empty()) return "";
  return "Row and column sums, as a share of the speed of a whole-array sum on the same backend:" + text + ".";
}

const chapter shapes{"shapes", "Row and column sums, from memory", false, measured_shapes, shown_shapes};
const chapter shapes_cached{"shapes-cached", "Row and column sums, from the caches", false, measured_shapes_cached,
                            shown_shapes_cached};

}  // namespace onefold::cli
