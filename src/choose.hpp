// Chooses who runs a reduction. docs/semantics.md has the rules.
#pragma once

#include <array>

#include "onefold/recipe.hpp"
#include "onefold/reduce.hpp"
#include "onefold/report.hpp"

namespace onefold {
struct scheduler;
struct accelerator;
}  // namespace onefold

namespace onefold::detail {

/// Who runs a reduction of up to n elements, with what, and who was passed over. Cheap to make: the sentences are
/// put together by report(), when somebody asks.
struct choice {
  const onefold::recipe* recipe;
  const scheduler* runs;  ///< null for an accelerator
  const accelerator* device_runs;
  backend who;
  isa level;
  accuracy mode;
  int threads;
  std::int64_t n;   ///< the most elements a run
  dtype result;     ///< as in the request
  const char* why;  ///< why this backend
  int operation;    ///< as in the request
  dtype element;
  int result_size;
  onefold::kernel kernel;  ///< of an accelerator
  int device;              ///< of an accelerator
  bool forced;             ///< whether somebody asked for this backend
  /// Why not the backends before it in the order of preference; null: not asked.
  std::array<const char*, 4> passed_over;

  /// What happened, for people.
  run_report report() const;
};

/// Throws invalid_argument if a choice is none of its enumeration's values, or the device is no number of one.
void check_choices(const options& how);

/// Chooses. Throws onefold::error as plan's constructor says.
choice choose(const request& what, const options& how);

/// The same choice for data that `holder` alone can read. Throws invalid_argument where another backend was asked for.
choice moved_to(const choice& c, const accelerator& holder);

}  // namespace onefold::detail
