// Another program: run to its end, or while its output is read.
#pragma once

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace onefold::cli {

/// The status of a program that could not be started, as a shell has it.
inline constexpr int not_started = 127;

/// How it ended.
struct child_result {
  int status;          ///< its exit code; not_started, 128 and the signal if one ended it, -1 if unknown
  std::string output;  ///< what it wrote to standard output
  std::string errors;  ///< what it wrote to standard error; the system's reason if it was not started

  /// The last line of the errors that is not empty.
  std::string last_line() const;
};

/// Runs words[0], which is looked for in PATH, with `input` as its standard input. Its working directory is the root:
/// it finds none of the files that are beside the user's data.
child_result run_child(const std::vector<std::string>& words, const std::string& input);

/// One whose output is read while it runs, with an empty standard input; otherwise as run_child. Ctrl-C does not reach
/// it. It is ended with its object, if it has not ended itself.
class running_child {
 public:
  explicit running_child(const std::vector<std::string>& words);
  running_child(const running_child&) = delete;
  running_child& operator=(const running_child&) = delete;
  ~running_child();

  /// A pipe from its standard output, to be closed by the caller. Once.
  int take_output();
  /// Waits for its end, but for a time; nothing where it runs then. `output` of the result is empty.
  std::optional<child_result> wait(std::chrono::milliseconds most);

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> errors_;
  int output_ = -1;
  int child_ = -1;  ///< its number; negative: none runs, as this errno says
};

}  // namespace onefold::cli
