// Python, which draws with matplotlib and has packages to compare with; everything else works without it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "child.hpp"

namespace onefold::cli {

/// Nothing where there is a Python that has matplotlib: python3, or what ONEFOLD_PYTHON names. Else the reason, and how
/// to get one.
std::string why_no_drawing();

/// Why a script failed: that there is no Python, or the last line that it wrote to standard error.
std::string why_script_failed(const child_result& ran);

/// The command that runs a script of the program's own with these arguments.
std::vector<std::string> script_command(const char* script, const std::vector<std::string>& arguments);

/// Why a script ended that needs a module: Python cannot run or lacks it; and what to do: install it as `package`.
std::string why_no_module(const child_result& ran, std::string_view module, std::string_view package);

/// Runs a script of the program's own with these arguments, and `input` as its standard input.
child_result run_script(const char* script, const std::vector<std::string>& arguments, const std::string& input);

}  // namespace onefold::cli
