// Element by element, in blocks that a growing buffer takes at once.
#include "input/rearrange.hpp"

#include <algorithm>

namespace onefold::cli {
namespace {

template <std::size_t Width>
void swap_all(const std::byte* from, std::size_t count, std::byte* to) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t b = 0; b < Width; ++b) to[i * Width + b] = from[i * Width + (Width - 1 - b)];
}

}  // namespace

void append_swapped(std::span<const std::byte> elements, std::size_t width, byte_buffer& out) {
  std::byte* const to = out.room(elements.size());
  const std::size_t count = elements.size() / width;
  switch (width) {
    case 2:
      swap_all<2>(elements.data(), count, to);
      break;
    case 4:
      swap_all<4>(elements.data(), count, to);
      break;
    case 8:
      swap_all<8>(elements.data(), count, to);
      break;
    default:
      std::copy_n(elements.data(), elements.size(), to);
  }
  out.grow(elements.size());
}

}  // namespace onefold::cli
