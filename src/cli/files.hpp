// The folder that a report is written into.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace onefold::cli {

/// Makes the folder where it is not there, and throws failure where nothing can be written into it: before the work.
void prepare_folder(const std::string& folder);

/// Writes a file into the folder, as a whole or not at all, and returns its path. Throws failure with the system's
/// reason.
std::string write_file(const std::string& folder, const std::string& name, std::string_view text);

/// The text of a file. Throws failure (bad data) with the system's reason.
std::string read_file(const std::string& path);

}  // namespace onefold::cli
