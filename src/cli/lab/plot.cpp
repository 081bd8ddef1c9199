// What to say where nothing can be drawn.
#include "lab/plot.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "input/failure.hpp"
#include "input/source.hpp"
#include "python.hpp"

namespace onefold::cli {

void check_plot(const std::string& path) {
  if (!path.ends_with(".svg") && !path.ends_with(".png"))
    throw failure(exit_code::wrong_usage,
                  fmt::format("--plot: expected a file that ends in .svg or .png, found {}", in_quotes(path)));
  if (const std::string why = why_no_drawing(); !why.empty())
    throw failure(exit_code::failed, fmt::format("--plot: {}; --format json has the numbers without it", why));
}

void draw_plot(const std::string& path, const std::string& findings) {
  const child_result drawn = run_script(plot_script, {path}, findings);
  if (drawn.status != 0)
    throw failure(exit_code::failed, fmt::format("--plot: {} was not drawn: {}", shown_name(path), drawn.last_line()));
  std::error_code none;
  if (!std::filesystem::exists(path, none))
    throw failure(exit_code::failed, fmt::format("--plot: {} was not drawn: Python did nothing", shown_name(path)));
}

}  // namespace onefold::cli
