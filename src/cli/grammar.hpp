// The grammar of the command line as CLI11 knows it: every command with its options.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace onefold::cli {

/// CLI11 2.1 splits a file name like [a,b], forgets what follows "--" in a command, and takes the next word as the
/// value of --option=. So those words get a mark in front on their way in (or as a value), and lose it on their way
/// out.
inline constexpr char mark = '\x01';

/// The word without its mark.
std::string unmarked(const std::string& word);

/// The words that an option or argument chooses from.
struct word_choices {
  std::vector<std::string> words;
  bool several = false;  ///< a list of them, with commas between them
};

/// Those of each option and argument that chooses from a list.
using choice_lists = std::map<const CLI::Option*, word_choices>;

/// Adds every command; what is parsed is written into the arguments and the word of --format.
void add_commands(CLI::App& app, arguments& a, std::string& format, choice_lists& choices);

/// The long options of a command, with their dashes.
std::vector<std::string> long_options(const CLI::App& command);

}  // namespace onefold::cli
