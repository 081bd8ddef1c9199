#include "measure/device_time.hpp"

#include <algorithm>
#include <vector>

#include "measure/recorded.hpp"

namespace onefold::measure {
namespace {

constexpr int rounds = 7;

}  // namespace

std::optional<summary> device_time(prepared& reduction, arena& data, std::int64_t n) {
  const accelerator_bench* const bench = accelerator_of(reduction.report().backend)->bench;
  if (!bench) return std::nullopt;
  const int device = reduction.report().device;
  const int calls = static_cast<int>(std::clamp<std::int64_t>(
      (std::int64_t{1} << 30) / std::max<std::int64_t>(data.bytes(), 1), 4, 200));  // about a gigabyte
  recorded r{reduction, data, n};
  std::vector<double> seconds(rounds);
  accelerator_failure failed{};
  const bool done = bench->replay(device, recorded::enqueue, &r, calls, rounds, seconds.data(), &failed);
  if (!r.settled(done, failed)) return std::nullopt;
  return summary_of(std::move(seconds));
}

}  // namespace onefold::measure
