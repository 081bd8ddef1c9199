// Handlers of fork(), registered when the library is loaded: on the way of a reduction they cost nothing.
#include "fork.hpp"

#include <pthread.h>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include "cpu.hpp"
#include "modules.hpp"
#include "resolve.hpp"

namespace onefold::detail {

std::atomic<bool> threads_are_lost = false;
std::atomic<bool> accelerator_is_started = false;

namespace {

std::atomic<bool> parent_has_threads = false, accelerator_is_lost = false;
constinit std::mutex loader;
constinit thread_local bool holds_loader = false;

// Makes what is made at its first use: the child would wait for a thread that was making it, and is not there.
void make_all() {
  const auto make = [](const auto& one) {
    try {
      static_cast<void>(one());
    } catch (...) {  // a variable that asks for what does not exist: that is said where it counts
    }
  };
  make([] { return resolve_level(); });
  make([] { return cpu_levels().size(); });
  make([] { return resolve_backend({}).backend; });
  make([] { return resolve_threads({}); });
  make([] { return find_backend(backend::sequential).record; });
}

// Any threads: a library cannot see whether the application itself has used OpenMP, of which a child dies as well.
void before_fork_of_threads() {
#if __has_include(<sys/single_threaded.h>)
  if (__libc_single_threaded) return;
#endif
  parent_has_threads = true;
  make_all();
}

void before_fork() {
  before_fork_of_threads();
  if (!holds_loader) loader.lock();
}

void after_fork() {
  if (!holds_loader) loader.unlock();
}

void in_child() {
  after_fork();
  if (parent_has_threads) threads_are_lost = true;
  if (accelerator_is_started) accelerator_is_lost = true;
}

[[gnu::constructor]] void register_handlers() { pthread_atfork(before_fork, after_fork, in_child); }

}  // namespace

loader_hold::loader_hold() : is_first_(!holds_loader) {
  if (!is_first_) return;
  loader.lock();
  holds_loader = true;
}

loader_hold::~loader_hold() {
  if (!is_first_) return;
  holds_loader = false;
  loader.unlock();
}

bool accelerator_lost() { return accelerator_is_lost.load(std::memory_order_relaxed); }

}  // namespace onefold::detail
