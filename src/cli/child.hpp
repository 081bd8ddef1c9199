// Another program, run to its end.
#pragma once

#include <string>
#include <vector>

namespace onefold::cli {

/// How it ended.
struct child_result {
  int status;          ///< its exit code; 127 if it could not be started, 128 and the signal if one ended it
  std::string output;  ///< what it wrote to standard output
  std::string errors;  ///< what it wrote to standard error

  /// The last line of the errors that is not empty.
  std::string last_line() const;
};

/// Runs words[0], which is looked for in PATH, with `input` as its standard input. Its working directory is the root:
/// it finds none of the files that are beside the user's data.
child_result run_child(const std::vector<std::string>& words, const std::string& input);

}  // namespace onefold::cli
