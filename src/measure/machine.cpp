// Linux tells by files: /proc/meminfo, /sys/fs/cgroup, /proc/driver.
#include "measure/machine.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

namespace onefold::measure {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// The number that a file begins with; nothing if there is no such file, or a word ("max").
std::optional<std::int64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

/// Bytes that /proc/meminfo says of this name.
std::optional<std::int64_t> memory(std::string_view wanted) {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  std::int64_t kilobytes = 0;
  while (file >> name >> kilobytes && std::getline(file, unit))
    if (name == wanted) return kilobytes << 10;
  return std::nullopt;
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

std::int64_t available_memory() { return std::min(memory("MemAvailable:").value_or(unlimited), available_to_group()); }

std::int64_t all_memory() { return memory("MemTotal:").value_or(0); }

// Of the line "NVRM version: ... Kernel Module ...  580.1.2 ...".
std::string nvidia_driver() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  std::istringstream words(line);
  for (std::string word; words >> word;)
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos) return word;
  return "";
}

}  // namespace onefold::measure
