// Allows oneTBB eight threads in this program, on machines of fewer processors too.
#include <tbb/global_control.h>

namespace {

const tbb::global_control eight_threads(tbb::global_control::max_allowed_parallelism, 8);

}  // namespace
