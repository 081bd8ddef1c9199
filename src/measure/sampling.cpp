#include "measure/sampling.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "measure/noise.hpp"

namespace onefold::measure {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

}  // namespace

std::optional<summary> sample(const effort& how, const std::function<void(std::int64_t)>& calls,
                              const std::function<void()>& after) {
  constexpr double warm_up = 0.1;
  constexpr std::int64_t most_calls = 1 << 20;
  const auto stopped = [&] { return how.stop && how.stop->load(std::memory_order_relaxed); };
  const auto begin = clock::now();
  std::int64_t count = 1;
  const auto timed = [&] {
    const auto start = clock::now();
    calls(count);
    const double seconds = seconds_since(start);
    if (after) after();
    return seconds;
  };

  // The batches grow until one is long enough to be timed.
  do {
    if (stopped()) return std::nullopt;
    const double seconds = timed();
    if (seconds < how.least_sample && count < most_calls) {
      const double wanted = seconds > 0 ? std::ceil(how.least_sample / seconds) : 10;
      count *= static_cast<std::int64_t>(std::clamp(wanted, 2.0, 10.0));
    }
  } while (seconds_since(begin) < warm_up * how.seconds);

  const watch watched;
  std::vector<double> samples;
  while (samples.size() < how.least_samples ||
         (samples.size() < how.most_samples && seconds_since(begin) < how.seconds)) {
    if (stopped()) return std::nullopt;
    samples.push_back(timed() / static_cast<double>(count));
  }
  summary s = summary_of(std::move(samples));
  s.waited = watched.waited();
  return s;
}

}  // namespace onefold::measure
