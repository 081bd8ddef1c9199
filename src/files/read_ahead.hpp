// Blocks of a stream, of which the next ones are read while one is used.
#pragma once

#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <thread>

#include "onefold/types.hpp"

namespace onefold::detail {

/// Reads a stream into blocks. The first is read by the caller, so that a short stream needs no thread; a thread reads
/// those after it, up to two ahead of the one in use.
class ONEFOLD_API read_ahead {
 public:
  /// Bytes of a block: large against the cost of handing it on, small enough that the caches still have it.
  static constexpr std::size_t block_bytes = std::size_t{4} << 20;

  /// Fills the front of a room, which is not empty; returns the number of bytes, 0 at the end only. May throw.
  using read = std::function<std::size_t(std::span<std::byte>)>;

  /// `begun`, at most a block, comes before what `next` reads.
  explicit read_ahead(read next, std::span<const std::byte> begun = {});
  /// Waits until the read under way returns; not in a child of fork(), which has no thread to wait for.
  ~read_ahead();
  read_ahead(const read_ahead&) = delete;
  read_ahead& operator=(const read_ahead&) = delete;

  /// The next block, the caller's until the call after; all but the last are full, and it is empty at the end. Throws
  /// what reading threw, after the bytes before it, and again whenever it is called; and invalid_argument in a child of
  /// fork() whose parent has the thread.
  std::span<std::byte> next();

 private:
  struct freed {
    void operator()(std::byte* p) const { ::operator delete(p, alignment); }
  };
  struct block {
    std::unique_ptr<std::byte, freed> memory;
    std::size_t size = 0;
  };
  static constexpr std::align_val_t alignment{4096};
  static constexpr std::size_t blocks = 3;

  /// The thread that reads, and what it shares with the caller.
  struct reader {
    const pid_t process = getpid();
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t filled = 0;  ///< blocks
    bool over = false;
    std::thread thread;

    bool is_here() const { return process == getpid(); }
  };

  void fill(block& b);
  bool start();
  void run();

  read read_;
  std::array<block, blocks> ring_;
  std::size_t used_ = 0;            ///< blocks that the caller got; the last of them is in use
  bool ended_ = false;              ///< it got the last one
  std::exception_ptr problem_;      ///< of the read after the last block
  std::unique_ptr<reader> reader_;  ///< from the second block on
  bool alone_ = false;              ///< the system has no thread left
};

}  // namespace onefold::detail
