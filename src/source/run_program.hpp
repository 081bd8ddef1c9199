// Runs a program and waits for it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace onefold::detail {

/// How a program ended.
struct program_end {
  int not_started = 0;  ///< the errno of a program that could not be started
  int status = 0;       ///< its exit status, 128 and more for a signal, or -1 where the process ignores its children
};

/// Runs the words, the first of which is the program's path, in a folder, with what it prints going to a file. No shell
/// sees the words.
program_end run_program(const std::vector<std::string>& words, const std::filesystem::path& folder,
                        const std::filesystem::path& output);

}  // namespace onefold::detail
