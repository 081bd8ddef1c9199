// A profile and the check of the choices, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "onefold/profile.hpp"
#include "planner/check.hpp"

namespace onefold::cli {

/// A line a figure.
std::string as_text(const machine_profile& p);

/// The misses in a table, and a line with the share and the worst.
std::string as_text(const std::vector<checked_point>& points);

/// One JSON object on one line, with every point.
std::string as_json(const std::vector<checked_point>& points);

/// Of the points within wanted_ratio.
double share_within(const std::vector<checked_point>& points);

/// The point with the worst ratio.
const checked_point& worst(const std::vector<checked_point>& points);

}  // namespace onefold::cli
