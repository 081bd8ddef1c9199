// Files that tests write: in the folder for temporary files, removed at the end; and .npy files as NumPy writes them.
#pragma once

#include <unistd.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "onefold/types.hpp"

namespace support {

/// Writes all bytes; returns whether a pipe's reader took them.
inline bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = write(descriptor, bytes.data(), bytes.size());
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

/// A file with these bytes.
class scratch_file {
 public:
  explicit scratch_file(std::string_view bytes) : path_(std::filesystem::temp_directory_path() / "onefold-XXXXXX") {
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0) throw std::runtime_error("no file can be made at " + path_);
    const bool written = write_all(descriptor, bytes);
    close(descriptor);
    if (!written) throw std::runtime_error(path_ + " cannot be written");
  }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
  ~scratch_file() { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The bytes of elements, as a file has them.
template <class Elements>
std::string_view bytes_of(const Elements& elements) {
  const auto bytes = std::as_bytes(std::span(elements));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The start of an .npy file with this text as its header, and `length` as the text's length where it is given.
inline std::string npy_start(std::string_view header, int version = 1, std::int64_t length = -1) {
  std::string start = "\x93NUMPY";
  start += static_cast<char>(version);
  start += '\0';
  const auto size = length < 0 ? header.size() : static_cast<std::size_t>(length);
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) start += static_cast<char>(size >> 8 * i & 0xff);
  return start.append(header);
}

/// NumPy's name for a type, in this machine's byte order or the other one.
inline std::string npy_type(onefold::dtype type, bool swapped = false) {
  if (type == onefold::dtype::bf16) return swapped ? ">V2" : "<V2";
  const std::string name = onefold::name_of(type);
  const bool little = (std::endian::native == std::endian::little) != swapped;
  return std::string{little ? '<' : '>', name[0]}.append(std::to_string(onefold::size_of(type)));
}

/// The header's text of an array: "'<f4'", "(3, 4)".
inline std::string npy_text(std::string_view descr, std::string_view shape, bool fortran = false) {
  std::string text = "{'descr': ";
  text.append(descr).append(", 'fortran_order': ").append(fortran ? "True" : "False");
  return text.append(", 'shape': ").append(shape).append(", }\n");
}

}  // namespace support
