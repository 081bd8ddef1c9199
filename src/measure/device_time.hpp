// The device's own time of a reduction, without the host's part.
#pragma once

#include <optional>

#include "measure/prepared.hpp"
#include "measure/statistics.hpp"

namespace onefold::measure {

/// Seconds on the device of one reduction, by an accelerator, of n elements that are in its memory: many are recorded
/// as a graph, over the arena's copies in turn, and the graph replayed. Nothing where the reduction cannot be enqueued
/// on a stream. Throws onefold::error where the device fails.
std::optional<summary> device_time(prepared& reduction, arena& data, std::int64_t n);

}  // namespace onefold::measure
