// Files that commands write and read as a whole.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "input/failure.hpp"

namespace onefold::cli {

/// The failure that a file cannot be written, and why.
failure unwritable(const std::string& path, std::string_view why);

/// Throws failure where no file can be created in the folder: before the work.
void require_folder(const std::string& folder);

/// Makes the folder where it does not exist, but none of those above it, and requires it.
void make_folder(const std::string& folder);

/// Throws failure where write_file could not replace what is there: a folder, a device. Before the work.
void require_replaceable(const std::string& path);

/// Writes a file as a whole or not at all: a reader sees the old one or the new one. A link stays, and the file that it
/// names is written. Throws failure with the system's reason.
void write_file(const std::string& path, std::string_view text);
/// The same of what several pieces make together.
void write_file(const std::string& path, std::span<const std::string_view> pieces);

/// Bytes of the longest text that read_file reads: reports have a few hundred thousand.
inline constexpr std::size_t most_bytes_of_a_text = 64 << 20;

/// The text of a file. Throws failure (bad data) with the system's reason, or that it is too long.
std::string read_file(const std::string& path);

}  // namespace onefold::cli
