// Element by element, in blocks that a growing buffer takes at once.
#include "input/rearrange.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

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

void append_in_c_order(std::span<const std::byte> elements, std::size_t width, std::span<const std::int64_t> shape,
                       byte_buffer& out) {
  if (elements.empty()) return;
  std::byte* to = out.room(elements.size());
  std::vector<std::size_t> stride(shape.size()), index(shape.size(), 0);
  std::size_t step = width;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    stride[d] = step;
    step *= static_cast<std::size_t>(shape[d]);
  }
  std::size_t from = 0;
  for (std::size_t written = 0; written < elements.size(); written += width) {
    std::memcpy(to + written, elements.data() + from, width);
    // Count up from the last index; an index that is through goes back to 0.
    for (std::size_t d = shape.size(); d-- > 0;) {
      from += stride[d];
      if (++index[d] < static_cast<std::size_t>(shape[d])) break;
      from -= stride[d] * index[d];
      index[d] = 0;
    }
  }
  out.grow(elements.size());
}

}  // namespace onefold::cli
