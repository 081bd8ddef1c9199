#include "python.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "input/failure.hpp"

namespace onefold::cli {
namespace {

/// Isolated (-I): modules in the working directory, in PYTHONPATH or in the user's own folder are not found.
constexpr const char* isolated_command = "-Ic";

std::string python() {
  const char* named = secure_getenv("ONEFOLD_PYTHON");
  const std::string python = named && *named ? named : "python3";
  return python.find('/') == std::string::npos ? python : std::filesystem::absolute(python).string();
}

/// That Python cannot run, why, and what to install.
std::string cannot_run(const child_result& ran, std::string_view wanted) {
  const std::string line = ran.last_line();
  return fmt::format("{} cannot run: {}; install {}, or name another Python in ONEFOLD_PYTHON", in_quotes(python()),
                     line.empty() ? fmt::format("it ended with code {}", ran.status) : one_line(line), wanted);
}

}  // namespace

std::string why_no_drawing() {
  const child_result ran = run_child({python(), isolated_command, "import matplotlib"}, "");
  return ran.status == 0 ? "" : why_no_module(ran, "matplotlib", "Debian: python3-matplotlib");
}

std::string why_no_module(const child_result& ran, std::string_view module, std::string_view package) {
  const bool is_other = !ran.errors.empty() && ran.last_line().find(fmt::format("'{}'", module)) == std::string::npos;
  if (ran.status == not_started || is_other)
    return cannot_run(ran, fmt::format("Python 3 with {} ({})", module, package));
  return fmt::format(
      "{} lacks {}; install it ({}), or name another Python, such as a virtual environment's, in ONEFOLD_PYTHON",
      in_quotes(python()), module, package);
}

std::string why_script_failed(const child_result& ran) {
  const std::string line = ran.last_line();
  return ran.status == not_started || line.empty() ? cannot_run(ran, "Python 3") : line;
}

std::vector<std::string> script_command(const char* script, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{python(), isolated_command, script};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

child_result run_script(const char* script, const std::vector<std::string>& arguments, const std::string& input) {
  return run_child(script_command(script, arguments), input);
}

}  // namespace onefold::cli
