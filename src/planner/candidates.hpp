// What each backend would take for a choice, and which of the CPU's would take the least.
#pragma once

#include <cstdint>
#include <optional>

#include "choose.hpp"
#include "onefold/order.hpp"

namespace onefold::detail {

/// What a backend must save over one that was asked before: threads that gain less are better left to others.
inline constexpr double required_gain = 0.95;

using onefold::pages_of;  // by the bytes of an element; this one by a recipe
std::int64_t pages_of(const recipe& r, std::int64_t n);

/// No more threads than pages: a page is not split.
int threads_for(const recipe& r, std::int64_t n, int possible);

/// The estimate of one of the CPU's backends for n elements, with as many threads as it can have.
candidate estimate_cpu(const choice& c, backend b, std::int64_t n, int possible);

/// Compares the CPU's backends, with the threads that are requested; the place of the best in the list. `compared` as
/// for choose.
std::size_t compare_cpu_backends(const choice& c, int requested, comparison* compared);

/// Whether an accelerator may run the fold: not a user-defined one that was compiled for CPUs only.
bool may_move(const choice& c);

/// A GPU's estimates, seconds.
struct gpu_estimate {
  double call;   ///< for the elements of this call
  double whole;  ///< for the most that the choice is for
};

/// By the GPU's part of the profile, or its data sheet where it was not measured; nothing where its specifications are
/// unavailable.
std::optional<gpu_estimate> estimate_gpu(const accelerator& gpu, const choice& c, std::int64_t n,
                                         accelerator_memory kind);

}  // namespace onefold::detail
