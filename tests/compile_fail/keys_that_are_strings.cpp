// Groups whose keys are not numbers.
// says: onefold: keys must be numbers, bool or enumerations
// says: give each different key a number
#include <string>
#include <vector>

#include "onefold/onefold.hpp"

auto f(const std::vector<float>& values, const std::vector<std::string>& names, const std::vector<int>& numbers) {
#ifdef ONEFOLD_MISTAKE
  static_cast<void>(numbers);
  return onefold::sum(onefold::by_key(values, names));
#else
  static_cast<void>(names);
  return onefold::sum(onefold::by_key(values, numbers));
#endif
}
