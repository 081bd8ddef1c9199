// Files that commands write and read as a whole.
#pragma once

#include <string>
#include <string_view>

namespace onefold::cli {

/// Makes the folder where it is not there, and throws failure where nothing can be written into it: before the work.
void prepare_folder(const std::string& folder);

/// Throws failure where write_file could not replace what stands there: a folder, a device. Before the work.
void require_replaceable(const std::string& path);

/// Writes a file as a whole or not at all: whoever reads it meanwhile sees the old one or the new one. Throws failure
/// with the system's reason.
void write_file(const std::string& path, std::string_view text);

/// The text of a file. Throws failure (bad data) with the system's reason.
std::string read_file(const std::string& path);

}  // namespace onefold::cli
