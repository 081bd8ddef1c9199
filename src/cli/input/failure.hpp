// What ends the program early: an exit code and one line for people.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "ascii.hpp"
#include "one_line.hpp"

namespace onefold::cli {

/// The program's exit codes.
enum class exit_code : int {
  done = 0,
  failed = 1,               ///< something broke while running: an output that is full, no memory
  wrong_usage = 2,          ///< the command line asks for what does not exist
  bad_data = 3,             ///< an input is missing or is not what it should be
  backend_unavailable = 4,  ///< the backend that was asked for cannot run this here
  interrupted = 130,        ///< by Ctrl-C (SIGINT), as a shell would report it
};

/// The only exception of the program. The message is one line; readers leave the file's name to their caller.
class failure : public std::runtime_error {
 public:
  failure(exit_code code, const std::string& message) : std::runtime_error(message), code_(code) {}
  /// The exit code that it asks for.
  exit_code code() const noexcept { return code_; }

 private:
  exit_code code_;
};

/// A failure for bad data: where, what was expected and what stood there.
failure bad_data(std::string_view place, std::string_view expected, std::string_view found);

/// A failure for a word that means nothing to an option: which option, what was expected and the word.
failure unusable(std::string_view option, std::string_view expected, std::string_view word);

using detail::in_quotes;
using detail::one_line;
using detail::spelled_out;

}  // namespace onefold::cli
