// Scans whose operation and types are known at run time only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "onefold/axes.hpp"
#include "onefold/detail/scan.hpp"
#include "onefold/dynamic/results.hpp"
#include "onefold/options.hpp"
#include "onefold/problem.hpp"
#include "onefold/report.hpp"
#include "onefold/scan_recipe.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// A plan for scans whose operation and types are known at run time only: what scan_plan<T, Op, R> does, without
/// templates. Like a dynamic_plan, it serves one thread at a time, and can be moved.
class ONEFOLD_API dynamic_scan_plan : public dynamic_results {
 public:
  /// Chooses a backend for arrays with these extents and strides (in elements), each line of which along an axis is
  /// scanned with an operation of the catalog (by its place); without an axis the array is one line, in C order.
  /// Throws as dynamic_plan's constructor does, unsupported where the entry has no scan (why_no_scan), and
  /// invalid_argument for what array_view refuses and for an axis that the array does not have.
  dynamic_scan_plan(int operation, dtype element, std::span<const axis> axes, std::optional<int> along = std::nullopt,
                    scan_kind kind = scan_kind::inclusive, const options& how = {},
                    std::optional<dtype> result = std::nullopt);

  /// The same by names, in any case: ("sum", "f32", view.axes(), 0, scan_kind::inclusive, how, "f64"). Throws as above,
  /// and unknown_name's error.
  dynamic_scan_plan(std::string_view operation, std::string_view element, std::span<const axis> axes,
                    std::optional<int> along = std::nullopt, scan_kind kind = scan_kind::inclusive,
                    const options& how = {}, std::string_view result = {});

  /// The extents of the results: the array's, or without an axis one.
  const onefold::extents& extents() const { return extents_; }
  /// How many results there are.
  std::int64_t size() const { return size_; }

  /// Scans the array whose first element is at data into size() results of result_size() bytes, one after another in
  /// C order. `results` has room for `capacity` of them, aligned as dynamic_plan::run wants it, and may be data where
  /// that lies in the same order, in elements of the same size. Allocates nothing. Throws onefold::error as
  /// inclusive_scan does.
  void run(const void* data, void* results, std::int64_t capacity);

  /// Enqueues the same on a CUDA stream and returns at once: data and results are in device memory, as for
  /// dynamic_plan::enqueue. Throws as that and run do.
  void enqueue(const void* data, void* results, std::int64_t capacity, CUstream_st* stream);

  /// What runs it, and why.
  run_report report() const;

 private:
  onefold::extents extents_;
  std::int64_t size_;
  detail::scan_engine engine_;
};

}  // namespace onefold
