// The backends of this process: linked in, or loaded from modules on first need.
#pragma once

#include <span>
#include <string>

#include "onefold/backend.hpp"
#include "onefold/options.hpp"

namespace onefold::detail {

/// A CPU backend, or why there is none.
struct loaded_backend {
  const scheduler* runs = nullptr;  ///< null if it cannot run
  std::string why_not;              ///< then the reason
};

/// The CPU backends in order of preference; sequential, which can always run, comes last.
std::span<const backend> cpu_backends();

/// A CPU backend by name; the first call looks for it, later ones return what was found. Never unloaded.
const loaded_backend& find_backend(backend b);

}  // namespace onefold::detail
