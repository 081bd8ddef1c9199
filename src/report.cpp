// What a reduction and the process tell about themselves.
#include "onefold/report.hpp"

#include <charconv>

#include "cpu.hpp"
#include "modules.hpp"
#include "one_line.hpp"
#include "onefold/backend.hpp"
#include "onefold/profile.hpp"
#include "resolve.hpp"

namespace onefold {
namespace {

std::string microseconds(double seconds) {
  char text[40];  // not by printf, which rounds as the x87 unit is told to
  const auto end = std::to_chars(text, text + sizeof text, seconds * 1e6, std::chars_format::general, 3).ptr;
  return std::string(text, end) + " us";
}

/// How old the figures are, and a warning, a line each; nothing of built-in ones.
std::string origin_lines(const std::string& figures) {
  const used_profile& used = profile();
  if (used.source != figures) return "";
  return (used.age.empty() ? "" : used.age + "\n") + (used.warning.empty() ? "" : "warning: " + used.warning + "\n");
}

}  // namespace

std::string run_report::text() const {
  const detail::float_environment ieee;
  std::string t = std::string("backend ") + name_of(backend) + ": " + detail::one_line(why) + "\ninstruction set " +
                  name_of(isa) + "\nthreads " + std::to_string(threads) + "\naccuracy " + name_of(accuracy) + "\n";
  if (is_accelerator(backend)) {
    t += std::string("kernel ") + name_of(kernel) + "\ndevice";
    for (const int d : devices.empty() ? std::vector{device} : devices) t.append(1, ' ').append(std::to_string(d));
    t += "\n";
  }
  for (const decline& d : declined)
    t += std::string("not ") + name_of(d.backend) + ": " + detail::one_line(d.why) + "\n";
  for (const estimate& e : estimates) {
    t += std::string("estimate of ") + name_of(e.backend);
    if (e.threads > 0) t += ", " + std::to_string(e.threads) + (e.threads == 1 ? " thread" : " threads");
    t += ": " + microseconds(e.seconds);
    if (e.after_pause > e.seconds) t += ", after a pause " + microseconds(e.after_pause);
    t += "\n";
  }
  if (!figures.empty()) t += "figures: " + detail::one_line(figures) + "\n" + origin_lines(figures);
  return t;
}

std::vector<backend_info> backends() {
  const detail::float_environment ieee;
  std::vector<backend_info> list;
  for (const backend b : detail::accelerators()) {
    const auto& [runs, why_not] = detail::find_accelerator(b);
    list.push_back({b, runs != nullptr, detail::one_line(runs ? runs->version() : why_not), 0});
    for (int i = 0; runs && i < runs->devices(); ++i) {
      char text[200];
      runs->describe(i, text, sizeof text);
      list.back().devices.push_back(detail::one_line(text));
    }
  }
  for (const backend b : detail::cpu_backends()) {
    const detail::loaded_backend& found = detail::find_backend(b);
    if (found.record)
      list.push_back({b, true, found.record->version, detail::possible_threads(*found.record, 0)});
    else
      list.push_back({b, false, detail::one_line(found.why_not), 0});
  }
  return list;
}

std::vector<isa> isas() { return detail::cpu_levels(); }

}  // namespace onefold
