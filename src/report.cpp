// What a reduction and the process tell about themselves.
#include "onefold/report.hpp"

#include <cstdio>

#include "cpu.hpp"
#include "modules.hpp"
#include "onefold/backend.hpp"
#include "wishes.hpp"

namespace onefold {
namespace {

std::string microseconds(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g us", seconds * 1e6);
  return text;
}

}  // namespace

std::string run_report::text() const {
  std::string t = std::string("backend ") + name_of(backend) + ": " + why + "\ninstruction set " + name_of(isa) +
                  "\nthreads " + std::to_string(threads) + "\naccuracy " + name_of(accuracy) + "\n";
  if (backend == onefold::backend::cuda)
    t += std::string("kernel ") + name_of(kernel) + "\ndevice " + std::to_string(device) + "\n";
  for (const decline& d : declined) t += std::string("not ") + name_of(d.who) + ": " + d.why + "\n";
  for (const estimate& e : estimates) {
    t += std::string("estimate of ") + name_of(e.backend);
    if (e.threads > 0) t += ", " + std::to_string(e.threads) + (e.threads == 1 ? " thread" : " threads");
    t += ": " + microseconds(e.seconds);
    if (e.after_pause > e.seconds) t += ", after a pause " + microseconds(e.after_pause);
    t += "\n";
  }
  if (!figures.empty()) t += "figures: " + figures + "\n";
  return t;
}

std::vector<backend_info> backends() {
  std::vector<backend_info> list;
  const detail::loaded_accelerator& cuda = detail::find_accelerator();
  list.push_back({backend::cuda, cuda.runs != nullptr, cuda.runs ? cuda.runs->version() : cuda.why_not, 0});
  for (int i = 0; cuda.runs && i < cuda.runs->devices(); ++i) {
    char text[200];
    cuda.runs->describe(i, text, sizeof text);
    list.back().devices.emplace_back(text);
  }
  for (const backend b : detail::cpu_backends()) {
    const detail::loaded_backend& found = detail::find_backend(b);
    if (found.runs)
      list.push_back({b, true, found.runs->version, detail::possible_threads(*found.runs, 0)});
    else
      list.push_back({b, false, found.why_not, 0});
  }
  return list;
}

std::vector<isa> isas() { return detail::cpu_levels(); }

}  // namespace onefold
