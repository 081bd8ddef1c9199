// Copies neighbors to the places that a mask selects: what compress took together goes apart again.
#pragma once

#include <cstdint>

#include "onefold/options.hpp"

namespace onefold::detail {

/// Where the elements go.
struct expansion {
  const std::uint64_t* words;  ///< the words of the mask (run/mask_words.hpp)
  std::int64_t n;              ///< places
  std::int64_t selected;       ///< how many of them are selected
  std::uint64_t fill;          ///< what the others get: the bits of an element, in the low bytes
};

/// Copies elements of 2, 4 or 8 bytes, one for each selected place, to these places of `to`, which may be `from`. Up
/// to 64 elements beyond the last one of `from` may be read. `level`: the instructions that may be used.
void expand(const void* from, const expansion& by, std::int64_t element_size, isa level, void* to);

}  // namespace onefold::detail
