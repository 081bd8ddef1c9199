// The backend under test: from ONEFOLD_TEST_BACKEND, which each CTest entry sets.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "onefold/onefold.hpp"

namespace support {

/// The backend that ONEFOLD_TEST_BACKEND names; sequential where it is not set.
inline onefold::backend backend_under_test() {
  const char* name = std::getenv("ONEFOLD_TEST_BACKEND");
  if (!name || !*name) return onefold::backend::sequential;
  const auto b = onefold::parse_backend(name);
  if (!b) throw std::invalid_argument(std::string("ONEFOLD_TEST_BACKEND=") + name + " is no backend");
  return *b;
}

/// Options that force the backend under test.
inline onefold::options on_backend(onefold::accuracy mode = onefold::accuracy::native, int threads = 0) {
  onefold::options how;
  how.backend = backend_under_test();
  how.accuracy = mode;
  how.threads = threads;
  return how;
}

/// The same options; on CPUs where they force an accelerator: for elements that a function of the host computes.
inline onefold::options on_cpu(onefold::options how) {
  if (onefold::is_accelerator(how.backend)) how.backend = onefold::backend::cpu;
  return how;
}

/// The instruction sets that the backend under test computes with. An accelerator has its own: there one stands for
/// all.
inline std::vector<onefold::isa> levels_under_test() {
  if (onefold::is_accelerator(backend_under_test())) return {onefold::isa::automatic};
  return onefold::isas();
}

/// Options at accuracy exact, with thread counts and instruction sets that change as `turn` counts.
inline onefold::options turned(int turn) {
  auto how = on_backend(onefold::accuracy::exact, 1 + turn % 4);
  how.isa = onefold::isas()[static_cast<std::size_t>(turn / 4) % onefold::isas().size()];
  return how;
}

/// Records that this program could not test what it is for: it then ends as skipped, unless a check failed.
void skip(const std::string& reason);

}  // namespace support
