// Whether a plot can be drawn and stored, and what to say where it cannot.
#include "lab/plot.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "files.hpp"
#include "input/failure.hpp"
#include "input/source.hpp"
#include "python.hpp"

namespace onefold::cli {
namespace {

constexpr const char* endings[] = {".svg", ".png"};

/// "svg" or "png"; null for another ending.
const char* format_of(const std::string& path) {
  for (const char* ending : endings)
    if (path.ends_with(ending)) return ending + 1;
  return nullptr;
}

}  // namespace

void check_plot(const std::string& path) {
  if (format_of(path) == nullptr) throw unusable("--plot", "a file that ends in .svg or .png", path);
  const std::string folder = std::filesystem::path(path).parent_path();
  try {
    require_replaceable(path);
    require_folder(folder.empty() ? "." : folder);
  } catch (const failure& f) {
    throw failure(f.code(), fmt::format("--plot {}: {}", shown_name(path), f.what()));
  }
  if (const std::string why = why_no_drawing(); !why.empty())
    throw failure(exit_code::failed, fmt::format("--plot: {}; --format json has the numbers without it", why));
}

void draw_plot(const std::string& path, const std::string& findings) {
  const child_result drawn = run_script(plot_script, {format_of(path)}, findings);
  if (drawn.status != 0 || drawn.output.empty())
    throw failure(exit_code::failed,
                  fmt::format("--plot: {} was not drawn: {}", shown_name(path),
                              drawn.status != 0 ? why_script_failed(drawn) : "Python wrote nothing"));
  write_file(path, drawn.output);
}

}  // namespace onefold::cli
