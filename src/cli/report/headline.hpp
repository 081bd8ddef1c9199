// What a report says, in one sentence.
#pragma once

#include <string>

#include "report/record.hpp"

namespace onefold::cli {

/// The fastest CPU backend at the longest array, and how the GPU compares with it; of a preset its fastest row. Noisy
/// rows do not count. Empty where there are no rows to speak of.
std::string headline_of(const record& r);

}  // namespace onefold::cli
