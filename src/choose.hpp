// Chooses the backend that runs a reduction. docs/semantics.md has the rules.
#pragma once

#include <array>

#include "modules.hpp"
#include "onefold/recipe.hpp"
#include "onefold/reduce.hpp"
#include "onefold/report.hpp"
#include "onefold/scan_recipe.hpp"

namespace onefold::detail {

/// What was found out about a backend that might run.
struct candidate {
  const char* why_not;  ///< why it was passed over; null: its estimate decided, or it was not asked
  int threads;
  double seconds;  ///< the estimate, as in struct estimate; 0: there is none
  double after_pause;
};

/// What was found out about all backends, in order of preference.
using comparison = std::array<candidate, backends_by_preference.size()>;

/// What runs a reduction of up to n elements, and with what.
struct choice {
  const onefold::recipe* recipe;
  const problem* shape;                 ///< as in the request
  const selection* selects;             ///< as in the request
  const mapping* maps;                  ///< as in the request
  const scan_recipe* scan;              ///< null, or the scan of the shape's lines,
  const problem* scan_results;          ///< whose results lie like this,
  bool exclusive;                       ///< and leave out their own elements
  bool segmented;                       ///< whether it reduces segments:
  std::int64_t segments;                ///< at most this many,
  std::int64_t elements;                ///< with this many elements
  const onefold::scheduler* scheduler;  ///< null for an accelerator
  const onefold::accelerator* accelerator;
  device_set devices;  ///< of an accelerator: several, among which arrays are divided, or none
  onefold::backend backend;
  isa level;
  accuracy mode;
  int threads;
  std::int64_t n;         ///< the most elements a run; of segments, as many as would take as long
  std::int64_t expected;  ///< what to plan for: the same, but of groups by key fewer
  const char* why;        ///< why this backend
  int operation;          ///< as in the request, and so are these:
  bool own_gives_index;
  dtype element, keys, result;
  int result_size;
  onefold::kernel kernel;     ///< of an accelerator
  int device;                 ///< of an accelerator
  bool explicitly_requested;  ///< whether this very backend was asked for
  bool unconstrained;         ///< whether any backend will do
  std::int64_t gains_from;    ///< fewer elements than that are left to the calling thread; 0: none are
};

/// The error (unsupported) for a function that was not compiled for an accelerator that is to call it.
error runs_on_cpus_only(backend b);

/// The error (backend_unavailable) for a backend that was asked for and cannot run, with the nearest choice.
error unavailable(backend b, const std::string& why);

/// The recipe of a request, and in `level` the instruction set of its functions. Throws unsupported where there is
/// none.
const recipe& recipe_for(const request& what, const options& how, isa& level);

/// Chooses for data that is located already, so that no CPU backend is looked at for what only an accelerator
/// reads; or, where `data` is null, for host memory, until its location is known. Throws onefold::error as plan's
/// constructor says. `compared`, if given, gets what was found out; without it nothing is that a single run can do
/// without.
choice choose(const request& what, const options& how, const memory_location* data, comparison* compared = nullptr);

/// The choice for n elements of data that is there: another one where only an accelerator can read it,
/// or the faster one. Throws invalid_argument where a backend was asked for that cannot read it. `compared` as above.
choice choice_for(const choice& c, const memory_location& data, std::int64_t n, comparison* compared = nullptr);

/// What the address of a result must be a multiple of, in bytes.
inline std::int64_t result_align(const choice& c) {
  return c.result == dtype::other ? c.recipe->result_align : c.result_size;
}

/// Whether the operation's result is, or begins with, the index of an element.
bool gives_index(const choice& c);

/// What happened, for people.
run_report report_of(const choice& c, const comparison& compared);

}  // namespace onefold::detail
