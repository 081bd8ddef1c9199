// Reading .npy headers, where every length is checked before it is used.
#include "files/npy.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <string_view>

#include "ascii.hpp"
#include "elements.hpp"
#include "files/literal.hpp"
#include "files/unexpected.hpp"
#include "quantity.hpp"

namespace onefold::detail {
namespace {

/// No header of a plain array needs as much; a longer one is a damaged or hostile length.
constexpr std::size_t longest_header = std::size_t{1} << 20;

/// NumPy's own limit, of version 2; before that it was 32.
constexpr std::size_t most_dimensions = 64;

std::string_view text_in(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

error truncated(std::size_t size, std::string_view expected) { return unexpected(size, expected, "the end"); }

/// Reads the value of 'descr' into the layout.
void read_type(literal_reader& in, std::optional<dtype> opaque, std::string_view remedy, npy_layout& layout) {
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
  const auto* const known = std::ranges::find(npy_codes, code, &npy_code::code);
  if (known != std::end(npy_codes)) {
    layout.type = known->type;
  } else if (code == "V2" && opaque == dtype::bf16) {
    layout.type = dtype::bf16;
  } else if (code == "V2") {
    before.refuse(std::string("a numeric type (").append(remedy).append(")"));
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
    if (layout.shape.size() == most_dimensions) in.refuse("at most " + std::to_string(most_dimensions) + " dimensions");
    layout.shape.push_back(in.natural("a length from 0"));
    if (in.skip(',')) continue;
    if (layout.shape.size() == 1) in.refuse("',' in a shape of one length");
    in.expect(')');
    break;
  }
}

std::string shape_text(std::span<const std::int64_t> shape) {
  std::string text;
  for (const std::int64_t length : shape) text.append(text.empty() ? "(" : ", ").append(std::to_string(length));
  return text.append(")");
}

/// Multiplies the shape. A zero anywhere makes the array empty, however large the rest is.
void count_elements(npy_layout& layout, std::size_t offset) {
  layout.count = std::ranges::find(layout.shape, 0) != layout.shape.end() ? 0 : 1;
  const std::int64_t most = elements_in(std::numeric_limits<std::int64_t>::max(), layout.type);
  for (const std::int64_t length : layout.shape) {
    if (layout.count != 0 && layout.count > most / length)
      throw unexpected(offset, "a shape of less than 2^63 bytes", shape_text(layout.shape).substr(0, 80));
    layout.count *= length;
  }
}

}  // namespace

bool is_npy(std::span<const std::byte> start) { return text_in(start).substr(0, npy_magic.size()) == npy_magic; }

std::size_t npy_header_bytes(std::span<const std::byte> start) {
  if (!is_npy(start)) {
    const std::string_view text = text_in(start).substr(0, npy_magic.size());
    throw unexpected(0, "the start of an .npy file (\\x93NUMPY)", text.empty() ? "the end" : in_quotes(text));
  }
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(start[i]); };
  if (start.size() < 8) throw truncated(start.size(), "the version of the .npy format");
  const std::size_t version = byte(6);
  if (version < 1 || version > 3 || byte(7) != 0)
    throw unexpected(6, "version 1.0, 2.0 or 3.0 of the .npy format",
                     std::to_string(version).append(".").append(std::to_string(byte(7))));
  const std::size_t prefix = version == 1 ? 10 : 12;
  if (start.size() < prefix) throw truncated(start.size(), "the length of the header");
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > longest_header)
    throw unexpected(8, "a header of at most " + quantity(longest_header, "byte"), quantity(length, "byte"));
  return prefix + length;
}

npy_layout read_npy_header(std::span<const std::byte> header, std::optional<dtype> opaque, std::string_view remedy) {
  npy_layout layout;
  layout.header_bytes = npy_header_bytes(header);
  if (header.size() < layout.header_bytes)
    throw truncated(header.size(), "a header of " + quantity(layout.header_bytes, "byte"));
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
      read_type(in, opaque, remedy, layout);
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
    throw unexpected(prefix, "the keys descr, fortran_order and shape",
                     !has_type    ? "no descr"
                     : !has_order ? "no fortran_order"
                                  : "no shape");
  count_elements(layout, prefix);
  return layout;
}

void require_length(std::uint64_t first, std::uint64_t expected, std::uint64_t found, dtype type) {
  const std::int64_t n = elements_in(static_cast<std::int64_t>(expected), type);
  if (found < expected)
    throw unexpected(first + found,
                     quantity(expected, "byte") + " of elements (" + std::to_string(n) + " of " + name_of(type) + ")",
                     "the end after " + std::to_string(found));
  if (found > expected) throw unexpected(first + expected, "the end after " + quantity(n, "element"), "more bytes");
}

void require_whole_elements(std::uint64_t first, std::uint64_t found, dtype type) {
  const auto width = static_cast<std::uint64_t>(size_of(type));
  if (const std::uint64_t more = found % width; more != 0)
    throw unexpected(first + found - more, "a multiple of " + quantity(width, "byte") + " (raw " + name_of(type) + ")",
                     "the end after " + std::to_string(found));
}

}  // namespace onefold::detail
