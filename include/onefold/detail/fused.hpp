// The part of several reductions of one array that knows no type.
#pragma once

#include <span>

#include "onefold/detail/engine.hpp"
#include "onefold/map_request.hpp"
#include "onefold/options.hpp"
#include "onefold/report.hpp"

namespace onefold::detail {

/// One of several reductions of the same array.
struct fused_part {
  request what;      ///< of an array, without a shape, or of computed elements; `n` is the same in all
  const void* op;    ///< as in the recipe
  const void* init;  ///< likewise
  void* result;      ///< where the result goes
};

/// Chooses and runs once: each part as run_once would, but those that run on the CPU in one pass over the array. `ran`
/// is null, or has room for a report of each part. Throws as run_once does; some results may be written then.
ONEFOLD_API void run_fused(std::span<const fused_part> parts, const options& how, const void* data, run_report* ran);

/// The same of computed elements, all of one mapping to one result: the CPU computes each once for all parts.
ONEFOLD_API void run_fused_mapped(std::span<const fused_part> parts, const options& how, const mapped_source& from,
                                  run_report* ran);

}  // namespace onefold::detail
