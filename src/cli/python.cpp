#include "python.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "input/failure.hpp"

namespace onefold::cli {
namespace {

std::string python() {
  const char* named = std::getenv("ONEFOLD_PYTHON");
  return named && *named ? named : "python3";
}

}  // namespace

std::string why_no_drawing() {
  if (run_child({python(), "-c", "import matplotlib"}, "").status == 0) return "";
  return fmt::format(
      "{} cannot run or has no matplotlib; install it (Debian: python3-matplotlib), or name another "
      "Python in ONEFOLD_PYTHON",
      in_quotes(python()));
}

child_result run_script(const char* script, const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<std::string> words{python(), "-c", script};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_child(words, input);
}

}  // namespace onefold::cli
