// A mask in a std::vector<bool>, which does not expose its bits.
// says: onefold: std::vector<bool> does not expose its bits; use std::vector<std::uint8_t>, or a onefold::bitmap
#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using mask = std::vector<bool>;
#else
using mask = std::vector<std::uint8_t>;
#endif

auto f(std::span<const float> data, const mask& m) { return onefold::sum(onefold::where(data, m)); }
