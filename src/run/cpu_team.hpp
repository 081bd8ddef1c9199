// The threads of work on a whole array that is not a reduction and that only CPUs do.
#pragma once

#include <cstdint>

#include "choose.hpp"
#include "onefold/options.hpp"
#include "onefold/report.hpp"
#include "run/partition.hpp"

namespace onefold::detail {

/// A CPU backend, opened for one call.
class cpu_team {
 public:
  /// With the threads that a variance of the n elements at data would get, since it takes about as long. `work` names
  /// what is done, in the plural ("order statistics"), for errors. Writes what works to *ran, if it is not null. Throws
  /// unsupported where backend cuda is asked for or the data is in device memory, and as a reduction does.
  cpu_team(const char* work, dtype element, const void* data, std::int64_t n, const options& how, run_report* ran);

  const team& threads() const { return threads_; }

 private:
  explicit cpu_team(const choice& c);

  scheduler_session session_;
  team threads_;
};

}  // namespace onefold::detail
