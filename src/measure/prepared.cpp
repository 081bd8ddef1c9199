#include "measure/prepared.hpp"

#include <algorithm>

namespace onefold::measure {

bool same_bits(const std::vector<scalar>& a, const std::vector<scalar>& b) {
  return std::ranges::equal(a, b,
                            [](const scalar& x, const scalar& y) { return x.type == y.type && x.bits == y.bits; });
}

}  // namespace onefold::measure
