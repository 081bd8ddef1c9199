// A mask of integers over segments and groups.
// says: onefold: a mask is a contiguous range, an array_view or what one is made from, of bool or std::uint8_t
#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using mask = std::vector<std::int32_t>;
#else
using mask = std::vector<std::uint8_t>;
#endif

auto f(std::span<const float> data, std::span<const std::int64_t> keys, const mask& m) {
  return onefold::sum(onefold::where(onefold::by_key(data, keys), m));
}
auto g(std::span<const float> data, std::span<const std::int64_t> offsets, const mask& m) {
  return onefold::sum(onefold::where(onefold::segments(data, offsets), m));
}
