// Repeating a call until a time budget is spent.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "measure/statistics.hpp"

namespace onefold::measure {

/// How long and how often.
struct effort {
  double seconds = 0.2;                     ///< time to spend, warm-up included
  double least_sample = 20e-6;              ///< seconds of a sample: short calls are measured several at a time
  std::size_t least_samples = 5;            ///< taken even if they cost more than `seconds`
  std::size_t most_samples = 10'000;        ///< enough for any quantile
  const std::atomic<bool>* stop = nullptr;  ///< when true, nothing more is started
};

/// The seconds of one call, as `calls(k)`, which makes k of them, is timed again and again; the first tenth of the
/// time, and at least one call, is a warm-up that does not count. `after`, if given, follows each sample untimed. The
/// summary says whether threads waited for a processor meanwhile. Nothing if it was stopped. What the functions throw
/// passes through.
std::optional<summary> sample(const effort& how, const std::function<void(std::int64_t)>& calls,
                              const std::function<void()>& after = {});

}  // namespace onefold::measure
