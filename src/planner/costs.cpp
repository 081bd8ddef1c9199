// Rooflines: an operation folds as fast as its arithmetic or as fast as memory, whichever is slower.
#include "planner/costs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "onefold/catalog.hpp"

namespace onefold::detail {
namespace {

constexpr auto families = [] {
  std::array<operation_family, operations::size> list{};
  std::size_t i = 0;
  for_each_type(operations{}, [&]<class Op>() { list[i++] = Op::family; });
  return list;
}();

/// As many threads as `threads` are worth, where one has the rate `one` and those of all processors together `all`.
double strength(double one, double all, int threads) { return std::clamp<double>(all / one, 1, threads); }

}  // namespace

cost_class class_of(int operation, dtype element, accuracy mode) {
  if (operation < 0) return cost_class::moments;
  const operation_family f = families[static_cast<std::size_t>(operation)];
  const bool real = element == dtype::f32 || element == dtype::f64 || element == dtype::f16 || element == dtype::bf16;
  const bool short_real = real && size_of(element) == 2;
  const bool long_elements = size_of(element) == 8;
  switch (f) {
    case operation_family::moments:
      return cost_class::moments;
    case operation_family::squares:  // a multiplication and an addition in f64; at accuracy exact what a variance takes
      if (mode == accuracy::exact) return cost_class::moments;
      return long_elements ? cost_class::light : cost_class::wide;
    case operation_family::bits:
      return cost_class::stream;
    case operation_family::tally:
      return long_elements ? cost_class::stream : cost_class::light;
    case operation_family::search:
      return real ? cost_class::search : cost_class::stream;
    case operation_family::extreme:
      return short_real ? cost_class::light : cost_class::stream;
    case operation_family::sum:
    case operation_family::mean:
      if (!real && f == operation_family::sum) return long_elements ? cost_class::stream : cost_class::light;
      if (mode == accuracy::exact) return real ? cost_class::exact : cost_class::light;
      if (mode == accuracy::kahan) return cost_class::compensated;
      if (mode == accuracy::wide || !real) return cost_class::wide;
      return short_real ? cost_class::light : cost_class::stream;
  }
  return cost_class::stream;
}

double fold_seconds(const machine_profile& p, const machine_profile::team& t, const workload& w, int threads) {
  const int working = std::clamp(threads, 1, p.processors);
  const double bytes = static_cast<double>(w.n) * static_cast<double>(w.element);
  double machine_profile::rates::*const level = bytes <= static_cast<double>(p.l2) * working
                                                    ? &machine_profile::rates::l2
                                                : bytes <= static_cast<double>(p.l3) ? &machine_profile::rates::l3
                                                                                     : &machine_profile::rates::memory;
  const auto seconds = [&](std::int64_t n, double machine_profile::rates::*const from) {
    const double one = p.one_thread.*from;
    const double reading =
        static_cast<double>(n) * static_cast<double>(w.element) / (one * strength(one, t.reads.*from, working));
    if (w.cost == cost_class::stream) return reading;
    // Threads that share a core share its arithmetic as they share its L2.
    const int size = std::clamp(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(w.element))) - 1, 0, 3);
    const double each = p.elements[static_cast<std::size_t>(w.cost)][static_cast<std::size_t>(size)];
    return std::max(reading, static_cast<double>(n) / (each * strength(p.one_thread.l2, t.reads.l2, working)));
  };
  return seconds(w.n, level) + seconds(w.beside, &machine_profile::rates::l2);
}

machine_profile::start start_seconds(const machine_profile& p, const machine_profile::team& t, int threads) {
  // Those beyond the processors wait until others sleep.
  if (threads > p.processors) return {t.all.cold, t.all.cold};
  if (p.processors <= 2) return t.two;
  const double share = std::log2(threads / 2.0) / std::log2(p.processors / 2.0);
  return {std::lerp(t.two.hot, t.all.hot, share), std::lerp(t.two.cold, t.all.cold, share)};
}

double gpu_seconds(const machine_profile::gpu& g, const workload& w, accelerator_memory kind) {
  const double bytes = static_cast<double>(w.n) * static_cast<double>(w.element);
  switch (kind) {
    case accelerator_memory::pinned:
      return g.transfer + bytes / g.from_pinned;
    case accelerator_memory::pageable:
      return g.transfer + bytes / g.from_pageable;
    default:
      return g.launch + bytes / g.from_memory;
  }
}

}  // namespace onefold::detail
