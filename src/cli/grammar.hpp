// The grammar of the command line as CLI11 knows it: every command with its options.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"

namespace CLI {
class App;
}

namespace onefold::cli {

/// CLI11 2.1 splits a file name like [a,b], forgets what follows "--" in a command, and takes the next word as the
/// value of --option=. So those words get a mark in front on their way in (or as a value), and lose it on their way
/// out.
inline constexpr char mark = '\x01';

/// The word without its mark.
std::string unmarked(const std::string& word);

/// Adds every command; what is parsed is written into the arguments and the word of --format.
void add_commands(CLI::App& app, arguments& a, std::string& format);

/// The long options of a command, with their dashes.
std::vector<std::string> long_options(const CLI::App& command);

/// An option of a command.
struct option_syntax {
  std::string name;   ///< with its dashes
  std::string value;  ///< what help calls the value: N, FILE; empty for a flag
};

/// What a command takes.
struct command_syntax {
  std::string name;
  std::vector<option_syntax> options;  ///< short names, too
  bool takes_files;
};

/// The commands, in the order of help.
std::vector<command_syntax> command_syntaxes();

}  // namespace onefold::cli
