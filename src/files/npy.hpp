// The header of NumPy's .npy format, versions 1 to 3: what the array is and where its bytes begin.
// The format: numpy/lib/format.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "onefold/types.hpp"

namespace onefold::detail {

/// What a header says of the array after it.
struct npy_layout {
  dtype type = dtype::other;        ///< bool is u8: its bytes are 0 and 1
  bool swapped = false;             ///< the elements have the other byte order than this machine
  bool fortran = false;             ///< the first index varies fastest
  std::vector<std::int64_t> shape;  ///< no entry: one element
  std::int64_t count = 0;           ///< the product of the shape; count * size_of(type) < 2^63
  std::size_t header_bytes = 0;     ///< where the elements begin
};

/// The bytes that a file begins with.
inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// Bytes at the start of a file that npy_header_bytes looks at.
inline constexpr std::size_t npy_start = 12;

/// An element type by NumPy's letter and size, which follow the byte order.
struct npy_code {
  std::string_view code;
  dtype type;
};
inline constexpr npy_code npy_codes[] = {{"f4", dtype::f32}, {"f8", dtype::f64}, {"f2", dtype::f16}, {"i1", dtype::i8},
                                         {"i2", dtype::i16}, {"i4", dtype::i32}, {"i8", dtype::i64}, {"u1", dtype::u8},
                                         {"u2", dtype::u16}, {"u4", dtype::u32}, {"u8", dtype::u64}, {"b1", dtype::u8}};

/// Whether these bytes begin as an .npy file does.
ONEFOLD_API bool is_npy(std::span<const std::byte> start);

/// The length of the whole header, from the first npy_start bytes of a file (fewer if the file has fewer).
/// Throws invalid_argument if this is not a header, one of another version or one longer than 1 MiB.
ONEFOLD_API std::size_t npy_header_bytes(std::span<const std::byte> start);

/// Reads the header. `header` has exactly npy_header_bytes bytes, or fewer if the file ends before.
/// `opaque` is the type that NumPy's nameless two-byte type (V2, as ml_dtypes writes bfloat16) stands for, if any; if
/// it is not bf16, `remedy` says in messages what to do about V2. Throws invalid_argument for what is not a numeric
/// array.
ONEFOLD_API npy_layout read_npy_header(std::span<const std::byte> header, std::optional<dtype> opaque = std::nullopt,
                                       std::string_view remedy = "V2 is read as bf16");

/// Throws invalid_argument where `found` bytes of elements, from byte `first` of the file on, are not the `expected`
/// ones.
ONEFOLD_API void require_length(std::uint64_t first, std::uint64_t expected, std::uint64_t found, dtype type);

/// Throws invalid_argument where `found` bytes of raw elements, from byte `first` of the file on, end within one.
ONEFOLD_API void require_whole_elements(std::uint64_t first, std::uint64_t found, dtype type);

}  // namespace onefold::detail
