// The oneTBB backend: an arena of task slots, one static chunk of pieces each.
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/version.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>

#include "onefold/backend.hpp"

namespace {

const char* why_not() { return nullptr; }

// Destructors of the application may reduce when the process ends, after oneTBB's own: then the caller works alone.
constinit std::atomic<bool> ended = false;
const struct last_of_all {
  ~last_of_all() { ended = true; }
} before_the_runtime;  // whose libraries were there before

// Never more than TBB allows: an arena with more slots would make it print a warning.
int threads(int wanted) {
  if (ended) return 1;
  if (!wanted) return tbb::this_task_arena::max_concurrency();
  const auto most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return static_cast<int>(std::min(static_cast<std::size_t>(wanted), most));
}

/// An arena that is kept, with its place in the list of those at rest.
struct kept_arena {
  tbb::task_arena arena;
  kept_arena* next;
};

/// The arenas of one number of threads. They last as long as the process: oneTBB 2021.8 frees an arena that is given up
/// late or never, and the more there are the longer each call takes. A run has one to itself, so that it never waits
/// for slots that other callers fill; there are as many as runs were under way at once.
struct arenas {
  int threads;
  arenas* others;  ///< of other numbers of threads
  std::mutex guard{};
  kept_arena* at_rest = nullptr;

  /// An arena at rest, or a new one. Throws std::bad_alloc.
  kept_arena& take() {
    {
      const std::lock_guard hold(guard);
      if (kept_arena* const rested = at_rest) {
        at_rest = rested->next;
        return *rested;
      }
    }
    // One whose first use fails is given up: oneTBB leaves it as if that use were under way for ever.
    std::unique_ptr<kept_arena> made(new kept_arena{tbb::task_arena(threads), nullptr});
    made->arena.initialize();
    return *made.release();
  }
  void release(kept_arena& a) {
    const std::lock_guard hold(guard);
    a.next = at_rest;
    at_rest = &a;
  }
};

constinit std::atomic<arenas*> known = nullptr;

// Takes no lock that a thread could hold while another one forks. Returns null if memory runs out.
void* open(int threads) {
  arenas* first = known.load(std::memory_order_acquire);
  for (arenas* a = first; a; a = a->others)
    if (a->threads == threads) return a;
  // Where two threads come here at once there are two of that number, and both are used.
  auto* const made = new (std::nothrow) arenas{threads, first};
  while (made && !known.compare_exchange_weak(first, made, std::memory_order_acq_rel)) made->others = first;
  return made;
}

void close(void*) {}

void run(void* handle, int pieces, void (*work)(void*, int), void* context) {
  try {
    if (!handle || ended) throw std::bad_alloc();
    arenas& those = *static_cast<arenas*>(handle);
    struct lease {
      arenas& from;
      kept_arena& taken;
      ~lease() { from.release(taken); }
    } const mine{those, those.take()};
    mine.taken.arena.execute([=] {
      tbb::parallel_for(
          0, pieces, [=](int i) { work(context, i); }, tbb::static_partitioner());
    });
  } catch (...) {  // no memory for tasks, or their end; a piece that is done twice has the same result
    for (int i = 0; i < pieces; ++i) work(context, i);
  }
}

constinit const onefold::scheduler tbb_scheduler = {
    sizeof(onefold::scheduler), "tbb", "oneTBB " TBB_VERSION_STRING, why_not, threads, open, close, run,
};

}  // namespace

ONEFOLD_EXPORT_BACKEND(tbb) { return &tbb_scheduler; }
