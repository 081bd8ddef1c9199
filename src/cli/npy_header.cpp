// Writing .npy headers: numpy/lib/format.py says how.
#include "npy_header.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "files/npy.hpp"
#include "one_line.hpp"

namespace onefold::cli {

std::string npy_type(dtype type) {
  constexpr char order = std::endian::native == std::endian::little ? '<' : '>';
  if (type == dtype::boolean) return "|b1";
  if (type == dtype::bf16) return fmt::format("{}V2", order);
  return fmt::format("{}{}", size_of(type) > 1 ? order : '|',
                     std::ranges::find(detail::npy_codes, type, &detail::npy_code::type)->code);
}

std::string npy_header(std::string_view descr, std::span<const std::int64_t> shape) {
  constexpr std::size_t alignment = 64;  // of the elements, as NumPy aligns them
  std::string text = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr std::size_t longest = 0xffff - alignment;  // of version 1.0, whose length has two bytes
  const std::size_t length_bytes = text.size() < longest ? 2 : 4;
  const std::size_t start = detail::npy_magic.size() + 2 + length_bytes, end = start + text.size() + 1;
  text.append((alignment - end % alignment) % alignment, ' ').append("\n");
  std::string header(detail::npy_magic);
  header.append({length_bytes == 2 ? '\1' : '\2', '\0'});
  for (std::size_t i = 0; i < length_bytes; ++i) header += static_cast<char>(text.size() >> 8 * i & 0xff);
  return header + text;
}

std::string npy_name(std::string_view name) {
  std::string out = "'";
  while (!name.empty()) {
    const auto [c, length] = detail::first_code_point(name);
    const std::uint32_t value = length != 0 ? c : static_cast<unsigned char>(name[0]);
    if (value == '\'' || value == '\\')
      out.append({'\\', static_cast<char>(value)});
    else if (value >= 0x20 && value < 0x7f)
      out += static_cast<char>(value);
    else
      out += value <= 0xff     ? fmt::format("\\x{:02x}", value)
             : value <= 0xffff ? fmt::format("\\u{:04x}", value)
                               : fmt::format("\\U{:08x}", value);
    name.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out + "'";
}

}  // namespace onefold::cli
