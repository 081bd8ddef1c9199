// Reductions over some axes whose operation and types are known at run time only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "onefold/axes.hpp"
#include "onefold/detail/engine.hpp"
#include "onefold/dynamic/results.hpp"
#include "onefold/options.hpp"
#include "onefold/problem.hpp"
#include "onefold/report.hpp"
#include "onefold/source_operation.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// A plan for a reduction over some axes whose operation and types are known at run time only: what
/// shaped_plan<T, Op, R> does, without templates. Like a dynamic_plan, it serves one thread at a time, and can be
/// moved.
class ONEFOLD_API dynamic_shaped_plan : public dynamic_results {
 public:
  /// Chooses a backend for arrays with these extents and strides (in elements), with an operation of the catalog (by
  /// its place) over the axes that `along` names. Throws as dynamic_plan's constructor does, and invalid_argument for
  /// what array_view refuses and for axes that the array does not have.
  dynamic_shaped_plan(int operation, dtype element, std::span<const axis> axes, const over& along = {},
                      const options& how = {}, std::optional<dtype> result = std::nullopt);

  /// The same by names, in any case: ("sum", "f32", view.axes(), {.axes = 0}, how, "f64"). Throws as above, and
  /// unknown_name's error.
  dynamic_shaped_plan(std::string_view operation, std::string_view element, std::span<const axis> axes,
                      const over& along = {}, const options& how = {}, std::string_view result = {});

  /// The same with an operation as text. Also throws what dynamic_plan's constructor throws for one.
  dynamic_shaped_plan(const source_operation& operation, std::span<const axis> axes, const over& along = {},
                      const options& how = {});

  /// The extents of the results, and how many there are.
  const onefold::extents& extents() const { return extents_; }
  /// How many results there are.
  std::int64_t size() const { return shape_.outputs; }

  /// Reduces the array whose first element is at data into size() results of result_size() bytes, one after another
  /// in C order. `results` has room for `capacity` of them, aligned as dynamic_plan::run wants it. Allocates nothing.
  /// Throws onefold::error as reduce does over a view: nothing is written then, except where an exact integer result
  /// does not fit (overflow).
  void run(const void* data, void* results, std::int64_t capacity);

  /// Enqueues the same on a CUDA stream and returns at once: data and results are in device memory, as for
  /// dynamic_plan::enqueue. Throws as that and run do.
  void enqueue(const void* data, void* results, std::int64_t capacity, CUstream_st* stream);

  /// What runs it, and why.
  run_report report() const;

 private:
  problem shape_ = {};
  onefold::extents extents_;
  detail::engine engine_;
};

}  // namespace onefold
