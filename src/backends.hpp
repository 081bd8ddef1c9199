// What the list of backends (onefold/backends.def) says of each.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "onefold/options.hpp"

namespace onefold::detail {

/// A line of the list.
struct backend_facts {
  onefold::backend backend;
  int preference;                ///< the order in which automatic dispatch asks, from 1
  const char* name;              ///< as everywhere: enumerator, folder, module, CMake option
  const char* also[2] = {};      ///< other names that are understood, up to the first null
  const char* driver = nullptr;  ///< of an accelerator: the library through which a process has memory there
  struct start {
    double hot, cold;  ///< microseconds: call after call, and after a pause
  };
  /// Of a CPU backend: to start two threads. OpenMP's are the faster by half a microsecond, but now and then one waits
  /// for milliseconds until the other is scheduled: its figure is no better than oneTBB's, so that they are not chosen
  /// unasked.
  start two = {};
  start each_doubling = {};  ///< and what twice as many take more
  /// The part of all processors' rate that more than two of its threads have beyond the second-level caches. oneTBB
  /// gives a thread another part of the data in each call, others the same, of which its cache still holds some.
  double reads_beyond_l2 = 1;
};

inline constexpr backend_facts all_backends[] = {
#define ONEFOLD_BACKEND(id, kind, order, ...) {.backend = backend::id, .preference = order, .name = #id, __VA_ARGS__},
#include "onefold/backends.def"
};

/// The backends in order of preference, which is that of reports. Of equals oneTBB is a better neighbor than OpenMP:
/// its threads do not spin, and its caller does the work of those that a busy machine does not let run, which OpenMP
/// waits for.
inline constexpr auto backends_by_preference = [] {
  std::array<backend, std::size(all_backends)> order;
  for (std::size_t i = 0; i < order.size(); ++i) {
    // The place is the preference: a number that is used twice or left out does not compile.
    const auto found = std::ranges::find(all_backends, static_cast<int>(i) + 1, &backend_facts::preference);
    order[i] = found->backend;
  }
  return order;
}();
inline constexpr auto accelerator_count = static_cast<std::size_t>(
    std::ranges::count_if(backends_by_preference, [](backend b) { return is_accelerator(b); }));
static_assert(std::ranges::is_partitioned(backends_by_preference, is_accelerator) &&
              backends_by_preference.back() == backend::sequential);
static_assert(std::size(all_backends) + 2 == backend_count);

constexpr std::span<const backend> accelerators() { return std::span(backends_by_preference).first(accelerator_count); }
constexpr std::span<const backend> cpu_backends() {
  return std::span(backends_by_preference).subspan(accelerator_count);
}

/// Those that start threads: of the CPU's all but sequential.
constexpr std::span<const backend> threaded_backends() { return cpu_backends().first(cpu_backends().size() - 1); }

/// The place of a backend in the list.
constexpr std::size_t index_of(backend b) {
  return static_cast<std::size_t>(std::ranges::find(backends_by_preference, b) - backends_by_preference.begin());
}

/// The line of a backend that is in the list.
constexpr const backend_facts& facts_of(backend b) {
  return *std::ranges::find(all_backends, b, &backend_facts::backend);
}

/// "cuda", or all accelerators' names with "or" between them.
inline std::string accelerator_names() {
  std::string names;
  for (const backend b : accelerators()) names.append(names.empty() ? "" : " or ").append(facts_of(b).name);
  return names;
}

}  // namespace onefold::detail
