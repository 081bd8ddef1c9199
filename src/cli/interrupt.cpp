#include "bench/interrupt.hpp"

#include <csignal>

namespace onefold::cli {
namespace {

std::atomic<bool> flag = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");
struct sigaction before;

}  // namespace

interrupt::interrupt() {
  flag = false;
  struct sigaction now {};
  now.sa_handler = [](int) { flag.store(true, std::memory_order_relaxed); };
  now.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &now, &before);
  // A shell's background job, or nohup: an inherited setting is obeyed.
  if (before.sa_handler == SIG_IGN) sigaction(SIGINT, &before, nullptr);
}

interrupt::~interrupt() { sigaction(SIGINT, &before, nullptr); }

const std::atomic<bool>& interrupt::wanted() { return flag; }

}  // namespace onefold::cli
