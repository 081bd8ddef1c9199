// A file, a pipe or a device that is read from its beginning to its end.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace onefold::detail {

/// An open descriptor. Its errors (invalid_argument) leave the file's name to the caller.
class input_file {
 public:
  /// Opens a file, which is closed at the end. Throws, with the system's reason, if that fails.
  explicit input_file(const std::string& path);
  /// Reads a descriptor, which stays open, from where it stands.
  explicit input_file(int descriptor);
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;
  ~input_file();

  /// Reads what there is, at least a byte; returns the number of bytes, 0 at the end only. Throws, with the system's
  /// reason, if that fails, and once stop() was called.
  std::size_t read(std::span<std::byte> room);
  /// Reads until the room is full or the file ends; returns the number of bytes.
  std::size_t fill(std::span<std::byte> room);
  /// Steps over bytes. Throws if there are fewer.
  void skip(std::uint64_t count);
  /// The bytes from where it stands to its end, as the system says them of a regular file: it may have others when they
  /// are read.
  std::optional<std::uint64_t> left() const;
  /// A thread that waits in read gives up.
  void stop() { stopped_ = true; }

 private:
  int descriptor_;
  bool owned_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace onefold::detail
