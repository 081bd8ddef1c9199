// onefold calibrate: measures this machine for automatic dispatch, or checks how good its choices are.
#include <filesystem>
#include <mutex>
#include <system_error>

#include <fmt/format.h>

#include "commands.hpp"
#include "files.hpp"
#include "input/failure.hpp"
#include "input/source.hpp"
#include "interrupt.hpp"
#include "measure/calibration.hpp"
#include "onefold/profile.hpp"
#include "output.hpp"
#include "planner/check.hpp"
#include "planner/show.hpp"
#include "progress.hpp"

namespace onefold::cli {
namespace {

/// Seconds for which a busy machine may become quiet, and then disturbed steps be measured again.
constexpr double patience = 10;

/// What is under way, told by one thread and asked for by another.
class stage {
 public:
  void begin(const std::string& name) {
    const std::lock_guard hold(mutex_);
    name_ = name;
  }
  std::string name() const {
    const std::lock_guard hold(mutex_);
    return name_;
  }

 private:
  mutable std::mutex mutex_;
  std::string name_;
};

void calibrate(const arguments& given) {
  if (given.output && given.output->empty()) throw unusable("--output", "a file", *given.output);
  const std::string path = given.output.value_or(profile_path());
  if (path.empty())
    throw failure(exit_code::wrong_usage,
                  "neither XDG_CACHE_HOME nor HOME names a folder for the profile; name a file with --output");
  const std::string folder = std::filesystem::path(path).parent_path();
  require_replaceable(path);
  std::error_code none;  // whatever fails, the next line names
  if (!given.output) std::filesystem::create_directories(folder, none);
  require_folder(folder.empty() ? "." : folder);
  stage at;
  const measure::calibration_result found = [&] {
    const progress shown([&](double) { return at.name(); });
    return measure::calibrated(given.force ? 0 : patience, [&](const std::string& what) { at.begin(what); });
  }();
  if (!found.disturbance.empty() && !given.force)
    throw failure(
        exit_code::failed,
        fmt::format("this machine is busy: {}; nothing was stored, because its figures would mislead every later "
                    "choice. Try again when it is idle, or store them anyway with --force",
                    found.disturbance));
  const machine_profile& p = found.profile;
  write_file(path, to_json(p));
  const std::string doubt =
      found.disturbance.empty() ? "" : "warning: measured on a busy machine: " + found.disturbance + "\n";
  write_output(given.format == output_format::json ? to_json(p)
                                                   : as_text(p) + doubt + "stored in " + shown_name(path) + "\n");
}

void check(const arguments& given) {
  const std::vector<grid_point> points = grid();
  stage at;
  const std::vector<checked_point> checked = [&] {
    const interrupt caught;
    const progress shown([&](double) { return at.name(); });
    return check_choices(points, interrupt::wanted(), [&](std::size_t i) {
      at.begin(fmt::format("point {} of {}, {}", i + 1, points.size(), points[i].text()));
    });
  }();
  if (!checked.empty()) write_output(given.format == output_format::json ? as_json(checked) : as_text(checked));
  if (checked.size() < points.size())
    throw failure(exit_code::interrupted, fmt::format("interrupted after {} points", checked.size()));
  if (share_within(checked) < wanted_share || worst(checked).ratio() > most_ratio)
    throw failure(exit_code::failed,
                  fmt::format("the automatic choice must be within {:.0f} % of the best at {:.0f} % of the points, and "
                              "never more than {} times as slow",
                              100 * (wanted_ratio - 1), 100 * wanted_share, most_ratio));
}

}  // namespace

void run_calibrate(const arguments& given) {
  if (!given.check) return calibrate(given);
  if (given.force) throw failure(exit_code::wrong_usage, "--force cannot be combined with --check");
  if (given.output) throw failure(exit_code::wrong_usage, "--output cannot be combined with --check");
  check(given);
}

}  // namespace onefold::cli
