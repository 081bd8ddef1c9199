// The backends of this process: linked in, or loaded from modules on first need.
#pragma once

#include <array>
#include <atomic>
#include <span>
#include <string>

#include "onefold/backend.hpp"
#include "onefold/options.hpp"

namespace onefold::detail {

/// What a module exports, or why there is nothing.
template <class Record>
struct loaded {
  const Record* runs = nullptr;  ///< null if it cannot run
  std::string why_not;           ///< then the reason
};
using loaded_backend = loaded<scheduler>;
using loaded_accelerator = loaded<accelerator>;

/// All backends, in order of preference, which is that of reports; sequential, which can always run, comes last. Of
/// equals oneTBB is a better neighbour than OpenMP: its threads do not spin, and its caller does the work of those that
/// a busy machine does not let run, which OpenMP waits for.
inline constexpr std::array listed{backend::cuda, backend::tbb, backend::openmp, backend::sequential};

/// Those of the CPU, in the same order.
constexpr std::span<const backend> cpu_backends() { return std::span(listed).subspan(1); }

/// A CPU backend by name; the first call looks for it, later ones return what was found. Never unloaded.
const loaded_backend& find_backend(backend b);

/// The accelerator (backend cuda), looked for in the same way.
const loaded_accelerator& find_accelerator();

/// Set by look_for_driver.
extern std::atomic<bool> driver_is_loaded;

/// Whether look_for_driver has seen an accelerator's driver in this process: without it no data is in device memory.
inline bool driver_seen() { return driver_is_loaded.load(std::memory_order_relaxed); }

/// Looks whether the driver is loaded; loads nothing.
void look_for_driver();

/// Where data is.
struct located {
  const accelerator* seen_by = nullptr;  ///< null: no accelerator is in use, so that the data is in host memory
  accelerator_memory kind = accelerator_memory::pageable;
  friend bool operator==(const located&, const located&) = default;
};

/// Where p points.
located locate(const void* p);

}  // namespace onefold::detail
