// The figures of a machine that was not calibrated. docs/planner.md says where each comes from.
#include <algorithm>
#include <cmath>

#include "backends.hpp"
#include "cpu.hpp"
#include "onefold/profile.hpp"
#include "planner/costs.hpp"
#include "planner/machine.hpp"

namespace onefold {
namespace {

constexpr double GB = 1e9, us = 1e-6;

// The threads that it takes to have all of memory's bandwidth.
constexpr int threads_to_saturate = 8;

machine_profile::team team_of(const detail::backend_facts& b, int processors, const machine_profile::rates& all) {
  const double doublings = std::log2(std::max(2, processors) / 2.0);
  const double part = processors > 2 ? b.reads_beyond_l2 : 1;
  return {{b.two.hot * us, b.two.cold * us},
          {(b.two.hot + doublings * b.each_doubling.hot) * us, (b.two.cold + doublings * b.each_doubling.cold) * us},
          {all.l2, part * all.l3, part * all.memory}};
}

}  // namespace

machine_profile builtin_profile() {
  const detail::float_environment ieee;
  machine_profile p;
  p.cpu = detail::cpu_name();
  p.processors = detail::usable_processors();
  if (const std::int64_t l2 = detail::cache_bytes(2); l2 > 0) {
    p.l2 = l2;
    p.l3 = std::max(l2, detail::cache_bytes(3));
  }
  const double n = p.processors;
  p.one_thread = {100 * GB, 50 * GB, 15 * GB};
  p.elements = {{{37e9, 25e9, 18e9, 14e9},    // light
                 {16e9, 27e9, 27e9, 14e9},    // search
                 {6e9, 5e9, 6e9, 7e9},        // moments
                 {12e9, 11e9, 13e9, 2.9e9},   // wide: the state of f64 is a pair
                 {7e9, 7e9, 8e9, 4e9},        // compensated
                 {13e9, 14e9, 14e9, 11e9}}};  // exact
  const machine_profile::rates all = {100 * GB * n, 50 * GB * n, 15 * GB * std::min<double>(n, threads_to_saturate)};
  for (const backend b : detail::threaded_backends()) p.of(b) = team_of(detail::facts_of(b), p.processors, all);
  return p;
}

machine_profile::gpu detail::builtin_gpu(const accelerator_specifications& sheet) {
  // Achievable: 0.9 of the memory's peak, 0.85 of PCIe's; an unknown bus counts as PCIe 3 with 16 lanes.
  const double memory = sheet.memory > 0 ? 0.9 * sheet.memory : 500 * GB;
  const double pinned = sheet.bus > 0 ? 0.85 * sheet.bus : 13 * GB;
  return {{}, 10 * us, 30 * us, memory, pinned, std::min(pinned, 8 * GB)};
}

}  // namespace onefold
