// Measures the figures that automatic dispatch plans with.
#pragma once

#include <functional>
#include <string>

#include "measure/arena.hpp"
#include "onefold/profile.hpp"

namespace onefold::measure {

/// Fills all copies with small numbers that any operation bears: fractions of 64 below 1, or integers below 64.
void fill_with_small_numbers(arena& a, dtype element);

/// A profile, and whether it can be trusted.
struct calibration_result {
  machine_profile profile;
  std::string disturbance;  ///< what disturbed the measurement, in words; empty: nothing did
};

/// This machine's profile, measured in some seconds; what cannot be measured (a backend that is missing) keeps the
/// built-in figure. Where the machine is busy it waits, and a step that was disturbed (measure/noise.hpp) is measured
/// again, for `patience` seconds in all; after that the result says what it was. Its figures are complete with a
/// patience of 0 only. `begin`, if given, is called with what each step does. Throws what the library throws where a
/// device fails, and std::bad_alloc.
calibration_result calibrated(double patience, const std::function<void(const std::string&)>& begin = {});

}  // namespace onefold::measure
