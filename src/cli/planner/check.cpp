#include "planner/check.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "measure/calibration.hpp"
#include "measure/machine.hpp"
#include "measure/prepared.hpp"
#include "measure/sampling.hpp"
#include "onefold/backend.hpp"

namespace onefold::cli {
namespace {

using measure::location;

/// OpenMP's threads spin for some milliseconds when their work is done, and would slow down what comes next.
constexpr auto settle_time = std::chrono::milliseconds(10);

/// How hard a point is looked at: what seems to be a miss is measured again for longer, and that counts.
struct look {
  int turns;
  double seconds;
};
constexpr look first_look{3, 6e-3}, second_look{15, 12e-3};

/// Of every class of operations one.
struct reduction {
  int operation;
  dtype element;
  accuracy mode;
};
constexpr reduction checked_reductions[] = {
    {operation_index<op::sum>, dtype::f32, accuracy::native},
    {operation_index<op::sum>, dtype::f32, accuracy::exact},
    {operation_index<op::sum>, dtype::f64, accuracy::kahan},
    {operation_index<op::argmax>, dtype::f32, accuracy::native},
    {operation_index<op::variance>, dtype::f32, accuracy::native},
    {operation_index<op::sum>, dtype::i8, accuracy::native},
    {operation_index<op::max>, dtype::f16, accuracy::native},
};
constexpr int least_log2 = 10, most_log2 = 26, step_log2 = 2;

/// A caller that reduces the array again and again.
struct competitor {
  backend asked;
  measure::prepared plan;
  std::vector<double> medians;

  double seconds() const { return measure::summary_of(medians).median; }
};

/// Nothing if it was stopped.
std::optional<checked_point> check_point(const grid_point& at, measure::arena& data, const look& how,
                                         const std::atomic<bool>& stop) {
  std::vector<competitor> all;
  const auto add = [&](backend b) {
    options o;
    o.backend = b;
    o.accuracy = at.mode;
    o.environment = false;
    all.push_back({b, {at.operation, at.element, at.n, o}, {}});
  };
  add(backend::automatic);
  for (const backend_info& b : backends())
    if (b.available && (at.where != location::device || b.backend == measure::measurable_accelerator())) add(b.backend);
  measure::effort e;
  e.seconds = how.seconds;
  e.least_samples = 3;
  e.stop = &stop;
  for (int turn = 0; turn < how.turns; ++turn)
    for (std::size_t i = 0; i < all.size(); ++i) {
      // None always follows the same one: each turn begins with another, every other goes backwards.
      const std::size_t place = turn % 2 == 0 ? i : all.size() - 1 - i;
      competitor& c = all[(place + static_cast<std::size_t>(turn)) % all.size()];
      std::this_thread::sleep_for(settle_time);
      const auto times = measure::sample(e, [&](std::int64_t calls) { c.plan.repeat(data, at.n, calls); });
      if (!times) return std::nullopt;
      c.medians.push_back(times->median);
    }
  const competitor& best = *std::min_element(
      all.begin() + 1, all.end(), [](const competitor& a, const competitor& b) { return a.seconds() < b.seconds(); });
  return checked_point{at, all.front().plan.report().backend, all.front().seconds(), best.asked, best.seconds()};
}

}  // namespace

std::string grid_point::text() const {
  return fmt::format("{} {} {}, 2^{}, {}", operation_infos()[static_cast<std::size_t>(operation)].name,
                     name_of(element), name_of(mode), std::bit_width(static_cast<std::uint64_t>(n)) - 1,
                     name_of(where));
}

std::vector<grid_point> grid() {
  std::vector<location> places{location::host};
  if (measure::measurable_accelerator()) places = {location::host, location::pinned, location::device};
  std::vector<grid_point> points;
  for (const location where : places)
    for (const reduction& r : checked_reductions)
      for (int log2 = least_log2; log2 <= most_log2; log2 += step_log2)
        if ((size_of(r.element) << log2) <= measure::available_memory() / 8)
          points.push_back({where, r.operation, r.element, r.mode, std::int64_t{1} << log2});
  return points;
}

std::vector<checked_point> check_choices(const std::vector<grid_point>& points, const std::atomic<bool>& stop,
                                         const std::function<void(std::size_t)>& begin) {
  std::vector<checked_point> checked;
  for (const grid_point& at : points) {
    begin(checked.size());
    const std::int64_t bytes = at.n * size_of(at.element);
    measure::arena host(location::host, bytes, 1);
    measure::fill_with_small_numbers(host, at.element);
    std::unique_ptr<measure::arena> there;
    if (at.where != location::host) {
      there = std::make_unique<measure::arena>(at.where, bytes, 1);
      there->fill(host.first());
    }
    measure::arena& data = there ? *there : host;
    auto found = check_point(at, data, first_look, stop);
    if (found && found->ratio() > wanted_ratio) found = check_point(at, data, second_look, stop);
    if (!found) break;
    checked.push_back(*found);
  }
  return checked;
}

}  // namespace onefold::cli
