// A verb over numbers that are spelled out.
// says: onefold: elements must be numbers, not strings: convert each string to a number first
#include <string>
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<std::string>& words, const std::vector<double>& numbers) {
#ifdef ONEFOLD_MISTAKE
  static_cast<void>(numbers);
  return onefold::sum(words);
#else
  static_cast<void>(words);
  return onefold::sum(numbers);
#endif
}
