// Copies of elements that cannot be reduced where they lie: the other byte order, or the other index order.
#pragma once

#include <cstdint>
#include <span>

#include "input/byte_buffer.hpp"

namespace onefold::cli {

/// Appends elements of `width` bytes (1, 2, 4 or 8), each with its bytes reversed.
void append_swapped(std::span<const std::byte> elements, std::size_t width, byte_buffer& out);

/// Appends the elements of an array whose first index varies fastest in the order where the last one does.
/// The product of `shape` times `width` is the size of `elements`.
void append_in_c_order(std::span<const std::byte> elements, std::size_t width, std::span<const std::int64_t> shape,
                       byte_buffer& out);

}  // namespace onefold::cli
