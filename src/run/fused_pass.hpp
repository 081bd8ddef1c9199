// Several reductions of an array in one pass: each piece of it is folded by all of them while it is in a core's cache.
#pragma once

#include <cstdint>
#include <span>

#include "choose.hpp"
#include "onefold/detail/mapping.hpp"

namespace onefold::detail {

/// One of the reductions.
struct fused_member {
  const choice* c;  ///< on the CPU
  const void* op;   ///< as in the recipe
  const void* init;
  void* result;
};

/// Where the elements of all members come from.
struct fused_elements {
  const void* data;           ///< an array in host memory; null where
  const mapped_source* from;  ///< a function computes them,
  const mapping* maps;        ///< from these arrays, which are reduced to one result
};

/// Runs the members over n elements, with the scheduler and the threads of `lead`, one of their choices. The caller
/// guards the floating-point environment, and has checked the arguments.
void run_pass(const choice& lead, std::span<const fused_member> members, const fused_elements& elements,
              std::int64_t n);

}  // namespace onefold::detail
