// Where elements come from, and in which order of them a CPU walks a page.
#pragma once

#include "onefold/detail/level.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Where an array comes from: a core's own cache, a cache of all cores, or memory.
enum class origin { own_cache, shared_cache, memory };

/// How a full page is walked: column by column or row by row, and with what is needed soon asked for ahead or not.
enum class walk { columns, columns_ahead, rows, rows_ahead };

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
