// The part of a scan that knows no element type.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "onefold/axes.hpp"
#include "onefold/detail/engine.hpp"
#include "onefold/detail/segments.hpp"
#include "onefold/problem.hpp"
#include "onefold/scan_recipe.hpp"

namespace onefold::detail {

/// What is scanned: the lines of an array, or segments.
struct scan_request {
  request operation;                 ///< the operation and its types; `n` counts all elements
  const scan_recipe* own = nullptr;  ///< the scan of a user-defined operation
  bool exclusive = false;            ///< whether a result leaves out its own element
  problem from = {};                 ///< the lines: the kept axes say where they begin, the reduced ones how they go on
  problem to = {};                   ///< the same of the results; its axes are those of `from`, with other strides
};

/// The lines of an array along an axis, or, without one, the array as one line in C order, and of results with extents
/// of their own. Throws invalid_argument for an axis that the array does not have, and where the extents differ.
ONEFOLD_API void make_lines(std::span<const axis> from, std::span<const axis> to, std::optional<int> along,
                            scan_request* made);

/// The extents of the results: those of the array, or without an axis those of one line.
ONEFOLD_API extents scan_extents(std::span<const axis> from, std::optional<int> along);

/// A chosen backend with its scratch, which scans.
class ONEFOLD_API scan_engine {
 public:
  /// Chooses, for an array or segments with at most the request's elements. Throws onefold::error where the request
  /// cannot be met.
  scan_engine(const scan_request& what, const options& how);
  /// The same for data that is there: backends that cannot read it are not opened.
  scan_engine(const scan_request& what, const options& how, const void* data);
  scan_engine(scan_engine&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
  scan_engine& operator=(scan_engine&& other) noexcept {
    scan_engine taken(std::move(other));
    std::swap(impl_, taken.impl_);
    return *this;
  }
  ~scan_engine();

  /// Scans the request's lines. `op` and `init` are as in the recipe.
  void run(const void* op, const void* data, const void* init, void* results);

  /// Scans segments: result i is of value i; results of values in no segment are not written. There is room for
  /// `capacity` results.
  void run_segments(const void* op, const segment_data& from, const void* init, void* results, std::int64_t capacity);

  /// Enqueues a scan of the request's lines on a CUDA stream: data and results are in device memory.
  void enqueue(const void* op, const void* data, const void* init, void* results, CUstream_st* stream);

  /// Enqueues a scan of segments, whose values, offsets and results are in device memory; the offsets are not checked.
  void enqueue_segments(const void* op, const segment_data& from, const void* init, void* results,
                        std::int64_t capacity, CUstream_st* stream);

  /// What runs, and why.
  run_report report() const;

 private:
  struct impl;
  impl* impl_;
};

}  // namespace onefold::detail
