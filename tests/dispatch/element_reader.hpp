// What the tests of readers share: pipes that are written, and all that a reader gives.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>

#include "onefold/element_reader.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/files.hpp"

namespace dispatch {

using onefold::element_reader;
using onefold::error_code;
using support::bytes_of;
using support::npy_start;
using support::npy_text;
using support::scratch_file;

/// Bytes of a piece, but of the last one.
inline constexpr std::size_t block = std::size_t{4} << 20;

inline std::string random_bytes(std::size_t n) {
  support::random_numbers r(n);
  std::string bytes(n, '\0');
  for (char& c : bytes) c = static_cast<char>(r.bits());
  return bytes;
}

/// The bytes of all elements that are left. Checks that pieces are as long as they can be, aligned and counted.
template <class T>
std::string rest_of(element_reader<T>& from) {
  std::string bytes;
  bool last = false;
  const std::int64_t before = from.count();
  for (std::span<const T> piece = from.next(); !piece.empty(); piece = from.next()) {
    REQUIRE(!last);
    REQUIRE(reinterpret_cast<std::uintptr_t>(piece.data()) % sizeof(T) == 0);
    bytes.append(bytes_of(piece));
    last = piece.size_bytes() < block;
    REQUIRE(piece.size_bytes() <= block);
    REQUIRE(from.count() - before == static_cast<std::int64_t>(bytes.size() / sizeof(T)));
  }
  CHECK(from.next().empty());
  return bytes;
}
template <class T>
std::string rest_of(element_reader<T>&& from) {
  return rest_of(from);
}

/// A pipe whose other end a thread writes.
class fed_pipe {
 public:
  /// In pieces of `step` bytes.
  fed_pipe(std::string_view bytes, std::size_t step) {
    REQUIRE(pipe(ends_) == 0);
    writer_ = std::thread([this, bytes, step] {
      for (std::size_t at = 0; at < bytes.size(); at += step)
        if (!support::write_all(ends_[1], bytes.substr(at, step))) break;
      close(ends_[1]);
    });
  }
  fed_pipe(const fed_pipe&) = delete;
  fed_pipe& operator=(const fed_pipe&) = delete;
  ~fed_pipe() {
    for (char rest[4096]; read(ends_[0], rest, sizeof rest) > 0;) {
    }
    writer_.join();
    close(ends_[0]);
  }
  int end() const { return ends_[0]; }

 private:
  int ends_[2];
  std::thread writer_;
};

}  // namespace dispatch
