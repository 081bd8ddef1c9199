// Row operations that are known at run time only, as their types are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "onefold/axes.hpp"
#include "onefold/detail/row_engine.hpp"
#include "onefold/dynamic/mask_layout.hpp"
#include "onefold/dynamic/results.hpp"
#include "onefold/options.hpp"
#include "onefold/problem.hpp"
#include "onefold/report.hpp"
#include "onefold/row_request.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// What a dynamic_row_plan is made for besides the data. All of it may be left out.
struct dynamic_row_parameters {
  std::optional<double> eps = {};        ///< as row_parameters::eps; for operations that have one
  std::int64_t weights = 0;              ///< of layer_norm and rms_norm: 0, or one for each place along a line
  std::int64_t biases = 0;               ///< the same of layer_norm's bias
  bool statistics = false;               ///< whether layer_norm writes row_parameters::mean and rstd
  std::optional<mask_layout> mask = {};  ///< which elements count, as `where` says; its axes are looked at once
};

/// A plan for a row operation that is known at run time only, as its types are: what row_plan<T> does, without
/// templates. Results have the type of elements. Like a dynamic_plan, it serves one thread at a time, and can be moved.
class ONEFOLD_API dynamic_row_plan : public dynamic_results {
 public:
  /// Chooses a backend for arrays with these extents and strides (in elements), whose lines lie along an axis. Throws
  /// as row_plan does, unsupported for elements that are not f16, bf16, f32 or f64, and invalid_argument for what
  /// array_view refuses and for an eps that the operation does not take.
  dynamic_row_plan(row_operation operation, dtype element, std::span<const axis> axes, int along = -1,
                   const dynamic_row_parameters& with = {}, const options& how = {});

  /// The same by names, in any case: ("softmax", "f32", view.axes()). Throws as above, and unknown_name's error.
  dynamic_row_plan(std::string_view operation, std::string_view element, std::span<const axis> axes, int along = -1,
                   const dynamic_row_parameters& with = {}, const options& how = {});

  /// The extents of the results: the array's, of logsumexp without the axis.
  const onefold::extents& extents() const { return extents_; }
  /// How many results there are.
  std::int64_t size() const { return size_; }

  /// Works on the array at memory.data, with size() results at memory.results, one after another in C order.
  /// `results` has room for `capacity` of them, and may be data that lies in the same order. Weight, bias and
  /// statistics are there where the plan was made for them, and only there; so is the mask, which is not looked at for
  /// not_nan. Allocates nothing. Throws onefold::error as row_plan's call does.
  void run(const row_memory& memory, std::int64_t capacity, const void* mask = nullptr);

  /// What runs it, and why.
  run_report report() const;

 private:
  onefold::extents extents_;
  std::int64_t size_;
  dynamic_row_parameters with_;
  detail::row_engine engine_;
};

/// The names of all row operations, in the order of row_operation: softmax, ..., normalize_l1, normalize_l2, ...
ONEFOLD_API std::span<const std::string_view> row_operation_names();

/// The row operation with this name, in any case. Throws unknown_name's error, which names the nearest one and lists
/// all.
ONEFOLD_API row_operation row_operation_named(std::string_view name);

}  // namespace onefold
