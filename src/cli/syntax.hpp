// What each command takes, as data: for help, the manual page and completion.
#pragma once

#include <string>
#include <vector>

#include "grammar.hpp"

namespace onefold::cli {

/// What follows an option's name.
enum class value_kind : unsigned char { none, word, choice, file, folder };

/// An option of a command, or what stands without an option's name: OP, FILE.
struct option_syntax {
  std::string name;        ///< with its dashes; without them for an argument
  std::string short_name;  ///< "-o"; empty without one
  std::string value;       ///< what help calls the value: N, FILE; empty for a flag
  std::string summary;
  std::string group;  ///< its heading in help; empty for an argument
  value_kind kind;
  word_choices choices;
  bool is_required = false;  ///< of an argument
};

/// What a command takes.
struct command_syntax {
  std::string name;  ///< empty: the program without a command
  std::string summary;
  std::string usage;  ///< "onefold reduce [OPTIONS] OP [FILE...]"
  std::vector<option_syntax> options;
  std::vector<option_syntax> arguments;
};

/// What a command, or the program itself, takes.
command_syntax syntax_of(const CLI::App& command, const choice_lists& choices);

/// The commands, in the order of help.
std::vector<command_syntax> command_syntaxes();

}  // namespace onefold::cli
