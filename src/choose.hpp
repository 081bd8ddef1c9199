// Chooses who runs a reduction. docs/semantics.md has the rules.
#pragma once

#include <array>

#include "modules.hpp"
#include "onefold/recipe.hpp"
#include "onefold/reduce.hpp"
#include "onefold/report.hpp"

namespace onefold::detail {

/// What was found out about a backend that might run.
struct candidate {
  const char* why_not;  ///< why it was passed over; null: its estimate decided, or nobody asked
  int threads;
  double seconds;  ///< the estimate, as in struct estimate; 0: there is none
  double after_pause;
};

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
  bool free;               ///< whether any backend will do: nobody asked for one, or for one of the CPU's
  std::array<candidate, 4> candidates;  ///< in order of preference

  /// What happened, for people.
  run_report report() const;
};

/// Chooses. Throws onefold::error as plan's constructor says.
choice choose(const request& what, const options& how);

/// From how many elements on a choice that nobody forced gains from its threads; fewer are left to the calling thread.
std::int64_t threads_gain_from(const choice& c);

/// The choice for n elements of data that is there: another one where an accelerator is the only one who can read it, or
/// the faster one. Throws invalid_argument where a backend was asked for that cannot read it.
choice choice_for(const choice& c, const located& data, std::int64_t n);

}  // namespace onefold::detail
