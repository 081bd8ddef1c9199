// Linux tells by files: /proc/cpuinfo, /sys/devices/system/cpu, /sys/fs/cgroup; and by the main thread's affinity.
#include "planner/machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <limits>
#include <memory>
#include <numeric>

#include "shortage.hpp"

namespace onefold::detail {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// A file of the system, if it can be read.
std::ifstream file(const std::string& path) {
  errno = 0;
  std::ifstream f(path);
  if (!f) note_failure(errno);
  return f;
}

/// Processors' worth of time that a control group has in a period; the newer and the older names of its files.
double quota_in(const std::string& folder) {
  double quota = 0, period = 0;
  if (file(folder + "/cpu.max") >> quota >> period && period > 0) return quota / period;  // else "max 100000"
  if (file(folder + "/cpu.cfs_quota_us") >> quota && quota > 0 &&                         // -1: unlimited
      file(folder + "/cpu.cfs_period_us") >> period && period > 0)
    return quota / period;
  return unlimited;
}

/// A control group's folder, and its quota.
struct limit {
  double processors = unlimited;
  std::string group;
};

/// The least of the process's control group and those around it, as far as they are to be seen.
limit least_quota() {
  limit least;
  std::ifstream groups = file("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "0::/user.slice", "4:cpu,cpuacct:/docker/1234"
    const std::size_t names = line.find(':') + 1, path = line.find(':', names) + 1;
    const std::string controllers = line.substr(names, path - names);
    if (controllers != ":" && controllers.find("cpu") == std::string::npos) continue;
    const std::string root = controllers == ":" ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
    for (std::string group = line.substr(path);; group.erase(group.rfind('/'))) {
      const double quota = quota_in(root + group);
      if (quota < least.processors) least = {quota, root + group};
      if (group.find('/') == std::string::npos) break;
    }
  }
  return least;
}

}  // namespace

std::string cpu_name() {
  // x86 has a name; AArch64 has numbers.
  std::ifstream cpus = file("/proc/cpuinfo");
  std::string name;
  for (std::string line; std::getline(cpus, line) && !line.empty();) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    std::string value = line.substr(colon + 2);
    if (key == "model name") return value;
    if (key == "CPU implementer" || key == "CPU variant" || key == "CPU part")
      name += (name.empty() ? "" : " ") + value;
  }
  return name;
}

std::vector<int> affinity() {
  std::vector<int> all;
  // Of the main thread, whichever asks: it does not depend on which comes first. Larger sets than the machine's are
  // asked for until one is large enough.
  for (int most = 1024; most <= 1 << 20; most *= 2) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(CPU_ALLOC(most), [](cpu_set_t* s) { CPU_FREE(s); });
    const std::size_t bytes = CPU_ALLOC_SIZE(most);
    if (set && sched_getaffinity(getpid(), bytes, set.get()) == 0) {
      for (int i = 0; i < most; ++i)
        if (CPU_ISSET_S(i, bytes, set.get())) all.push_back(i);
      return all;
    }
    const int reason = set ? errno : ENOMEM;
    if (reason != EINVAL) {
      note_failure(reason);
      break;
    }
  }
  all.resize(static_cast<std::size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

int allowed_processors() {
  static constinit found_once<int> allowed;
  return allowed.get([] { return std::max(1, static_cast<int>(affinity().size())); });
}

int usable_processors() {
  static constinit found_once<int> usable;
  return usable.get([] {
    return static_cast<int>(std::clamp(std::ceil(least_quota().processors), 1.0, 1.0 * allowed_processors()));
  });
}

std::string limiting_group() {
  const limit least = least_quota();
  return least.processors < allowed_processors() ? least.group : "";
}

std::int64_t cache_bytes(int level) {
  for (int i = 0; i < 8; ++i) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
    int of = 0;
    std::int64_t kilobytes = 0;
    std::string type;
    if (file(folder + "level") >> of && of == level && file(folder + "type") >> type && type != "Instruction" &&
        file(folder + "size") >> kilobytes)  // "32768K"
      return kilobytes << 10;
  }
  return 0;
}

}  // namespace onefold::detail
