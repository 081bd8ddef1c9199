// Copies of elements that cannot be reduced where they lie: of the other byte order.
#pragma once

#include <cstddef>
#include <span>

#include "input/byte_buffer.hpp"

namespace onefold::cli {

/// Appends elements of `width` bytes (1, 2, 4 or 8), each with its bytes reversed.
void append_swapped(std::span<const std::byte> elements, std::size_t width, byte_buffer& out);

}  // namespace onefold::cli
