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

}  // namespace

std::string why_no_drawing() {
  if (run_child({python(), isolated_command, "import matplotlib"}, "").status == 0) return "";
  return fmt::format(
      "{} cannot run or lacks matplotlib; install it (Debian: python3-matplotlib), or name another Python, such as a "
      "virtual environment's, in ONEFOLD_PYTHON",
      in_quotes(python()));
}

std::string why_script_failed(const child_result& ran) {
  if (std::string line = ran.last_line(); !line.empty()) return line;
  return fmt::format("{} cannot run; ONEFOLD_PYTHON names another Python", in_quotes(python()));
}

child_result run_script(const char* script, const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<std::string> words{python(), isolated_command, script};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_child(words, input);
}

}  // namespace onefold::cli
