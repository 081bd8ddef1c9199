// The environment variables that the library obeys, read once.
#include "environment.hpp"

#include <cstdlib>

namespace onefold::detail {

const environment& the_environment() {
  const auto text = [](const char* name) {
    const char* value = secure_getenv(name);
    return std::string(value ? value : "");
  };
  // Never destroyed: destructors at the end of the process may still reduce.
  static const environment& e = *new environment{text("ONEFOLD_BACKEND"),
                                                 text("ONEFOLD_ISA"),
                                                 text("ONEFOLD_NUM_THREADS"),
                                                 text("ONEFOLD_BACKEND_PATH"),
                                                 text("ONEFOLD_PROFILE"),
                                                 text("XDG_CACHE_HOME"),
                                                 text("HOME"),
                                                 text("ONEFOLD_CACHE"),
                                                 text("ONEFOLD_INCLUDE"),
                                                 text("CXX"),
                                                 text("ONEFOLD_NVRTC"),
                                                 text("CUDA_HOME"),
                                                 text("PATH"),
                                                 text("TMPDIR")};
  return e;
}

}  // namespace onefold::detail
