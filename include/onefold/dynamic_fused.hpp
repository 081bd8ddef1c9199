// Several reductions of the same array whose operations and types are known at run time only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "onefold/dynamic.hpp"
#include "onefold/options.hpp"

namespace onefold {

/// Several operations over one array, in one pass: what fused<Ops...> does, without templates. Unlike a plan it chooses
/// where it runs again in each run. One thread at a time may run it.
class ONEFOLD_API dynamic_fused {
 public:
  /// Operations of the catalog (by their places) over elements of a type. `result` asks for another type where all
  /// operations round. Throws onefold::error as dynamic_plan's constructor does where one of the operations would, but
  /// for backends, which run chooses.
  dynamic_fused(std::span<const int> list, dtype element, const options& how = {},
                std::optional<dtype> result = std::nullopt);

  /// The same by names, in any case: ({"min", "max"}, "f32", how, "f64"). Throws also unknown_name's error.
  dynamic_fused(std::span<const std::string_view> list, std::string_view element, const options& how = {},
                std::string_view result = {});

  /// How many operations there are.
  std::size_t size() const { return parts_.size(); }

  /// What the result of operation i looks like in memory.
  const dynamic_results& results(std::size_t i) const { return parts_[i]; }

  /// Reduces n elements at data and writes the result of operation i to *to[i], which dynamic_plan::run would write.
  /// Returns what ran each. Throws onefold::error as dynamic_plan's constructor and run do; some results may be written
  /// then.
  std::vector<run_report> run(const void* data, std::int64_t n, std::span<void* const> to);

  /// As above, and returns the numbers of the results, too.
  std::vector<dynamic_result> run(const void* data, std::int64_t n);

 private:
  struct part : dynamic_results {
    part(int op, dtype element, const options& how, std::optional<dtype> result)
        : dynamic_results(op, element, how, result), operation(op) {}
    using dynamic_results::init;
    using dynamic_results::layout_;
    int operation;
  };

  dtype element_;
  options how_;
  std::vector<part> parts_;
};

}  // namespace onefold
