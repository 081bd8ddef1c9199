// Resolves what callers and the environment ask for: backend and threads.
#pragma once

#include <string>

#include "onefold/backend.hpp"
#include "onefold/options.hpp"

namespace onefold::detail {

/// More threads than any machine gains from: what can be asked for at most.
inline constexpr int most_threads = 1024;

/// The backend that is asked for.
struct requested_backend {
  onefold::backend backend = onefold::backend::automatic;
  const char* requested_by = nullptr;  ///< null: nothing, choose freely
};

/// The call's option comes before ONEFOLD_BACKEND; where both leave it open, several devices mean an accelerator.
/// Throws invalid_argument where ONEFOLD_BACKEND is not a backend.
requested_backend resolve_backend(const options& how);

/// The threads that the caller or ONEFOLD_NUM_THREADS asks for; 0: the backend's own rule. Throws invalid_argument.
int resolve_threads(const options& how);

/// How many threads of a backend take part where this many are requested. Its own rule knows on which processors the
/// process may run, but not how much of their time its control group has: no more threads than that are started.
int possible_threads(const scheduler& s, int requested);

/// Throws invalid_argument if a choice is none of its enumeration's values, or a device's number is out of range.
void check_choices(const options& how);

/// The numbers, for a message: "0, 1".
std::string text_of(const device_set& devices);

/// The choices at another accuracy.
inline options with_accuracy(options how, accuracy mode) {
  how.accuracy = mode;
  return how;
}

}  // namespace onefold::detail
