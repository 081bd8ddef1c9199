// Wraps the text of an operation for the compilers, and shortens what they print.
#pragma once

#include <filesystem>
#include <string>

#include "onefold/source_operation.hpp"

namespace onefold::detail {

/// What the compiler's messages call the text.
const std::string& label_of(const source_operation& operation);

/// How C++ spells the operation and its element type, as arguments of a template: "::mine::cubes, float".
std::string arguments_of(const source_operation& operation);

/// The text between two others; in messages its lines count from 1.
std::string file_around(const source_operation& operation, const std::string& before, const std::string& after);

/// Fails to compile where the headers are of another version than the library.
std::string check_of_version();

/// Identifies the library's version and its headers.
std::string key_of_headers(const std::filesystem::path& headers);

/// The first lines of what a compiler printed.
std::string first_lines(std::string messages);

}  // namespace onefold::detail
