// Reductions by key whose operation and types are known at run time only.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "onefold/detail/engine.hpp"
#include "onefold/detail/keys.hpp"
#include "onefold/dynamic/results.hpp"
#include "onefold/options.hpp"
#include "onefold/report.hpp"
#include "onefold/selection.hpp"
#include "onefold/source_operation.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// A plan for reductions by key whose operation and types are known at run time only: what keyed_plan<T, Op, K, R>
/// does, without templates. Like a dynamic_plan, it serves one thread at a time, and can be moved.
class ONEFOLD_API dynamic_keyed_plan : public dynamic_results {
 public:
  /// Chooses a backend for at most `elements` elements with keys of type `keys`, with an operation of the catalog (by
  /// its place). Throws as dynamic_plan's constructor does, and unsupported where keys cannot have that type.
  dynamic_keyed_plan(int operation, dtype element, dtype keys, std::int64_t elements, const options& how = {},
                     std::optional<dtype> result = std::nullopt);

  /// The same by names, in any case: ("sum", "f32", "i64", elements, how, "f64"). Throws as above, and unknown_name's
  /// error.
  dynamic_keyed_plan(std::string_view operation, std::string_view element, std::string_view keys, std::int64_t elements,
                     const options& how = {}, std::string_view result = {});

  /// The same with an operation as text. Also throws what dynamic_plan's constructor throws for one.
  dynamic_keyed_plan(const source_operation& operation, dtype keys, std::int64_t elements, const options& how = {});

  /// Which elements are a group.
  enum class grouping : std::uint8_t {
    keys,  ///< all with equal keys, in ascending order of the keys, as by by_key
    runs,  ///< neighbors with equal keys, as by runs_by_key
  };

  /// Groups n values by their n keys, and writes the key of group i to found[i] and its result, of result_size() bytes,
  /// to result i. `found` and `results` have room for `capacity` groups each. `selects` is as for
  /// dynamic_segmented_plan::run. Returns how many groups there are. Throws onefold::error as reduce does by key, and
  /// for more elements than the plan is for (invalid_argument).
  std::int64_t run(const void* values, const void* keys, std::int64_t n, grouping by, void* found, void* results,
                   std::int64_t capacity, const list_selection& selects = {});

  /// Enqueues the same for runs on a CUDA stream and returns at once, as keyed_plan::enqueue: all is in device memory,
  /// and *count gets how many runs there are, of which those beyond `capacity` are only counted.
  void enqueue_runs(const void* values, const void* keys, std::int64_t n, void* found, void* results,
                    std::int64_t capacity, std::int64_t* count, CUstream_st* stream,
                    const list_selection& selects = {});

  /// What runs it, and why.
  run_report report() const;

 private:
  detail::key_data data_of(const void* values, const void* keys, std::int64_t n, grouping by,
                           const list_selection& selects) const;

  dtype element_, keys_;
  detail::engine engine_;
};

}  // namespace onefold
