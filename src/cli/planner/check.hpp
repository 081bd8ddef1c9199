// How good the automatic choice is: it against every backend that could be forced, over a grid.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "measure/arena.hpp"
#include "onefold/options.hpp"

namespace onefold::cli {

/// A point of the grid.
struct grid_point {
  measure::location where;
  int operation;
  dtype element;
  accuracy mode;
  std::int64_t n;

  /// "sum f32 exact, 2^20, pinned"
  std::string text() const;
};

/// What the point took. Seconds are medians, measured in turns.
struct checked_point {
  grid_point at;
  backend chosen;  ///< by the automatic choice
  double automatic;
  backend best;  ///< of those that were forced
  double least;

  double ratio() const { return automatic / least; }
};

/// What must hold: this many of the points are within this ratio, and none is beyond the other.
inline constexpr double wanted_share = 0.95, wanted_ratio = 1.15, most_ratio = 2;

/// The points that this machine has memory and backends for.
std::vector<grid_point> grid();

/// Measures the points until `stop`; `begin` is called with the number of each.
std::vector<checked_point> check_choices(const std::vector<grid_point>& points, const std::atomic<bool>& stop,
                                         const std::function<void(std::size_t)>& begin);

}  // namespace onefold::cli
