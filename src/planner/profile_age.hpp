// How old a profile is, and why it should be measured again.
#pragma once

#include <ctime>
#include <string>

#include "onefold/profile.hpp"

namespace onefold::detail {

/// "measured 2026-11-22, 3 days ago, by onefold 0.2.0 at load 0.12"; empty where the profile has no date. Throws
/// std::runtime_error for a date or a version that is not one.
std::string age_of(const machine_profile::origin& measured, std::time_t now);

/// A sentence for figures of another version of the library, or of a busy machine; else empty.
std::string warning_of(const machine_profile::origin& measured);

}  // namespace onefold::detail
