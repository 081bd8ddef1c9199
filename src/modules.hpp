// The backends of this process: linked in, or loaded from modules on first need.
#pragma once

#include <atomic>
#include <string>

#include "backends.hpp"
#include "onefold/backend.hpp"

namespace onefold::detail {

/// What a module exports, or why there is nothing.
template <class Record>
struct loaded {
  const Record* record = nullptr;  ///< null if it cannot run
  std::string why_not;             ///< then the reason
};
using loaded_backend = loaded<scheduler>;
using loaded_accelerator = loaded<accelerator>;

/// A CPU backend by name; the first call looks for it, later ones return what was found. Never unloaded.
const loaded_backend& find_backend(backend b);

/// An accelerator by name, looked for in the same way.
const loaded_accelerator& find_accelerator(backend b);

/// The accelerators whose drivers look_for_drivers has seen in this process: a bit each, in order of preference.
extern std::atomic<unsigned> drivers_seen;

/// Whether it has seen a driver: without one no data is in device memory.
inline bool driver_seen() { return drivers_seen.load(std::memory_order_relaxed) != 0; }

/// Whether it has seen the driver of this accelerator.
inline bool driver_seen(backend b) { return (drivers_seen.load(std::memory_order_relaxed) >> index_of(b) & 1) != 0; }

/// Looks which drivers are loaded; loads nothing.
void look_for_drivers();

/// Where data is.
struct memory_location {
  const accelerator* owner = nullptr;  ///< null: no accelerator is in use, so that the data is in host memory
  accelerator_memory kind = accelerator_memory::pageable;
  onefold::backend backend = onefold::backend::automatic;  ///< the owner's
  friend bool operator==(const memory_location& a, const memory_location& b) {
    return a.owner == b.owner && a.kind == b.kind;
  }
};

/// Where p points: in memory of the accelerator that knows it, or, where none does, in pageable memory of the host,
/// which the first accelerator in use may read.
memory_location locate(const void* p);

}  // namespace onefold::detail
