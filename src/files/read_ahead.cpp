// One thread that fills a ring of three blocks.
#include "files/read_ahead.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "run/checks.hpp"

namespace onefold::detail {

read_ahead::read_ahead(read next, std::span<const std::byte> begun) : read_(std::move(next)) {
  block& first = ring_.front();
  if (begun.empty()) return;
  first.memory.reset(static_cast<std::byte*>(::operator new(block_bytes, alignment)));
  std::ranges::copy(begun, first.memory.get());
  first.size = begun.size();
}

read_ahead::~read_ahead() {
  if (!reader_) return;
  if (!reader_->is_here()) {  // locked or waited for by a thread that is not there: it cannot be destroyed
    static_cast<void>(reader_.release());
    return;
  }
  {
    const std::lock_guard hold(reader_->mutex);
    reader_->over = true;
  }
  reader_->changed.notify_all();
  reader_->thread.join();
}

std::span<std::byte> read_ahead::next() {
  if (!ended_) {
    if (used_ == 0 || !start()) {
      block& b = ring_[used_ % blocks];
      if (used_ > 0) b.size = 0;
      fill(b);
      ++used_;
    } else {
      if (!reader_->is_here())
        refuse("is read by a thread of the process that opened it: after fork(), open it in the child");
      std::unique_lock hold(reader_->mutex);
      ++used_;
      reader_->changed.notify_all();
      reader_->changed.wait(hold, [this] { return reader_->filled >= used_; });
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
  if (reader_ || alone_) return !alone_;
  reader_ = std::make_unique<reader>();
  reader_->filled = used_;
  try {
    reader_->thread = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    reader_.reset();
    alone_ = true;
  }
  return !alone_;
}

void read_ahead::run() {
  reader& r = *reader_;
  for (;;) {
    std::unique_lock hold(r.mutex);
    // The block in use and those that wait for it stay as they are.
    r.changed.wait(hold, [&] { return r.over || r.filled < used_ - 1 + blocks; });
    if (r.over) return;
    block& b = ring_[r.filled % blocks];
    hold.unlock();
    b.size = 0;
    fill(b);
    const bool last = b.size < block_bytes;
    hold.lock();
    ++r.filled;
    hold.unlock();
    r.changed.notify_all();
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
