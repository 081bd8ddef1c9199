// What the help of each command says below its options.
#pragma once

#include <string>
#include <string_view>

namespace onefold::cli {

/// The explanations and examples of a command, or of the program where the name is empty, in the markup of
/// help_layout.hpp.
std::string help_about(std::string_view command);

}  // namespace onefold::cli
