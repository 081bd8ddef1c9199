// What fork() takes from a child: the threads of its parent, and an accelerator that the parent has started.
#pragma once

#include <atomic>
#include <mutex>

namespace onefold::detail {

/// Set in the child of a process that had threads, which stayed there. Runtimes wait for them without end (OpenMP) or
/// may find their locks held: the child's calling threads work alone.
extern std::atomic<bool> threads_are_lost;
inline bool threads_lost() { return threads_are_lost.load(std::memory_order_relaxed); }
inline constexpr const char* why_threads_lost =
    "this process was forked from a process with threads, which it does not have";

/// Set where this process starts an accelerator.
extern std::atomic<bool> accelerator_is_started;

/// Whether this is the child of a process that had started an accelerator: CUDA does not work in both.
bool accelerator_lost();
inline constexpr const char* why_accelerator_lost =
    "this process was forked from one that had started a GPU, which does not survive fork(); start it with exec, or "
    "fork before the GPU is used";

/// Held by a thread while it reads or extends the loader's list of libraries, so that no child is forked meanwhile:
/// glibc leaves the list's lock as it was, and the child would wait for it without end. A thread may hold it twice.
class loader_hold {
 public:
  loader_hold();
  ~loader_hold();
  loader_hold(const loader_hold&) = delete;
  loader_hold& operator=(const loader_hold&) = delete;

 private:
  const bool is_first_;
};

}  // namespace onefold::detail
