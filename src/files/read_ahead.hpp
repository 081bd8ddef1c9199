// Blocks of a stream, of which the next ones are read while one is used.
#pragma once

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
  /// Waits until the read under way returns.
  ~read_ahead();
  read_ahead(const read_ahead&) = delete;
  read_ahead& operator=(const read_ahead&) = delete;

  /// The next block, the caller's until the call after; all but the last are full, and it is empty at the end. Throws
  /// what reading threw, after the bytes before it, and again whenever it is called.
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

  void fill(block& b);
  bool start();
  void run();

  read read_;
  std::array<block, blocks> ring_;
  std::size_t used_ = 0;        ///< blocks that the caller got; the last of them is in use
  bool ended_ = false;          ///< it got the last one
  std::exception_ptr problem_;  ///< of the read after the last block
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t filled_ = 0;  ///< blocks
  bool over_ = false;
  bool alone_ = false;  ///< the system has no thread left
  std::thread thread_;
};

}  // namespace onefold::detail
