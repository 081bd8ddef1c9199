// Several reductions of an array in one pass: each piece of it is folded by all of them while it is in a core's cache.
#pragma once

#include <cstdint>
#include <span>

#include "choose.hpp"

namespace onefold::detail {

/// One of the reductions.
struct fused_member {
  const choice* c;  ///< on the CPU
  const void* op;   ///< as in the recipe
  const void* init;
  void* result;
};

/// Runs the members over n elements in host memory, with the scheduler and the threads of `lead`, one of their choices.
/// The caller guards the floating-point environment, and has checked the arguments.
void run_pass(const choice& lead, std::span<const fused_member> members, const void* data, std::int64_t n);

}  // namespace onefold::detail
