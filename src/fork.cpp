// Handlers of fork(), registered when the library is loaded: on the way of a reduction they cost nothing.
#include "fork.hpp"

#include <pthread.h>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

namespace onefold::detail {

std::atomic<bool> threads_are_lost = false;
std::atomic<bool> accelerator_is_started = false;

namespace {

std::atomic<bool> parent_has_threads = false, accelerator_is_lost = false;

// Any threads: a library cannot see whether the application itself has used OpenMP, of which a child dies as well.
void before_fork() {
#if __has_include(<sys/single_threaded.h>)
  if (__libc_single_threaded) return;
#endif
  parent_has_threads = true;
}

void in_child() {
  if (parent_has_threads) threads_are_lost = true;
  if (accelerator_is_started) accelerator_is_lost = true;
}

[[gnu::constructor]] void register_handlers() { pthread_atfork(before_fork, nullptr, in_child); }

}  // namespace

bool accelerator_lost() { return accelerator_is_lost.load(std::memory_order_relaxed); }

}  // namespace onefold::detail
