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
  return how_to_get("matplotlib", "Debian: python3-matplotlib");
}

std::string how_to_get(std::string_view module, std::string_view package) {
  return fmt::format(
      "{} cannot run or lacks {}; install it ({}), or name another Python, such as a virtual environment's, in "
      "ONEFOLD_PYTHON",
      in_quotes(python()), module, package);
}

std::string why_script_failed(const child_result& ran) {
  if (std::string line = ran.last_line(); !line.empty()) return line;
  return fmt::format("{} cannot run; ONEFOLD_PYTHON names another Python", in_quotes(python()));
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
