// Chooses who runs a reduction. docs/semantics.md has the rules.
#pragma once

#include <array>

#include "onefold/recipe.hpp"
#include "onefold/reduce.hpp"
#include "onefold/report.hpp"

namespace onefold {
struct scheduler;
}

namespace onefold::detail {

/// Who runs a reduction of up to n elements, with what, and who was passed over. Cheap to make: the sentences are
/// put together by report(), when somebody asks.
struct choice {
  const onefold::recipe* recipe;
  const scheduler* runs;
  backend who;
  isa level;
  accuracy mode;
  int threads;
  std::int64_t n;   ///< the most elements a run
  dtype result;     ///< as in the request
  const char* why;  ///< why this backend
  std::array<const char*, 4>
      passed_over;  ///< why not the backends before it in the order of preference; null: not asked

  /// What happened, for people.
  run_report report() const;
};

/// Chooses. Throws onefold::error as plan's constructor says.
choice choose(const request& what, const options& how);

}  // namespace onefold::detail
