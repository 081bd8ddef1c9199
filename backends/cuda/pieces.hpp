// Arrays that are folded piece by piece, because a device has room for a piece at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "onefold/backend.hpp"
#include "onefold/device.hpp"
#include "onefold/recipe.hpp"
#include "scratch.hpp"

namespace onefold::cuda {

/// Bytes that are copied, or computed, at once.
inline constexpr std::int64_t piece_bytes = 16 << 20;

/// Elements of a piece of runs of which the longest has that many: an aligned run of 2^k pages, so that its state is a
/// node of the tree; more than the longest has where it has no more than a piece.
std::int64_t piece_of(const recipe& host, std::int64_t longest);

/// Has elements [at, at + n) of a run brought to device memory, and calls fold(there) when launch.stream finds them
/// there.
using piece_source = std::function<void(const node_run& run, std::int64_t at, std::int64_t n,
                                        const std::function<void(const void* there)>& fold)>;

/// Folds nodes of arrays in pieces to their states, and waits. The states are then at s.states.host(), one after the
/// other, with room for two more after the first. `launch` has everything but data, n, first, and where the outcome
/// goes.
void fold_pieces(scratch& s, const recipe& host, const device_fold& fold, device_launch launch,
                 std::span<const node_run> runs, std::int64_t piece, const piece_source& bring);

}  // namespace onefold::cuda
