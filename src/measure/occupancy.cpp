#include "measure/occupancy.hpp"

#include "measure/recorded.hpp"

namespace onefold::measure {

std::optional<double> theoretical_occupancy(prepared& reduction, arena& data, std::int64_t n) {
  const accelerator_bench* const bench = accelerator_of(reduction.report().backend)->bench;
  if (!bench) return std::nullopt;
  recorded r{reduction, data, n};
  accelerator_occupancy found{};
  accelerator_failure failed{};
  const bool done = bench->occupancy(reduction.report().device, recorded::enqueue, &r, &found, &failed);
  if (!r.settled(done, failed)) return std::nullopt;
  return static_cast<double>(found.block_threads * found.blocks) / static_cast<double>(found.most_threads);
}

}  // namespace onefold::measure
