// The small part of Python's literals that .npy headers are written in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace onefold::detail {

/// Reads literals one after the other. Each function throws invalid_argument, with a byte offset into the file, if
/// something else stands there.
class literal_reader {
 public:
  /// `offset`: where in the file the text begins.
  literal_reader(std::string_view text, std::size_t offset) : text_(text), offset_(offset) {}

  /// Whether the next character, after white space, is `c`.
  bool at(char c);
  /// Steps over `c` if it is next.
  bool skip(char c);
  /// Steps over `c`, which must be next.
  void expect(char c);
  /// A string in single or double quotes, without escapes.
  std::string string();
  /// True or False.
  bool boolean();
  /// An integer from 0 to 2^63 - 1, with Python 2's L allowed after it.
  std::int64_t natural(std::string_view what);
  /// Only white space is left.
  void end();
  /// Throws: expected this, found what stands here.
  [[noreturn]] void refuse(std::string_view expected);

 private:
  void skip_space();

  std::string_view text_;
  std::size_t offset_;
  std::size_t position_ = 0;
};

}  // namespace onefold::detail
