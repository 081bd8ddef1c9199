// Measures the figures that automatic dispatch plans with.
#pragma once

#include <functional>
#include <string>

#include "measure/arena.hpp"
#include "onefold/profile.hpp"

namespace onefold::measure {

/// Fills all copies with small numbers that any operation bears: fractions of 64 below 1, or integers below 64.
void fill_with_small_numbers(arena& a, dtype element);

/// This machine's profile, measured in some seconds; what cannot be measured (a backend that is missing) keeps the
/// built-in figure. `begin`, if given, is called with the name of each step. Throws what the library throws where a
/// device fails, and std::bad_alloc.
machine_profile calibrated(const std::function<void(const std::string&)>& begin = {});

}  // namespace onefold::measure
