// What ran, and why: what a reduction reports.
#pragma once

#include <string>
#include <vector>

#include "onefold/options.hpp"

namespace onefold {

/// A backend that was passed over, and the reason.
struct decline {
  onefold::backend backend;  ///< the backend
  std::string why;           ///< the reason
};

/// What a backend would take, as the planner estimates (docs/planner.md).
struct estimate {
  onefold::backend backend;  ///< which one
  int threads;               ///< that would take part; 0 for cuda
  double seconds;            ///< of a call in a row of calls
  double after_pause;        ///< of a call whose threads sleep
};

/// What ran a reduction.
struct run_report {
  onefold::backend backend = onefold::backend::sequential;  ///< what ran
  onefold::isa isa = onefold::isa::baseline;                ///< the instruction set that was used
  onefold::accuracy accuracy = onefold::accuracy::native;   ///< of the state
  int threads = 1;                                          ///< threads that took part
  onefold::kernel kernel = onefold::kernel::automatic;      ///< of backend cuda; else automatic
  int device = -1;                                          ///< of backend cuda; else -1
  std::vector<int> devices;                                 ///< several, among which arrays are divided; else empty
  std::string why;                  ///< why this backend: what requested it, or why it was chosen
  std::vector<decline> declined;    ///< the backends that were passed over, with the reasons
  std::vector<estimate> estimates;  ///< of the candidates that were compared; empty where nothing had to be
  std::string figures;              ///< where the estimates' figures come from, as used_profile::source

  /// One line a fact, for people.
  ONEFOLD_API std::string text() const;
};

/// A result and the backend that computed it.
template <class R>
struct reported {
  R value;         ///< the result
  run_report ran;  ///< what ran
};

/// One backend of this process.
struct backend_info {
  onefold::backend backend;  ///< which one
  bool available;            ///< whether it can run here
  std::string detail;        ///< what it stands on if it is available, else why it is not
  int threads;               ///< how many threads it would use by its own rule; 0 for cuda and what is not available
  std::vector<std::string> devices = {};  ///< of backend cuda: a sentence about each device
};

/// All backends, in order of preference, with the reason for each that cannot run.
ONEFOLD_API std::vector<backend_info> backends();

/// The instruction-set levels that this CPU has and the library was built for, lowest first.
ONEFOLD_API std::vector<isa> isas();

}  // namespace onefold
