// What is compiled around the text of an operation, and what is said of it.
#pragma once

#include <filesystem>
#include <string>

#include "onefold/source_operation.hpp"

namespace onefold::detail {

/// What the compiler's messages call the text.
const std::string& label_of(const source_operation& operation);

/// How C++ spells the operation and its element type, as arguments of a template: "::mine::cubes, float".
std::string arguments_of(const source_operation& operation);

/// The file that is compiled: the text, whose lines count from 1, between two others.
std::string file_around(const source_operation& operation, const std::string& before, const std::string& after);

/// Fails to compile where the headers are of another version than the library.
std::string check_of_version();

/// What is other text once the library or its headers are others.
std::string key_of_headers(const std::filesystem::path& headers);

/// The first lines of what a compiler printed.
std::string first_lines(std::string messages);

}  // namespace onefold::detail
