// What happens when a mapped file becomes shorter while it is read: one line and exit code 3, no crash.
#pragma once

#include <cstddef>
#include <string>

namespace onefold::cli {

/// A mapped range of a file. While it lives, reading past the file's new end prints one line that names the file
/// and the place, and ends the program. Not movable: the signal handler holds its address.
class watched_range {
 public:
  watched_range(const std::string& name, const std::byte* begin, std::size_t size);
  watched_range(const watched_range&) = delete;
  watched_range& operator=(const watched_range&) = delete;
  ~watched_range();

 private:
  friend struct watched_ranges;
  std::string name_;
  const std::byte* begin_;
  std::size_t size_;
  watched_range* next_;
};

}  // namespace onefold::cli
