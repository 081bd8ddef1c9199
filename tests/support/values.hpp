// The values of an array of results, as a vector that tests compare.
#pragma once

#include <vector>

#include "onefold/array_view.hpp"

namespace support {

template <class R>
std::vector<R> values(const onefold::result_array<R>& results) {
  return {results.begin(), results.end()};
}

}  // namespace support
