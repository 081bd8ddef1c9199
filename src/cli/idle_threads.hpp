// What OpenMP's threads do between two pieces of a file.
#pragma once

#include <cstdlib>

namespace onefold::cli {

/// Lets them sleep, unless the environment says otherwise: spinning, they would take the processors from the thread
/// that reads the next piece. Call it before the first backend is loaded; it does nothing where OpenMP is linked in,
/// which has read the environment by then.
inline void let_idle_threads_sleep() { setenv("OMP_WAIT_POLICY", "passive", 0); }

}  // namespace onefold::cli
