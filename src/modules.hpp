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

/// The first accelerator that can run; where none can, why the first one cannot.
const loaded_accelerator& find_accelerator();

/// Which backend an accelerator is that was found here.
backend backend_of(const accelerator& a);

/// Set by look_for_driver.
extern std::atomic<bool> driver_is_loaded;

/// Whether look_for_driver has seen the driver of an accelerator in this process: without it no data is in device
/// memory.
inline bool driver_seen() { return driver_is_loaded.load(std::memory_order_relaxed); }

/// Looks whether a driver is loaded; loads nothing.
void look_for_driver();

/// Where data is.
struct memory_location {
  const accelerator* owner = nullptr;  ///< null: no accelerator is in use, so that the data is in host memory
  accelerator_memory kind = accelerator_memory::pageable;
  friend bool operator==(const memory_location&, const memory_location&) = default;
};

/// Where p points.
memory_location locate(const void* p);

}  // namespace onefold::detail
