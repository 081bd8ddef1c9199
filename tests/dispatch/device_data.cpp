// Data that only an accelerator reads: no CPU backend is loaded for it. A program of its own, because the tests' main
// asks for all backends.
//
// The driver is a library of its name, and the stand-in for CUDA says of all memory that it is on the device.
#include <dlfcn.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "dispatch/process.hpp"
#include "onefold/onefold.hpp"

namespace {

/// Whether a module of a CPU backend is in this process.
bool cpu_module_loaded() {
  std::ifstream file("/proc/self/maps");
  const std::string maps(std::istreambuf_iterator<char>(file), {});
  return maps.find("libonefold_openmp") != std::string::npos || maps.find("libonefold_tbb") != std::string::npos;
}

bool refused(const std::vector<float>& data, onefold::backend b) {
  try {
    onefold::sum(data, {.backend = b});
    return false;
  } catch (const onefold::error& e) {
    return e.code() == onefold::error_code::invalid_argument;
  }
}

int failed = 0;

void check(bool good, const char* what) {
  std::printf("%s: %s\n", good ? "ok" : "FAILED", what);
  failed += !good;
}

}  // namespace

int main() {
  check(dlopen(dispatch::setting("DRIVER").c_str(), RTLD_NOW) != nullptr, "the driver is there");
  const std::vector<float> data(1 << 24, 1.0f);
  check(onefold::sum(data) == 1 << 24, "device data is reduced");
  check(refused(data, onefold::backend::openmp) && refused(data, onefold::backend::cpu), "a CPU backend is refused");
  check(!cpu_module_loaded(), "nothing was loaded for the CPU");
  static_cast<void>(onefold::backends());
  check(cpu_module_loaded(), "the check sees modules");
  return failed;
}
