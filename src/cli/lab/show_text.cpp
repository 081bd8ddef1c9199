// The laboratory's tables.
#include <cmath>

#include <fmt/format.h>

#include "cells.hpp"
#include "lab/reference.hpp"
#include "lab/show.hpp"
#include "one_line.hpp"

namespace onefold::cli {
namespace {

std::string line(const study& s, const finding& f) {
  const std::string bits = !f.ran ? "" : f.agrees ? "same" : "DIFFER";
  return fmt::format("{:<10} {:<11} {:>22} {:>10} {:>10} {:>10} {:<7} {:>10} {:>7.2f}{}{}\n", f.mode,
                     f.ran ? name_of(f.ran->backend) : "-", f.value.text(), ulps_text(f.ulps),
                     relative_text(f.relative), bound_text(s, f), bits, time_text(f.seconds), s.gigabytes_per_second(f),
                     f.noisy ? "  noisy" : "", f.within_bound() ? "" : "  OUT OF BOUND");
}

std::string table_of(const study& s, const std::string& operation) {
  std::string text =
      fmt::format("{}: {} of {} {}", detail::spelled_out(s.what.name), operation, s.what.count, name_of(s.what.type));
  if (s.what.seed) text += fmt::format(", seed {}", *s.what.seed);
  if (s.what.asked) text += fmt::format(", requested condition number {:g}", *s.what.asked);
  if (s.what.missing) text += fmt::format(", missing {}", *s.what.missing);
  text += fmt::format("\nexact, rounded once: {}; condition number {:.3g}\n", s.exact.text(), s.condition);
  text += fmt::format("{:<10} {:<11} {:>22} {:>10} {:>10} {:>10} {:<7} {:>10} {:>7}\n", "mode", "backend", "value",
                      "ulps off", "relative", "bound", "bits", "time", "GB/s");
  for (const finding& f : s.findings) text += line(s, f);
  for (const missing& m : s.left_out)
    text += fmt::format("{:<10} {:<11} left out: {}\n", m.mode, name_of(*m.backend), detail::one_line(m.why));
  return text;
}

}  // namespace

std::string ulps_text(const std::optional<double>& ulps) {
  if (!ulps) return "-";
  return *ulps == 0 ? "0" : *ulps < 1e6 && *ulps >= 1e-3 ? fmt::format("{:.3f}", *ulps) : fmt::format("{:.2e}", *ulps);
}

std::string relative_text(double x) { return x == 0 ? "0" : fmt::format("{:.2e}", x); }

std::string bound_text(const study& s, const finding& f) {
  if (!f.bound) return "none";
  return relative_text(*f.bound == 0 || std::isinf(*f.bound) ? *f.bound : *f.bound / std::fabs(number_of(s.exact)));
}

std::string as_text(const std::vector<study>& studies, const std::string& operation) {
  std::string text;
  for (const study& s : studies) {
    if (!text.empty()) text += '\n';
    text += table_of(s, operation);
  }
  return text;
}

}  // namespace onefold::cli
