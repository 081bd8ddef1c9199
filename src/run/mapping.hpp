// What must hold of a function's arrays before elements are computed from them.
#pragma once

#include <cstdint>
#include <string>

#include "choose.hpp"
#include "onefold/detail/mapping.hpp"

namespace onefold::detail {

/// " of array k", where there are several.
std::string number_of_array(const mapping& m, int k);

/// Throws invalid_argument where an array is null or in device memory.
void require_arrays(const mapping& m, const mapped_source& from);

/// Checks a run of computed elements, as check_shape; false if it has no outputs. Throws invalid_argument where an
/// array is null or in device memory, and where the results would overwrite it or are there.
bool check_mapped(const mapping& m, const mapped_source& from, const choice& c, const void* init, const void* results,
                  std::int64_t capacity);

}  // namespace onefold::detail
