// The SIGBUS handler and the list of ranges that it looks in.
#include "input/truncation_guard.hpp"

#include <unistd.h>
#include <csignal>
#include <cstdint>
#include <cstring>

#include <atomic>
#include <utility>

#include "input/failure.hpp"

namespace onefold::cli {

/// The list and its handler. Ranges come and go on the main thread only; the handler runs on any.
struct watched_ranges {
  static inline std::atomic<watched_range*> first{nullptr};
  /// Set by the first thread that finds a file shortened: one line is enough.
  static inline std::atomic_flag speaks;

  /// A line that is put together without allocating, as a signal handler must.
  struct line {
    char text[4600];
    std::size_t length = 0;

    void add(const char* s, std::size_t n) {
      n = n < sizeof text - length ? n : sizeof text - length;
      std::memcpy(text + length, s, n);
      length += n;
    }
    void add(const char* s) { add(s, std::strlen(s)); }
    void add(std::uint64_t number) {
      char digits[20];
      std::size_t at = sizeof digits;
      do {
        digits[--at] = static_cast<char>('0' + number % 10);
        number /= 10;
      } while (number != 0);
      add(digits + at, sizeof digits - at);
    }
  };

  static void on_bus_error(int, siginfo_t* info, void*) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (const watched_range* r = first.load(); r != nullptr; r = r->next_) {
      const auto begin = reinterpret_cast<std::uintptr_t>(r->begin_);
      if (address - begin >= r->size_) continue;
      if (speaks.test_and_set())
        for (;;) pause();  // another thread is about to end the program
      line message;
      message.add("onefold: ");
      message.add(r->name_.c_str());
      message.add(": byte offset ");
      message.add(static_cast<std::uint64_t>(address - begin));
      message.add(": expected ");
      message.add(static_cast<std::uint64_t>(r->size_));
      message.add(" bytes, found the end: the file became shorter while it was read\n");
      [[maybe_unused]] const auto written = write(STDERR_FILENO, message.text, message.length);
      _exit(static_cast<int>(exit_code::bad_data));
    }
    std::signal(SIGBUS, SIG_DFL);  // not ours: the access repeats and ends the program as it would have
  }

  static void install() {
    struct sigaction action = {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, nullptr);
  }
};

watched_range::watched_range(const std::string& name, const std::byte* begin, std::size_t size)
    : name_(spelled_out(name)), begin_(begin), size_(size), next_(watched_ranges::first.load()) {
  watched_ranges::install();
  watched_ranges::first.store(this);
}

watched_range::~watched_range() {
  if (watched_ranges::first.load() == this) {
    watched_ranges::first.store(next_);
    return;
  }
  for (watched_range* r = watched_ranges::first.load(); r != nullptr; r = r->next_)
    if (r->next_ == this) r->next_ = next_;
}

}  // namespace onefold::cli
