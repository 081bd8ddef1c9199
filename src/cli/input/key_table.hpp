// Distinct texts, numbered from 0 in the order in which they first came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "input/byte_buffer.hpp"

namespace onefold::cli {

/// Owns the texts. Two are the same where all of their bytes are.
class key_table {
 public:
  /// The number of the key, which is added where it is new. Throws failure where there are too many, or not enough
  /// memory.
  std::uint32_t number_of(std::string_view key);

  /// How many there are.
  std::size_t size() const { return keys_.size(); }

  /// The key with this number; valid until the next one is added.
  std::string_view operator[](std::size_t number) const {
    return {reinterpret_cast<const char*>(bytes_.bytes().data()) + keys_[number].begin, keys_[number].size};
  }

 private:
  struct key {
    std::size_t begin;  ///< in bytes_
    std::uint32_t size;
    std::uint32_t hash;
  };

  void add_slots();

  byte_buffer bytes_;
  std::vector<key> keys_;
  std::vector<std::uint32_t> slots_;  ///< open addressing: a key's number and 1, at the first place from its hash on
                                      ///< that is free; at most half of the slots are taken
};

}  // namespace onefold::cli
