// Finding Python, and what to say where it cannot draw.
#include "lab/plot.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/source.hpp"
#include "lab/child.hpp"

namespace onefold::cli {
namespace {

std::string python() {
  const char* named = std::getenv("ONEFOLD_PYTHON");
  return named && *named ? named : "python3";
}

}  // namespace

void check_plot(const std::string& path) {
  if (!path.ends_with(".svg") && !path.ends_with(".png"))
    throw failure(exit_code::wrong_usage,
                  fmt::format("--plot: expected a file that ends in .svg or .png, found {}", in_quotes(path)));
  if (run_child({python(), "-c", "import matplotlib"}, "").status != 0)
    throw failure(exit_code::failed,
                  fmt::format("--plot: {} cannot run or has no matplotlib; install it (Debian: python3-matplotlib), or "
                              "name another Python in ONEFOLD_PYTHON; --format json has the numbers without it",
                              in_quotes(python())));
}

void draw_plot(const std::string& path, const std::string& findings) {
  const child_result drawn = run_child({python(), "-c", plot_script, path}, findings);
  if (drawn.status != 0)
    throw failure(exit_code::failed, fmt::format("--plot: {} was not drawn: {}", shown_name(path), drawn.last_line()));
  std::error_code none;
  if (!std::filesystem::exists(path, none))
    throw failure(exit_code::failed,
                  fmt::format("--plot: {} was not drawn: {} did nothing", shown_name(path), in_quotes(python())));
}

}  // namespace onefold::cli
