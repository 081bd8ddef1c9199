// Standard output and standard error, with every failed write noticed.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace onefold::cli {

/// Makes descriptors 0, 1 and 2 belong to nothing else: where one is closed, reading or writing it fails, instead of
/// reaching a file that was opened later. Also makes writing into a closed pipe an error rather than a signal.
void settle_standard_streams();

/// Writes all of `text` to standard output; of characters that a terminal would obey only line ends pass, the others
/// are escaped. Throws failure if that cannot be done.
void write_output(std::string_view text);

/// Text for standard output that is written in pieces as it comes, by write_output: long results need little memory,
/// and a reader that is gone is noticed early.
class output_pieces {
 public:
  /// Takes whole characters of text.
  output_pieces& operator<<(std::string_view text);
  /// Writes what is left.
  void finish();

 private:
  std::string waiting_;
};

/// Says on standard error that the terminal is read, where standard input (-, -:MEMBER) is among the files and is a
/// terminal.
void announce_terminal(std::span<const std::string> files);

/// Writes "onefold: ", what there is to say beside results, on one line, and a line end to standard error.
void write_note(std::string_view message) noexcept;

/// When error messages are in color. Automatic: on a terminal, unless the environment variable NO_COLOR has a value
/// (no-color.org) or TERM is dumb.
enum class color_choice : unsigned char { automatic, always, never };
inline constexpr std::string_view color_names[] = {"auto", "always", "never"};

/// Chooses for the error messages that follow.
void color_errors(color_choice choice) noexcept;

/// Writes "onefold: ", the message on one line, and a line end to standard error. Needs no memory.
void write_error(std::string_view message) noexcept;

}  // namespace onefold::cli
