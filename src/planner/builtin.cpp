// The figures of a machine that nobody has measured. docs/planner.md says where each comes from.
#include <algorithm>

#include "onefold/profile.hpp"
#include "planner/costs.hpp"
#include "planner/machine.hpp"

namespace onefold {
namespace {

constexpr double GB = 1e9, us = 1e-6;

// The threads that it takes to have all of memory's bandwidth.
constexpr int threads_to_saturate = 8;

machine_profile::team team_of(machine_profile::start two, machine_profile::start each_more, int processors) {
  const int more = std::max(0, processors - 2);
  return {two, {two.hot + more * each_more.hot, two.cold + more * each_more.cold}};
}

}  // namespace

machine_profile builtin_profile() {
  machine_profile p;
  p.cpu = detail::cpu_name();
  p.processors = detail::online_processors();
  if (const std::int64_t l2 = detail::cache_bytes(2); l2 > 0) {
    p.l2 = l2;
    p.l3 = std::max(l2, detail::cache_bytes(3));
  }
  const double n = p.processors;
  p.from_l2 = {100 * GB, 100 * GB * n};
  p.from_l3 = {50 * GB, 50 * GB * n};
  p.from_memory = {15 * GB, 15 * GB * std::min<double>(n, threads_to_saturate)};
  p.elements = {{{37e9, 25e9, 18e9, 14e9},    // light
                 {16e9, 27e9, 27e9, 14e9},    // search
                 {6e9, 5e9, 6e9, 7e9},        // moments
                 {12e9, 11e9, 13e9, 2.9e9},   // wide: the state of f64 is a pair
                 {7e9, 7e9, 8e9, 4e9},        // compensated
                 {13e9, 14e9, 14e9, 11e9}}};  // exact
  p.openmp = team_of({1.5 * us, 50 * us}, {0.1 * us, 2 * us}, p.processors);
  p.tbb = team_of({3 * us, 25 * us}, {0.3 * us, 2 * us}, p.processors);
  return p;
}

machine_profile::gpu detail::builtin_gpu(const accelerator_figures& sheet) {
  // Of a peak of memory 0.9 can be had, of one of PCIe 0.85; where nobody knows it, it is PCIe 3 with 16 lanes.
  const double memory = sheet.memory > 0 ? 0.9 * sheet.memory : 500 * GB;
  const double pinned = sheet.bus > 0 ? 0.85 * sheet.bus : 13 * GB;
  return {{}, 10 * us, 30 * us, memory, pinned, std::min(pinned, 8 * GB)};
}

}  // namespace onefold
