// Reductions of segments whose operation and types are known at run time only.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "onefold/detail/engine.hpp"
#include "onefold/dynamic/results.hpp"
#include "onefold/options.hpp"
#include "onefold/report.hpp"
#include "onefold/selection.hpp"
#include "onefold/source_operation.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// A plan for reductions of segments whose operation and types are known at run time only: what
/// segmented_plan<T, Op, R> does, without templates. Like a dynamic_plan, it serves one thread at a time, and can be
/// moved.
class ONEFOLD_API dynamic_segmented_plan : public dynamic_results {
 public:
  /// Chooses a backend for at most `segments` segments with at most `elements` elements in all, with an operation of
  /// the catalog (by its place). Throws as dynamic_plan's constructor does, invalid_argument also for a negative
  /// number of segments.
  dynamic_segmented_plan(int operation, dtype element, std::int64_t segments, std::int64_t elements,
                         const options& how = {}, std::optional<dtype> result = std::nullopt);

  /// The same by names, in any case: ("sum", "f32", segments, elements, how, "f64"). Throws as above, and
  /// unknown_name's error.
  dynamic_segmented_plan(std::string_view operation, std::string_view element, std::int64_t segments,
                         std::int64_t elements, const options& how = {}, std::string_view result = {});

  /// The same with an operation as text. Also throws what dynamic_plan's constructor throws for one.
  dynamic_segmented_plan(const source_operation& operation, std::int64_t segments, std::int64_t elements,
                         const options& how = {});

  /// Reduces segment i, the values from the offset i to the next, into result i of result_size() bytes. There are
  /// `elements` values, and one more offset than segments, integers of 32 or 64 bits of `offset_type`, all in host
  /// memory. `results` has room for `capacity` results, aligned as dynamic_plan::run wants it. Allocates nothing.
  /// `selects` says which values count, as `where` does: {.kind = mask_kind::bytes, .mask = mask}, or
  /// {mask_kind::not_nan}; its element type is not looked at. A plan's first run with a selection allocates. Throws
  /// onefold::error as reduce does over segments, where there are more segments, or elements in them, than the plan is
  /// for, and for another type of offsets (invalid_argument); nothing is written then, except where an exact integer
  /// result does not fit (overflow).
  void run(const void* values, std::int64_t elements, const void* offsets, std::int64_t offset_count, dtype offset_type,
           void* results, std::int64_t capacity, const list_selection& selects = {});

  /// Enqueues the same on a CUDA stream and returns at once: values, offsets, mask and results are in device memory,
  /// and the offsets are not checked, as for segmented_plan::enqueue. Throws as dynamic_plan::enqueue and run do.
  void enqueue(const void* values, std::int64_t elements, const void* offsets, std::int64_t offset_count,
               dtype offset_type, void* results, std::int64_t capacity, CUstream_st* stream,
               const list_selection& selects = {});

  /// What runs it, and why.
  run_report report() const;

 private:
  dtype element_;
  detail::engine engine_;
};

}  // namespace onefold
