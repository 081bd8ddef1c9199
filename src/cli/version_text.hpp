// What onefold --version says.
#pragma once

#include <string>

#include "arguments.hpp"

namespace onefold::cli {

/// The version, the build, the libraries, and what each backend stands on here or why it cannot run.
std::string version_text(output_format format);

}  // namespace onefold::cli
