// The threads of work on a whole array that is not a reduction, and what chooses where it is done.
#pragma once

#include <cstdint>

#include "choose.hpp"
#include "onefold/options.hpp"
#include "onefold/report.hpp"
#include "run/partition.hpp"

namespace onefold::detail {

/// The choice for such work on the n elements at data: that for a variance of them, since it takes about as long.
/// Writes what works to *ran, if it is not null. Throws as a reduction does.
choice choose_as_variance(dtype element, const void* data, std::int64_t n, const options& how,
                          const memory_location& where, run_report* ran);

/// A CPU backend, opened for one call.
class cpu_team {
 public:
  /// That of a choice for n elements. Writes how many threads work to *ran, if it is not null.
  cpu_team(const choice& c, std::int64_t n, run_report* ran);

  /// As choose_as_variance says, for what only CPUs do. `work` names that, in the plural ("order statistics"), for
  /// errors. Throws unsupported, too, where backend cuda is asked for or the data is in device memory.
  cpu_team(const char* work, dtype element, const void* data, std::int64_t n, const options& how, run_report* ran);

  const team& threads() const { return threads_; }

 private:
  scheduler_session session_;
  team threads_;
};

}  // namespace onefold::detail
