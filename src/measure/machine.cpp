// Linux tells by files: /proc/meminfo, /sys/fs/cgroup, /sys/devices/system/cpu.
#include "measure/machine.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace onefold::measure {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// The number that a file begins with; nothing if there is no such file, or a word ("max").
std::optional<std::int64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

std::int64_t available_to_all() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  std::int64_t kilobytes = 0;
  while (file >> name >> kilobytes && std::getline(file, unit))
    if (name == "MemAvailable:") return kilobytes << 10;
  return unlimited;
}

/// What the control group leaves; the older and the newer names of its files.
std::int64_t available_to_group() {
  for (const auto& [limit, usage] :
       {std::pair{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        std::pair{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}})
    if (const auto most = number_in(limit)) return std::max<std::int64_t>(0, *most - number_in(usage).value_or(0));
  return unlimited;
}

}  // namespace

std::int64_t available_memory() { return std::min(available_to_all(), available_to_group()); }

std::int64_t largest_cache() {
  std::int64_t largest = 0;
  for (int i = 0; i < 8; ++i)  // the files say kilobytes: 32768K
    if (const auto size = number_in("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/size"))
      largest = std::max(largest, *size << 10);
  return largest > 0 ? largest : std::int64_t{32} << 20;
}

}  // namespace onefold::measure
