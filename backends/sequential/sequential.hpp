// The sequential backend: the calling thread.
#pragma once

#include "onefold/backend.hpp"

namespace onefold::detail {

/// Runs the pieces one after the other; part of the library itself, and always there.
extern const scheduler sequential_scheduler;

}  // namespace onefold::detail
