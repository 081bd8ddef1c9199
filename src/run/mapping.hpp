// What must hold of a function's arrays before elements are computed from them.
#pragma once

#include <cstdint>
#include <string>

#include "choose.hpp"
#include "modules.hpp"
#include "onefold/detail/mapping.hpp"

namespace onefold::detail {

/// " of array k", where there are several.
std::string number_of_array(const mapping& m, int k);

/// Where the arrays are, for the choice of a backend: in device memory if one is there; in managed memory if all are;
/// in host memory where there is nothing to read, or the function was not compiled for a device. Throws
/// invalid_argument for device memory then, for that of two accelerators and, where any backend may be chosen, for an
/// array there with another one in host memory.
memory_location locate_arrays(const mapping& m, const mapped_source& from, bool any_backend);

/// Throws invalid_argument where an array is null or in device memory.
void require_host_arrays(const mapping& m, const mapped_source& from);

/// Throws for an accelerator: unsupported where it has no function, or cannot find the elements; invalid_argument where
/// an array is null.
void require_arrays_for(const mapping& m, const mapped_source& from, backend accelerator);

/// Checks a run of computed elements, as check_shape; false if it has no outputs. Throws invalid_argument where an
/// array is null, and where the results would overwrite it or are where the backend cannot write; unsupported where an
/// accelerator has no function, or cannot find the elements.
bool check_mapped(const mapping& m, const mapped_source& from, const choice& c, const void* init, const void* results,
                  std::int64_t capacity);

}  // namespace onefold::detail
