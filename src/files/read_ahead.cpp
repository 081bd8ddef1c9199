// One thread that fills a ring of three blocks.
#include "files/read_ahead.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace onefold::detail {

read_ahead::read_ahead(read next, std::span<const std::byte> begun) : read_(std::move(next)) {
  block& first = ring_.front();
  if (begun.empty()) return;
  first.memory.reset(static_cast<std::byte*>(::operator new(block_bytes, alignment)));
  std::ranges::copy(begun, first.memory.get());
  first.size = begun.size();
}

read_ahead::~read_ahead() {
  {
    const std::lock_guard hold(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::span<std::byte> read_ahead::next() {
  if (!ended_) {
    if (used_ == 0 || !start()) {
      block& b = ring_[used_ % blocks];
      if (used_ > 0) b.size = 0;
      fill(b);
      ++used_;
    } else {
      std::unique_lock hold(mutex_);
      ++used_;
      changed_.notify_all();
      changed_.wait(hold, [this] { return filled_ >= used_; });
    }
    block& b = ring_[(used_ - 1) % blocks];
    ended_ = b.size < block_bytes;
    if (b.size > 0) return {b.memory.get(), b.size};
  }
  if (problem_) std::rethrow_exception(problem_);
  return {};
}

/// Whether the thread runs: it reads all blocks but the first.
bool read_ahead::start() {
  if (thread_.joinable() || alone_) return !alone_;
  filled_ = used_;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    alone_ = true;
  }
  return !alone_;
}

void read_ahead::run() {
  for (;;) {
    std::unique_lock hold(mutex_);
    // The block in use and those that wait for it stay as they are.
    changed_.wait(hold, [this] { return over_ || filled_ < used_ - 1 + blocks; });
    if (over_) return;
    block& b = ring_[filled_ % blocks];
    hold.unlock();
    b.size = 0;
    fill(b);
    const bool last = b.size < block_bytes;
    hold.lock();
    ++filled_;
    hold.unlock();
    changed_.notify_all();
    if (last) return;
  }
}

/// Reads until the block is full or the stream has ended, or could not be read.
void read_ahead::fill(block& b) try {
  if (!b.memory) b.memory.reset(static_cast<std::byte*>(::operator new(block_bytes, alignment)));
  while (b.size < block_bytes) {
    const std::size_t got = read_({b.memory.get() + b.size, block_bytes - b.size});
    if (got == 0) return;
    b.size += got;
  }
} catch (...) {
  problem_ = std::current_exception();
}

}  // namespace onefold::detail
