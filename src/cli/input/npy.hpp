// The header of NumPy's .npy format, versions 1 to 3: what the array is and where its bytes begin; and writing it.
// The format: numpy/lib/format.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onefold/types.hpp"

namespace onefold::cli {

/// What a header says of the array after it.
struct npy_layout {
  dtype type = dtype::other;        ///< bool is u8: its bytes are 0 and 1
  bool swapped = false;             ///< the elements have the other byte order than this machine
  bool fortran = false;             ///< the first index varies fastest
  std::vector<std::int64_t> shape;  ///< no entry: one element
  std::int64_t count = 0;           ///< the product of the shape; count * size_of(type) < 2^63
  std::size_t header_bytes = 0;     ///< where the elements begin
};

/// Bytes at the start of a file that npy_header_bytes looks at.
inline constexpr std::size_t npy_start = 12;

/// Whether these bytes begin as an .npy file does.
bool is_npy(std::span<const std::byte> start);

/// The length of the whole header, from the first npy_start bytes of a file (fewer if the file has fewer).
/// Throws bad_data if this is not a header, one of another version or one longer than 1 MiB.
std::size_t npy_header_bytes(std::span<const std::byte> start);

/// Reads the header. `header` has exactly npy_header_bytes bytes, or fewer if the file ends before.
/// `opaque` is the type that NumPy's nameless two-byte type (V2, as ml_dtypes writes bfloat16) stands for, if any.
/// Throws bad_data for what is not a numeric array.
npy_layout read_npy_header(std::span<const std::byte> header, std::optional<dtype> opaque = std::nullopt);

/// NumPy's name for a type, in the byte order of this machine: '<f4', '|b1'; bf16 is the nameless two bytes that
/// ml_dtypes writes, '<V2'.
std::string npy_type(dtype type);

/// A field's name as Python writes a string, in ASCII.
std::string npy_name(std::string_view name);

/// The header, of version 1.0, or 2.0 where that has no room for it, of an array in C order with elements of the type
/// that `descr` says in Python's words:
/// "'<f4'" or a list of fields.
std::string npy_header(std::string_view descr, std::span<const std::int64_t> shape);

}  // namespace onefold::cli
