#include "source/compilers.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "ascii.hpp"
#include "environment.hpp"
#include "fork.hpp"
#include "onefold/error.hpp"

namespace onefold::detail {
namespace {

/// The pieces of a text between any of some characters, without empty ones.
std::vector<std::string> pieces_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) pieces.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pieces;
}

bool is_program(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

/// The program's path: an absolute path itself, or a plain name in the absolute folders of PATH.
std::optional<std::string> find_program(const std::string& name) {
  if (name.starts_with('/')) return is_program(name) ? std::optional(name) : std::nullopt;
  if (name.find('/') != std::string::npos) return std::nullopt;
  for (std::string program : pieces_of(the_environment().path, ":")) {
    if (!program.starts_with('/')) continue;
    program.append("/").append(name);
    if (is_program(program)) return program;
  }
  return std::nullopt;
}

/// The compiler that a variable names.
found_compiler named_by(const char* variable, const std::string& value) {
  std::vector<std::string> words = pieces_of(value, " \t");
  if (words.empty()) return {{}, std::string(variable) + " names no compiler"};
  if (std::optional<std::string> path = find_program(words.front())) {
    words.front() = *std::move(path);
    return {std::move(words), ""};
  }
  return {{},
          std::string(variable) + " names " + in_quotes(words.front()) +
              ", which is neither the absolute path of a program nor one in PATH"};
}

/// The first of these programs that exists.
found_compiler first_of(std::initializer_list<std::string> names, const std::string& why_not) {
  for (const std::string& name : names)
    if (std::optional<std::string> path = find_program(name)) return {{*std::move(path)}, ""};
  return {{}, why_not};
}

}  // namespace

found_compiler find_cpp_compiler() {
  const std::string& named = the_environment().cxx;
  if (!named.empty()) return named_by("CXX", named);
  return first_of({"c++", "g++", "clang++"},
                  "no C++ compiler was found: neither c++ nor g++ nor clang++ is in PATH; install one, or name it in "
                  "the environment variable CXX");
}

std::vector<std::string> cpp_options(isa level) {
  // Hidden: objects may have operations of the same name, and each must call its own.
  std::vector<std::string> options{"-std=c++20", "-O3",   "-ffp-contract=off",   "-w",
                                   "-shared",    "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden",
                                   "-Wl,-z,defs"};
  constexpr std::string_view flags[] = {ONEFOLD_LEVEL_FLAGS};  // of the library's folds, from cmake/levels.cmake
  for (std::string& flag : pieces_of(flags[static_cast<std::size_t>(level)], " ")) options.push_back(std::move(flag));
  return options;
}

std::filesystem::path include_folder() {
  const auto has_headers = [](const std::filesystem::path& folder) {
    std::error_code ignored;
    return std::filesystem::exists(folder / "onefold/detail/make_source_record.hpp", ignored);
  };
  const std::string& named = the_environment().include;
  if (!named.empty()) {
    if (named.starts_with('/') && has_headers(named)) return named;
    throw error(error_code::unsupported,
                "ONEFOLD_INCLUDE: " + in_quotes(named) +
                    " is not the absolute path of a folder with onefold's headers (onefold/custom.hpp)");
  }
  const loader_hold held;
  Dl_info self;
  std::error_code ignored;
  if (dladdr(reinterpret_cast<const void*>(&find_cpp_compiler), &self) && self.dli_fname) {
    // Beside lib/ and, where the system has libraries of several architectures, lib/x86_64-linux-gnu/.
    const auto library = std::filesystem::canonical(self.dli_fname, ignored).parent_path();
    for (const char* up : {"../include", "../../include"})
      if (!library.empty() && has_headers(library / up)) return std::filesystem::canonical(library / up, ignored);
  }
  throw error(error_code::unsupported,
              "onefold's headers, with which an operation as text is compiled, are not installed beside the library; "
              "install them, or name their folder in the environment variable ONEFOLD_INCLUDE");
}

}  // namespace onefold::detail
