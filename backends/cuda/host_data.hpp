// Data in host memory: copied piece by piece into two device buffers while the device folds what is there.
#pragma once

#include <span>

#include "onefold/backend.hpp"
#include "onefold/device.hpp"
#include "onefold/recipe.hpp"
#include "scratch.hpp"

namespace onefold::cuda {

/// Bytes that are copied at once.
inline constexpr std::int64_t piece_bytes = 16 << 20;

/// Reduces nodes of an array in host memory (pinned: the device can copy from it by itself) to their states, one after
/// the other. data[0] is element `index` of the array. `launch` has everything but data, n, first, the stream and where
/// the outcome goes.
void run_host_data(scratch& s, const recipe& host, const device_fold& fold, device_launch launch, const void* data,
                   std::int64_t index, std::span<const node_run> runs, bool pinned, void* states);

}  // namespace onefold::cuda
