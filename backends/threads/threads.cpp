// The threads backend: a pool of the standard library's threads, which needs no runtime.
//
// A call takes workers that are at rest, and starts what is missing. Each has its pieces; those of a worker that has
// not begun when the caller is done are taken back and done by the caller, so that no caller waits for a thread that
// the system does not schedule. No lock is held anywhere. The pool lasts as long as the process: its threads are
// detached and touch nothing that has a destructor, so that the end of the process neither waits for them nor takes
// anything away.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>

#include "onefold/backend.hpp"

namespace {

const char* why_not() { return nullptr; }

constexpr int most_threads = 1024;  // as the library's
constexpr int most_workers = most_threads - 1;

/// How many processors the process may use: those of its main thread, whichever asks.
int processors() {
  static constinit std::atomic<int> known = 0;
  if (!known) {
    cpu_set_t set;
    const bool found = sched_getaffinity(getpid(), sizeof set, &set) == 0;
    known = std::max(1, found ? CPU_COUNT(&set) : static_cast<int>(std::thread::hardware_concurrency()));
  }
  return known;
}

int threads(int wanted) { return std::min(wanted ? wanted : processors(), most_threads); }

/// Every `step`-th piece of a call, from `first` on.
struct share {
  void (*work)(void*, int);
  void* context;
  int first, step, pieces;
  void fold() const {
    for (int i = first; i < pieces; i += step) work(context, i);
  }
};

/// What a worker is about. Its own thread makes called to working and working to done, a caller all other steps.
enum phase : int { absent, at_rest, claimed, called, working, done };

struct alignas(64) worker {
  std::atomic<int> now = absent;
  std::atomic<bool> sleeps = false;   ///< its thread waits for `called`
  std::atomic<bool> awaited = false;  ///< a caller waits for `done`
  share its{};                        ///< written while it is claimed
};

constinit worker pool[most_workers];
constinit std::atomic<int> started = 0;  ///< no worker from here on has a thread

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits for a phase: at first by looking, then asleep, which `waits` says.
void wait_for(phase wanted, worker& w, std::atomic<bool>& waits) {
  // Pauses: 20 to 40 us, the time between two calls of a loop; none where others would have the processor.
  constexpr int looks = 1000;
  for (int i = started.load(std::memory_order_relaxed) < processors() ? looks : 0; i > 0; --i) {
    if (w.now.load(std::memory_order_acquire) == wanted) return;
    pause();
  }
  waits = true;  // set before looking: a step that sees no waiter was made before this look
  for (int seen; (seen = w.now) != wanted;) w.now.wait(seen);
  waits = false;
}

void live(worker& w) {
  for (;;) {
    wait_for(called, w, w.sleeps);
    int expected = called;
    if (!w.now.compare_exchange_strong(expected, working)) continue;  // taken back
    w.its.fold();
    w.now = done;
    if (w.awaited) w.now.notify_all();
  }
}

/// Starts a worker's thread; false if the system has none.
bool start(worker& w, int number) {
  try {
    std::thread(live, std::ref(w)).detach();
  } catch (...) {
    return false;
  }
  for (int most = started; most <= number && !started.compare_exchange_weak(most, number + 1);) continue;
  return true;
}

/// The workers of one call.
class team {
 public:
  /// Takes up to `wanted`: those at rest first, the same ones in each call, which have its data in their caches.
  explicit team(int wanted) {
    const int known = started.load(std::memory_order_acquire);
    for (int i = 0; i < known && size_ < wanted; ++i) take(i, at_rest);
    for (int i = 0; i < most_workers && size_ < wanted; ++i)
      if (take(i, absent) && !start(pool[members_[size_ - 1]], i)) {
        pool[members_[--size_]].now.store(absent, std::memory_order_release);
        break;
      }
  }

  int size() const { return size_; }

  /// The pieces of member i are every (size() + 1)-th from i + 1 on.
  void call(const share& all) {
    for (int i = 0; i < size_; ++i) {
      worker& w = member(i);
      w.its = all;
      w.its.first = i + 1;
      w.now = called;
      if (w.sleeps) w.now.notify_all();
    }
  }

  /// Does what a member has not begun, waits for the others, and lets them rest.
  void finish() {
    for (int i = 0; i < size_; ++i) {
      worker& w = member(i);
      int expected = called;
      if (w.now.compare_exchange_strong(expected, claimed))
        w.its.fold();
      else
        wait_for(done, w, w.awaited);
      w.now.store(at_rest, std::memory_order_release);
    }
  }

 private:
  worker& member(int i) { return pool[members_[i]]; }

  bool take(int i, int from) {
    if (!pool[i].now.compare_exchange_strong(from, claimed)) return false;
    members_[size_++] = static_cast<std::uint16_t>(i);
    return true;
  }

  int size_ = 0;
  std::uint16_t members_[most_workers];
};

// Nothing is opened: the handle is the number of threads.
void* open(int threads) { return reinterpret_cast<void*>(static_cast<std::intptr_t>(threads)); }

void close(void*) {}

void run(void* handle, int pieces, void (*work)(void*, int), void* context) {
  const int wanted = static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
  team others(std::min(wanted, pieces) - 1);
  const share mine{work, context, 0, others.size() + 1, pieces};
  others.call(mine);
  mine.fold();
  others.finish();
}

constinit const onefold::scheduler threads_scheduler = {
    sizeof(onefold::scheduler), "threads", "threads of the C++ library", why_not, threads, open, close, run,
};

}  // namespace

ONEFOLD_EXPORT_BACKEND(threads) { return &threads_scheduler; }
