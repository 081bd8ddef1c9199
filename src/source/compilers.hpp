// The compilers and the headers that operations as text are compiled with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "onefold/options.hpp"

namespace onefold::detail {

/// A compiler, with the options that its variable names; or why none was found.
struct found_compiler {
  std::vector<std::string> words;  ///< its path, then options; empty: none was found
  std::string why_not;             ///< what was looked for and where
};

/// The C++ compiler: what CXX names, else c++, g++ or clang++ in the absolute folders of PATH.
found_compiler find_cpp_compiler();

/// The options by which the C++ compiler makes an object for the CPU's level.
std::vector<std::string> cpp_options(isa level);

/// The folder of the library's headers: ONEFOLD_INCLUDE, else where the library was installed. Throws unsupported
/// if it has none.
std::filesystem::path include_folder();

}  // namespace onefold::detail
