// Pieces that are given one by one.
// says: onefold: concatenated takes one range of pieces: write sum(concatenated(std::array{std::span(x), std::span(y)}))
#include <array>
#include <span>
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<double>& x, const std::vector<double>& y) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(onefold::concatenated(x, y));
#else
  return onefold::sum(onefold::concatenated(std::array{std::span(x), std::span(y)}));
#endif
}
