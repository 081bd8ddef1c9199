#include "report/facts.hpp"

#include <sys/utsname.h>

#include <chrono>
#include <fstream>
#include <string_view>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "measure/machine.hpp"
#include "measure/reader.hpp"
#include "onefold/profile.hpp"
#include "onefold/report.hpp"
#include "onefold/version.hpp"

extern char** environ;

namespace onefold::cli {
namespace {

using nlohmann::ordered_json;

std::string system_name() {
  utsname u{};
  return uname(&u) == 0 ? fmt::format("{} {}, {}", u.sysname, u.release, u.machine) : "unknown";
}

std::string first_word(const char* path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

std::string size_text(std::int64_t bytes) {
  const auto mib = static_cast<double>(bytes) / (1 << 20);
  return mib < 1024 ? fmt::format("{:.0f} MiB", mib) : fmt::format("{:.1f} GiB", mib / 1024);
}

/// Adds a word after a blank.
void append(std::string& text, std::string_view word) {
  if (!text.empty()) text += ' ';
  text += word;
}

/// The variables that change which backend runs, and how.
std::string environment() {
  std::string text;
  for (char** word = environ; *word; ++word)
    for (const char* start : {"OMP_", "GOMP_", "KMP_", "ONEFOLD_", "CUDA_VISIBLE_DEVICES="})
      if (std::string_view(*word).starts_with(start)) append(text, *word);
  return text;
}

ordered_json machine() {
  const machine_profile known = builtin_profile();
  ordered_json m = {{"CPU", known.cpu.empty() ? "unknown" : known.cpu},
                    {"logical CPUs", std::thread::hardware_concurrency()},
                    {"largest cache", size_text(known.l3)},
                    {"memory", size_text(measure::all_memory())},
                    {"vectors of the read limit", measure::widest_reader().name},
                    {"system", system_name()}};
  if (const std::string governor = first_word("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
      !governor.empty())
    m["frequency governor"] = governor;
  m["load when it began"] = first_word("/proc/loadavg");
  for (const backend_info& b : backends())
    for (std::size_t i = 0; i < b.devices.size(); ++i)
      m[b.devices.size() == 1 ? "GPU" : fmt::format("GPU {}", i)] = b.devices[i];
  if (const std::string driver = measure::nvidia_driver(); !driver.empty()) m["NVIDIA driver"] = driver;
  if (const std::string set = environment(); !set.empty()) m["environment"] = set;
  return m;
}

ordered_json build() {
  ordered_json b = {{"onefold", ONEFOLD_VERSION}, {"compiler", this_build.compiler}, {"flags", this_build.flags}};
  std::string levels;
  for (const isa level : isas()) append(levels, name_of(level));
  b["instruction sets"] = levels;
  if (*this_build.cuda_compiler) {
    b["CUDA compiler"] = this_build.cuda_compiler;
    b["CUDA flags"] = this_build.cuda_flags;
  }
  return b;
}

ordered_json backend_facts() {
  ordered_json all = ordered_json::object();
  for (const backend_info& b : backends())
    all[name_of(b.backend)] =
        b.available
            ? b.detail + (b.threads > 0 ? fmt::format("; {} thread{}", b.threads, b.threads > 1 ? "s" : "") : "")
            : "cannot run: " + b.detail;
  return all;
}

}  // namespace

ordered_json all_facts() { return {{"machine", machine()}, {"build", build()}, {"backends", backend_facts()}}; }

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

}  // namespace onefold::cli
