// Reductions of selected elements whose operation and types are known at run time only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "onefold/axes.hpp"
#include "onefold/detail/engine.hpp"
#include "onefold/dynamic/mask_layout.hpp"
#include "onefold/dynamic/results.hpp"
#include "onefold/options.hpp"
#include "onefold/problem.hpp"
#include "onefold/report.hpp"
#include "onefold/selection.hpp"
#include "onefold/source_operation.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// A plan for reductions of selected elements whose operation and types are known at run time only: what
/// selected_plan<T, Op, R> does, without templates. Like a dynamic_plan, it serves one thread at a time, and can be
/// moved.
class ONEFOLD_API dynamic_selected_plan : public dynamic_results {
 public:
  /// Chooses a backend for arrays with these extents and strides (in elements) and masks that lie as `mask` says, over
  /// the axes that `along` names. Throws as dynamic_shaped_plan's constructor does, and invalid_argument for what
  /// `where` refuses.
  dynamic_selected_plan(int operation, dtype element, std::span<const axis> axes, const mask_layout& mask,
                        const over& along = {}, const options& how = {}, std::optional<dtype> result = std::nullopt);

  /// The same by names, in any case. Throws as above, and unknown_name's error.
  dynamic_selected_plan(std::string_view operation, std::string_view element, std::span<const axis> axes,
                        const mask_layout& mask, const over& along = {}, const options& how = {},
                        std::string_view result = {});

  /// The same with an operation as text. Also throws what dynamic_plan's constructor throws for one.
  dynamic_selected_plan(const source_operation& operation, std::span<const axis> axes, const mask_layout& mask,
                        const over& along = {}, const options& how = {});

  /// The extents of the results, and how many there are.
  const onefold::extents& extents() const { return extents_; }
  /// How many results there are.
  std::int64_t size() const { return shape_.outputs; }

  /// Reduces what `mask`, which is not looked at for not_nan, selects of the array at data, as
  /// dynamic_shaped_plan::run. Throws onefold::error as reduce does over selected elements.
  void run(const void* data, const void* mask, void* results, std::int64_t capacity);

  /// Enqueues the same on a CUDA stream and returns at once: data, mask and results are in device memory, as for
  /// selected_plan::enqueue.
  void enqueue(const void* data, const void* mask, void* results, std::int64_t capacity, CUstream_st* stream);

  /// What runs it, and why.
  run_report report() const;

 private:
  problem shape_ = {};
  selection by_ = {};
  onefold::extents extents_;
  detail::engine engine_;
};

}  // namespace onefold
