// Bytes that are made from other bytes: what is inside a compressed file or an archive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace onefold::cli {

/// A stream of unpacked bytes. Owns what it reads from.
class decoder {
 public:
  decoder() = default;
  decoder(const decoder&) = delete;
  decoder& operator=(const decoder&) = delete;
  virtual ~decoder() = default;

  /// Fills the front of `room`, which is not empty; returns the number of bytes, 0 at the end only. Throws bad_data for
  /// damaged or truncated data.
  virtual std::size_t read(std::span<std::byte> room) = 0;
  /// The number of bytes in all, where the archive says so.
  virtual std::optional<std::uint64_t> size() const { return std::nullopt; }
  /// Throws if a mapped file became shorter since.
  virtual void check_unchanged() const = 0;
  /// As source::stop.
  virtual void stop() = 0;
};

}  // namespace onefold::cli
