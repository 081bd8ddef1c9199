#include "measure/load.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <thread>

#include "planner/machine.hpp"

namespace onefold::measure {
namespace {

using clock = std::chrono::steady_clock;

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Seconds for which some thread of the system has waited for a processor; nothing where the kernel does not count.
std::optional<double> pressure() {
  const std::string text =
      content_of("/proc/pressure/cpu");  // "some avg10=0.00 avg60=0.12 avg300=0.07 total=194841225"
  const std::size_t at = text.find("total=");
  if (at == std::string::npos) return std::nullopt;
  return std::atof(text.c_str() + at + 6) * 1e-6;
}

/// Seconds of processors that this process has used.
double own_time() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// "0.12", in any locale.
std::string fixed(double x, int digits) {
  char text[320];
  return {text, std::to_chars(text, text + sizeof text, x, std::chars_format::fixed, digits).ptr};
}

}  // namespace

processor_time processor_time_in(std::string_view stat, const std::vector<int>& processors) {
  processor_time sum;
  const double tick = 1.0 / static_cast<double>(std::max(1L, sysconf(_SC_CLK_TCK)));
  std::istringstream lines{std::string(stat)};
  for (std::string line; std::getline(lines, line) && line.starts_with("cpu");) {
    std::istringstream fields(line.substr(3));
    int processor = 0;
    // The first line, "cpu ", is the sum of all.
    if (line.starts_with("cpu ") || !(fields >> processor)) continue;
    if (std::ranges::find(processors, processor) == processors.end()) continue;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, softirq = 0, stolen = 0;
    if (!(fields >> user >> nice >> system >> idle >> waiting >> irq >> softirq >> stolen)) continue;
    sum.busy += tick * (user + nice + system + irq + softirq + stolen);
    sum.stolen += tick * stolen;
  }
  return sum;
}

processor_time processor_time_now() { return processor_time_in(content_of("/proc/stat"), detail::affinity()); }

double stolen_between(const processor_time& before, const processor_time& after, double seconds) {
  const double took_part = std::max(seconds, after.busy - before.busy);
  return took_part > 0 ? std::clamp((after.stolen - before.stolen) / took_part, 0.0, 1.0) : 0;
}

std::optional<double> group_time(const std::string& group) {
  // The newer control groups' file: "usage_usec 194841225"; the older ones': nanoseconds.
  std::ifstream stat(group + "/cpu.stat");
  double used = 0;
  for (std::string key; stat >> key >> used;)
    if (key == "usage_usec") return used * 1e-6;
  if (std::ifstream(group + "/cpuacct.usage") >> used) return used * 1e-9;
  return std::nullopt;
}

bool load::busy() const { return others > std::max(0.25, 0.02 * processors); }

std::string load::text() const {
  return "other programs use " + fixed(others, 1) + " of " + std::to_string(processors) + " processor" +
         (processors == 1 ? "" : "s") + ", load average " + fixed(average, 2);
}

load look_at_load(double seconds) { return look_at_load(seconds, detail::limiting_group()); }

load look_at_load(double seconds, const std::string& group) {
  load found;
  found.processors =
      group.empty() ? std::max(1, static_cast<int>(detail::affinity().size())) : detail::usable_processors();
  const auto begin = clock::now();
  const processor_time before = processor_time_now();
  const std::optional<double> group_before = group_time(group);
  const std::optional<double> pressure_before = pressure();
  const double own = own_time();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const processor_time after = processor_time_now();
  const double in_group = group_time(group).value_or(0) - group_before.value_or(0);
  const double passed = std::chrono::duration<double>(clock::now() - begin).count();
  getloadavg(&found.average, 1);
  const auto shares = [&](double used) {
    return std::clamp((used - (own_time() - own)) / passed, 0.0, 1.0 * found.processors);
  };
  if (!group.empty())
    found.others = shares(in_group);
  else if (after.busy > 0)
    found.others = shares(after.busy - before.busy);
  else if (pressure_before)
    found.others = (pressure().value_or(*pressure_before) - *pressure_before) / passed;
  else
    found.others = found.average;
  return found;
}

}  // namespace onefold::measure
