// The command line as data.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace onefold::cli {

/// What the command line says, in its own words; each command turns them into choices.
struct arguments {
  std::string command;
  std::string operation;
  std::vector<std::string> files;
  std::optional<std::string> backend, accuracy, threads, isa, kernel, device, dtype, result, init, column, input;
  bool header = false;
  bool json = false;
  bool explain = false;
  std::string shell;
};

/// Reads the command line. Nothing if it asked for help or the version, which are then on standard output.
/// Throws failure (wrong usage) with one line.
std::optional<arguments> read_arguments(int count, const char* const* words);

}  // namespace onefold::cli
