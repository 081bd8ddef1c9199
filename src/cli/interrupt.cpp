#include "interrupt.hpp"

namespace onefold::cli {
namespace {

std::atomic<bool> flag = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

}  // namespace

interrupt::interrupt(std::span<const int> signals) {
  flag = false;
  for (const int signal : signals) {
    struct sigaction now {
    }, before{};
    now.sa_handler = [](int) { flag.store(true, std::memory_order_relaxed); };
    now.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(signal, nullptr, &before);
    // A shell's background job, or nohup: an inherited setting is obeyed.
    if (before.sa_handler == SIG_IGN) continue;
    before_.emplace_back(signal, before);
    sigaction(signal, &now, nullptr);
  }
}

interrupt::~interrupt() {
  for (const auto& [signal, before] : before_) sigaction(signal, &before, nullptr);
}

const std::atomic<bool>& interrupt::wanted() { return flag; }

}  // namespace onefold::cli
