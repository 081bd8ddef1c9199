// Reading .npy headers, where every length is checked before it is used, and writing them.
#include "input/npy.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "elements.hpp"
#include "input/failure.hpp"
#include "input/literal.hpp"

namespace onefold::cli {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

/// No header of a plain array needs as much; a longer one is a damaged or hostile length.
constexpr std::size_t longest_header = std::size_t{1} << 20;

/// NumPy's own limit, of version 2; before that it was 32.
constexpr std::size_t most_dimensions = 64;

std::string_view text_in(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

failure truncated(std::size_t size, std::string_view expected) {
  return bad_data(fmt::format("byte offset {}", size), expected, "the end");
}

/// The element types by NumPy's letter and size.
struct spelled {
  std::string_view code;
  dtype type;
};
constexpr spelled spellings[] = {{"f4", dtype::f32}, {"f8", dtype::f64}, {"f2", dtype::f16}, {"i1", dtype::i8},
                                 {"i2", dtype::i16}, {"i4", dtype::i32}, {"i8", dtype::i64}, {"u1", dtype::u8},
                                 {"u2", dtype::u16}, {"u4", dtype::u32}, {"u8", dtype::u64}, {"b1", dtype::u8}};

/// Reads the value of 'descr' into the layout.
void read_type(literal_reader& in, std::optional<dtype> opaque, npy_layout& layout) {
  constexpr std::string_view expected = "a numeric type (f2 f4 f8, i1 to i8, u1 to u8, b1)";
  if (!in.at('\'') && !in.at('"')) in.refuse("a numeric type, not a structured one");
  literal_reader before = in;
  const std::string name = in.string();
  std::string_view code = name;
  char order = '=';
  if (!code.empty() && std::string_view("<>|=").find(code[0]) != std::string_view::npos) {
    order = code[0];
    code.remove_prefix(1);
  }
  const auto* const known = std::ranges::find(spellings, code, &spelled::code);
  if (known != std::end(spellings)) {
    layout.type = known->type;
  } else if (code == "V2" && opaque == dtype::bf16) {
    layout.type = dtype::bf16;
  } else if (code == "V2") {
    before.refuse("a numeric type (V2 is read with --dtype bf16)");
  } else {
    before.refuse(expected);
  }
  constexpr bool little = std::endian::native == std::endian::little;
  layout.swapped = size_of(layout.type) > 1 && (order == '<' || order == '>') && (order == '<') != little;
}

/// Reads the value of 'shape' into the layout.
void read_shape(literal_reader& in, npy_layout& layout) {
  in.expect('(');
  while (!in.skip(')')) {
    if (layout.shape.size() == most_dimensions) in.refuse(fmt::format("at most {} dimensions", most_dimensions));
    layout.shape.push_back(in.natural("a length from 0"));
    if (in.skip(',')) continue;
    if (layout.shape.size() == 1) in.refuse("',' in a shape of one length");
    in.expect(')');
    break;
  }
}

/// Multiplies the shape. A zero anywhere makes the array empty, however large the rest is.
void count_elements(npy_layout& layout, std::size_t offset) {
  layout.count = std::ranges::find(layout.shape, 0) != layout.shape.end() ? 0 : 1;
  const std::int64_t most = detail::elements_in(std::numeric_limits<std::int64_t>::max(), layout.type);
  for (const std::int64_t length : layout.shape) {
    if (layout.count != 0 && layout.count > most / length)
      throw bad_data(fmt::format("byte offset {}", offset), "a shape of less than 2^63 bytes",
                     fmt::format("({})", fmt::join(layout.shape, ", ")).substr(0, 80));
    layout.count *= length;
  }
}

}  // namespace

bool is_npy(std::span<const std::byte> start) { return text_in(start).substr(0, magic.size()) == magic; }

std::size_t npy_header_bytes(std::span<const std::byte> start) {
  if (!is_npy(start)) {
    const std::string_view text = text_in(start).substr(0, magic.size());
    throw bad_data("byte offset 0", "the start of an .npy file (\\x93NUMPY)",
                   text.empty() ? "the end" : in_quotes(text));
  }
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(start[i]); };
  if (start.size() < 8) throw truncated(start.size(), "the version of the .npy format");
  const std::size_t version = byte(6);
  if (version < 1 || version > 3 || byte(7) != 0)
    throw bad_data("byte offset 6", "version 1.0, 2.0 or 3.0 of the .npy format",
                   fmt::format("{}.{}", version, byte(7)));
  const std::size_t prefix = version == 1 ? 10 : 12;
  if (start.size() < prefix) throw truncated(start.size(), "the length of the header");
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > longest_header)
    throw bad_data("byte offset 8", fmt::format("a header of at most {} bytes", longest_header),
                   fmt::format("{} bytes", length));
  return prefix + length;
}

npy_layout read_npy_header(std::span<const std::byte> header, std::optional<dtype> opaque) {
  npy_layout layout;
  layout.header_bytes = npy_header_bytes(header);
  if (header.size() < layout.header_bytes)
    throw truncated(header.size(), fmt::format("a header of {} bytes", layout.header_bytes));
  const std::size_t prefix = static_cast<unsigned char>(header[6]) == 1 ? 10 : 12;
  literal_reader in(text_in(header).substr(prefix, layout.header_bytes - prefix), prefix);

  bool has_type = false, has_order = false, has_shape = false;
  in.expect('{');
  while (!in.skip('}')) {
    literal_reader before = in;
    const std::string key = in.string();
    in.expect(':');
    bool* const had = key == "descr"           ? &has_type
                      : key == "fortran_order" ? &has_order
                      : key == "shape"         ? &has_shape
                                               : nullptr;
    if (had == nullptr || *had) before.refuse("the keys descr, fortran_order and shape, once each");
    *had = true;
    if (had == &has_type)
      read_type(in, opaque, layout);
    else if (had == &has_order)
      layout.fortran = in.boolean();
    else
      read_shape(in, layout);
    if (in.skip(',')) continue;
    in.expect('}');
    break;
  }
  in.end();
  if (!has_type || !has_order || !has_shape)
    throw bad_data(fmt::format("byte offset {}", prefix), "the keys descr, fortran_order and shape",
                   !has_type    ? "no descr"
                   : !has_order ? "no fortran_order"
                                : "no shape");
  count_elements(layout, prefix);
  return layout;
}

std::string npy_type(dtype type) {
  constexpr char order = std::endian::native == std::endian::little ? '<' : '>';
  if (type == dtype::boolean) return "|b1";
  if (type == dtype::bf16) return fmt::format("{}V2", order);
  return fmt::format("{}{}", size_of(type) > 1 ? order : '|', std::ranges::find(spellings, type, &spelled::type)->code);
}

std::string npy_header(std::string_view descr, std::span<const std::int64_t> shape) {
  constexpr std::size_t alignment = 64;  // of the elements, as NumPy aligns them
  std::string text = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr std::size_t longest = 0xffff - alignment;  // of version 1.0, whose length has two bytes
  const std::size_t length_bytes = text.size() < longest ? 2 : 4;
  const std::size_t start = magic.size() + 2 + length_bytes, end = start + text.size() + 1;
  text.append((alignment - end % alignment) % alignment, ' ').append("\n");
  std::string header(magic);
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
