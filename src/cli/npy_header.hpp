// The header of an .npy file that the program writes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "onefold/types.hpp"

namespace onefold::cli {

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
