// Linux tells by files: /proc/cpuinfo and /sys/devices/system/cpu.
#include "planner/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace onefold::detail {

std::string cpu_name() {
  // x86 has a name; AArch64 has numbers.
  std::ifstream file("/proc/cpuinfo");
  std::string name;
  for (std::string line; std::getline(file, line) && !line.empty();) {
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

int online_processors() { return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))); }

std::int64_t cache_bytes(int level) {
  for (int i = 0; i < 8; ++i) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
    int of = 0;
    std::int64_t kilobytes = 0;
    std::string type;
    if (std::ifstream(folder + "level") >> of && of == level && std::ifstream(folder + "type") >> type &&
        type != "Instruction" && std::ifstream(folder + "size") >> kilobytes)  // "32768K"
      return kilobytes << 10;
  }
  return 0;
}

}  // namespace onefold::detail
