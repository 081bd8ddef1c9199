// Stands in for the library's: launches follow each other here.
#pragma once

#include "onefold/detail/level.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

inline void release_stream() {}
inline void await_stream() {}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
