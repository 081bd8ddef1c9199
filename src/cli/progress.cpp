// The thread that writes the progress line.
#include "progress.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace onefold::cli {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::seconds delay{2};
constexpr std::chrono::milliseconds interval{500};

std::string line_of(const progress_counter& t, double seconds) {
  const auto bytes = static_cast<double>(t.bytes.load()), expected = static_cast<double>(t.expected.load());
  std::string text = fmt::format("{} {:.1f} MB", t.phase.load(), bytes / 1e6);
  if (expected > 0) text += fmt::format(" of {:.1f} MB", expected / 1e6);
  return text + fmt::format(", {:.0f} s", seconds);
}

}  // namespace

progress::progress(const progress_counter& shown)
    : progress([&shown](double seconds) { return line_of(shown, seconds); }) {}

progress::progress(std::function<std::string(double)> line) : line_(std::move(line)) {
  if (!isatty(STDERR_FILENO)) return;
  try {
    thread_ = std::thread([this] { show(); });
  } catch (const std::system_error&) {
    // The system has no thread left: the work goes on without its line.
  }
}

progress::~progress() {
  {
    const std::lock_guard hold(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void progress::show() {
  const auto start = clock::now();
  std::unique_lock hold(mutex_);
  if (wake_.wait_for(hold, delay, [this] { return over_; })) return;
  do {
    const double seconds = std::chrono::duration<double>(clock::now() - start).count();
    std::fputs(fmt::format("\ronefold: {}\x1b[K", line_(seconds)).c_str(), stderr);  // a lost terminal is not an error
    std::fflush(stderr);
  } while (!wake_.wait_for(hold, interval, [this] { return over_; }));
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

}  // namespace onefold::cli
