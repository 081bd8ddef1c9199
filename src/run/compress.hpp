// Copies selected elements to neighboring places.
#pragma once

#include <cstdint>

#include "onefold/options.hpp"

namespace onefold::detail {

/// Elements, and the words of their mask (run/mask_words.hpp).
struct masked {
  const char* data;
  const std::uint64_t* words;
  std::int64_t n;  ///< of elements
};

/// What was copied.
struct compressed {
  std::int64_t words;     ///< that were used up
  std::int64_t elements;  ///< that they selected
};

/// Copies selected elements to `to`, word by word, until there are more than `enough`, at most 64 more, or no words are
/// left. Of elements of up to 8 bytes 64 beyond the last may be written. `level`: the instructions that may be used.
compressed compress(const masked& from, std::int64_t element_size, isa level, std::int64_t enough, char* to);

}  // namespace onefold::detail
