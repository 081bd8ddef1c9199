// Stands in for the backend's: a device without clusters, since blocks run one after the other here.
#pragma once

#include "emulation.hpp"
#include "onefold/detail/level.hpp"
#include "onefold/device.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

inline constexpr int most_blocks_of_cluster = 8;

inline void meet_cluster() {}
template <class S>
S from_block(const S* own, int) {
  return *own;
}
template <class... Parameters, class... Arguments>
bool launch_in_clusters(const device_launch&, unsigned, unsigned, unsigned, int, bool, cudaError_t*,
                        void (*)(Parameters...), const Arguments&...) {
  return false;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
