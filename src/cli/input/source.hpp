// Where bytes come from: a regular file, mapped; a stream (a pipe, a device, standard input), read block by block; or
// what is unpacked from either.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "files/read_ahead.hpp"
#include "input/byte_buffer.hpp"
#include "input/decoder.hpp"
#include "input/failure.hpp"
#include "input/progress_counter.hpp"
#include "input/truncation_guard.hpp"

namespace onefold::cli {

/// Thrown where the user interrupts the reading (interrupt::wanted).
class interrupted_reading : public failure {
 public:
  interrupted_reading() : failure(exit_code::interrupted, "interrupted") {}
};

/// A regular file that is read in any order, from `begin` on.
struct seekable_file {
  std::FILE* file;
  std::uint64_t begin;
};

/// An open input. Throws failure without the file's name: it is the caller's to add.
class source {
 public:
  /// Bytes of a mapped file that next_block returns at once: they are folded by all threads.
  static constexpr std::size_t window_bytes = std::size_t{32} << 20;

  /// Opens a file; "-" is standard input. A regular file is mapped, and is then in memory as a whole at once; but not
  /// where it takes more than half of the addresses that the process may have, nor one of more than a window that the
  /// system does not have in memory for the most part: to read that is faster. `counted` must outlive it.
  source(const std::string& path, progress_counter& counted);
  /// Reads a pipe, and closes it.
  source(int pipe, progress_counter& counted);
  /// Unpacks. The decoder counts in the counter.
  source(std::unique_ptr<decoder> unpacked, progress_counter& counted);
  source(const source&) = delete;
  source& operator=(const source&) = delete;
  ~source();

  /// Whether the bytes are the file's own, mapped and never copied.
  bool mapped() const { return map_ != nullptr; }
  /// Whether the bytes are unpacked from a compressed file or an archive, and their number where that says so.
  bool unpacked() const { return unpacked_ != nullptr; }
  std::optional<std::uint64_t> unpacked_size() const { return unpacked_ ? unpacked_->size() : std::nullopt; }
  /// The bytes that are in memory and not dropped.
  std::span<const std::byte> bytes() const;
  /// Reads on; false if there is nothing more. Invalidates bytes().
  bool more();
  /// Reads on until bytes() has `count` bytes, or to the end.
  void at_least(std::size_t count);
  /// The same, of bytes that are kept: where they are many, a regular file is mapped if it is not, and can be.
  void keep(std::size_t count);
  /// The same, and returns bytes(): fewer also where the user interrupts the reading, which what is read next throws.
  std::span<const std::byte> peek(std::size_t count);
  /// Whether a stream has not been seen to end.
  bool more_may_come() const { return !ended_; }
  /// The regular file that holds bytes() and what follows, for another reader that then closes it; nothing of a stream.
  /// Once it is called, this source must not read on.
  std::optional<seekable_file> opened_for_seeking() const;
  /// Reads all.
  void to_end();
  /// Forgets the first `count` bytes. Of a mapped file their memory goes back to the system.
  void drop(std::size_t count);
  /// From now on a thread reads a stream ahead of more().
  void start_reading_ahead();
  /// Forgets the block that the call before returned, and returns the next one: window_bytes of a mapped file, which
  /// the system is asked to read ahead, or read_ahead's blocks of a stream; empty at the end. Once it is called, it
  /// alone reads.
  std::span<const std::byte> next_block();
  /// Any thread that waits for bytes gives up: none are wanted anymore.
  void stop();
  /// Throws if the file is shorter now than when it was opened: of a mapped one the last page would have read as zeros.
  void check_unchanged() const;

 private:
  void open_regular();
  void map(std::size_t size, std::size_t at, bool wanted);
  std::size_t read_some(std::span<std::byte> room);
  void stop_if_interrupted() const;
  void advise();
  detail::read_ahead::read reading();

  std::string name_;  ///< of a file, as messages have it
  int descriptor_ = -1;
  bool owns_descriptor_ = false;
  bool ended_ = false;
  std::byte* map_ = nullptr;
  std::size_t map_size_ = 0;
  std::size_t size_ = 0;  ///< of a regular file when it was opened
  std::size_t map_at_ = 0;
  std::size_t released_ = 0;  ///< bytes of the map whose memory went back
  std::size_t advised_ = 0;   ///< bytes of the map that the system was asked to read
  std::size_t block_ = 0;     ///< bytes of the map that next_block returned
  std::unique_ptr<watched_range> watched_;
  std::unique_ptr<decoder> unpacked_;
  std::atomic<bool> stopped_ = false;
  std::unique_ptr<detail::read_ahead> ahead_;
  byte_buffer buffer_;
  progress_counter& counted_;
};

/// The bytes of an input that can be read, "-" or a file, if it is a regular file; 0 for others.
std::uint64_t bytes_of_regular(const std::string& path);

/// The name of an input as it is, for programs: "standard input" for "-", quotes for an empty one.
std::string known_name(const std::string& path);

/// The same in messages and texts: escaped.
std::string shown_name(const std::string& path);

/// The same of several files, at least one: "a.txt", "a.txt and b.txt", "a.txt and 3 more files".
std::string shown_names(const std::vector<std::string>& paths);

}  // namespace onefold::cli
