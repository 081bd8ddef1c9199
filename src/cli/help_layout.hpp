// The layout of help: options in groups and filled paragraphs, at most 100 columns wide.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "syntax.hpp"

namespace onefold::cli {

/// A paragraph of the help's texts, or lines that stay as they are.
struct help_part {
  enum class kind : unsigned char { heading, paragraph, lines } what;
  std::string text;  ///< a heading without its colon; a paragraph on one line; lines with their indentation
};

/// Reads the markup of the help: an empty line ends a paragraph, a paragraph's first line that ends with a colon is a
/// heading if it is short, and indented lines stay as they are.
std::vector<help_part> read_help(std::string_view text);

/// Appends the words of the text, from the column where the line is, in lines of at most `width`; `indentation` is that
/// of the lines that follow.
void fill(std::string& out, std::string_view text, std::size_t column, std::size_t indentation, std::size_t width);

/// The exit codes, each with what it means.
struct exit_meaning {
  int code;
  const char* meaning;
};
inline constexpr exit_meaning exit_meanings[] = {{0, "done"},
                                                 {1, "failed while running"},
                                                 {2, "wrong usage"},
                                                 {3, "an input is missing or bad"},
                                                 {4, "backend unavailable"},
                                                 {130, "interrupted by Ctrl-C"}};

/// What --help shows of a command; of the program, with all its commands.
std::string help_of(const command_syntax& command, const std::vector<command_syntax>& all);

/// What help says of an option: its summary, and the words to choose from.
std::string description_of(const option_syntax& option);

}  // namespace onefold::cli
