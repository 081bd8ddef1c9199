// A mask of numbers: perhaps indices were meant.
// says: onefold: a mask is a contiguous range, an array_view or what one is made from, of bool or std::uint8_t, a onefold::bitmap, or
#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using mask = std::vector<int>;
#else
using mask = std::vector<std::uint8_t>;
#endif

auto f(std::span<const float> data, const mask& m) { return onefold::sum(onefold::where(data, m)); }
