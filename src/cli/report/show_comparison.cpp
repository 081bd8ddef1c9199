// A comparison for people and for programs.
#include <algorithm>

#include <fmt/format.h>

#include "cells.hpp"
#include "json.hpp"
#include "one_line.hpp"
#include "quantity.hpp"
#include "report/compare.hpp"

namespace onefold::cli {
namespace {

using nlohmann::ordered_json;

std::string lines_of(const comparison& c, verdict wanted) {
  std::string text;
  for (const change& x : c.changes)
    if (x.is == wanted)
      text += fmt::format("{:<7} {:>10} -> {:>10}  {:>5.2f} times the time  {} ({})\n", name_of(x.is),
                          time_text(x.before), time_text(x.after), x.after / x.before, detail::one_line(x.row), x.what);
  return text;
}

std::string listed(const char* what, const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& x : all) text += fmt::format("{}: {}\n", what, detail::one_line(x));
  return text;
}

/// How many times changed so, and the largest change among them.
std::string extent_of(const comparison& c, verdict wanted) {
  double most = 1;
  for (const change& x : c.changes)
    if (x.is == wanted)
      most = wanted == verdict::slower ? std::max(most, x.after / x.before) : std::min(most, x.after / x.before);
  const auto n = std::ranges::count(c.changes, wanted, &change::is);
  return fmt::format(
      "{} {}{}", n, name_of(wanted),
      n > 0 ? fmt::format(" (at {} {:.2f} x the time)", wanted == verdict::slower ? "worst" : "best", most) : "");
}

std::string shown_rate(const rate& r) {
  return fmt::format("{}{} GB/s", r.backend.empty() ? "" : detail::one_line(r.backend) + " ", rate_text(r.gb_per_s));
}

auto count_of(const comparison& c, verdict wanted) { return std::ranges::count(c.changes, wanted, &change::is); }

}  // namespace

std::string headline_of(const comparison& c) {
  std::string text =
      fmt::format("{}: {}, {}, {} alike, {} noisy; {} with other bits.", detail::quantity(c.changes.size(), "time"),
                  extent_of(c, verdict::slower), extent_of(c, verdict::faster), count_of(c, verdict::alike),
                  count_of(c, verdict::noisy), detail::quantity(c.other_bits.size(), "row"));
  for (const rate_change& x : c.rates)
    text += fmt::format(" {} at {} elements: {} before, {} after, {:.2f} x.", detail::one_line(x.what), count_text(x.n),
                        shown_rate(x.before), shown_rate(x.after), x.after.gb_per_s / x.before.gb_per_s);
  return text;
}

std::string as_text(const comparison& c) {
  return headline_of(c) + "\n" + listed("not the same", c.other_facts) + lines_of(c, verdict::slower) +
         lines_of(c, verdict::faster) + listed("other bits", c.other_bits) + listed("only before", c.only_before) +
         listed("only after", c.only_after);
}

std::string as_json(const comparison& c) {
  ordered_json out = {{"headline", headline_of(c)}, {"times", ordered_json::array()}};
  for (const change& x : c.changes)
    out["times"].push_back({{"row", x.row},
                            {"what", x.what},
                            {"before", x.before},
                            {"after", x.after},
                            {"ratio", x.after / x.before},
                            {"verdict", name_of(x.is)}});
  out["slower"] = count_of(c, verdict::slower);
  out["faster"] = count_of(c, verdict::faster);
  out["noisy"] = count_of(c, verdict::noisy);
  out["other_bits"] = c.other_bits;
  out["only_before"] = c.only_before;
  out["only_after"] = c.only_after;
  out["not_the_same"] = c.other_facts;
  return json_line(out);
}

}  // namespace onefold::cli
