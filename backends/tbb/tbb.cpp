// The oneTBB backend: an arena of task slots, one static chunk of pieces each.
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/version.h>

#include <algorithm>
#include <new>

#include "onefold/backend.hpp"

namespace {

const char* why_not() { return nullptr; }

// Never more than TBB allows: an arena with more slots would make it print a warning.
int threads(int wanted) {
  if (!wanted) return tbb::this_task_arena::max_concurrency();
  const auto most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return static_cast<int>(std::min(static_cast<std::size_t>(wanted), most));
}

void* open(int threads) { return new (std::nothrow) tbb::task_arena(threads); }

void close(void* handle) { delete static_cast<tbb::task_arena*>(handle); }

void run(void* handle, int pieces, void (*work)(void*, int), void* context) {
  try {
    if (!handle) throw std::bad_alloc();
    static_cast<tbb::task_arena*>(handle)->execute([=] {
      tbb::parallel_for(
          0, pieces, [=](int i) { work(context, i); }, tbb::static_partitioner());
    });
  } catch (...) {  // no memory for tasks; a piece that is done twice has the same result
    for (int i = 0; i < pieces; ++i) work(context, i);
  }
}

constinit const onefold::scheduler tbb_scheduler = {
    sizeof(onefold::scheduler), "tbb", "oneTBB " TBB_VERSION_STRING, why_not, threads, open, close, run,
};

}  // namespace

ONEFOLD_EXPORT_BACKEND(tbb) { return &tbb_scheduler; }
