// A verb over C strings.
// says: onefold: elements must be numbers, not strings: convert each string to a number first
#include <span>

#include "onefold/onefold.hpp"

auto f(std::span<const char* const> words, std::span<const double> numbers) {
#ifdef ONEFOLD_MISTAKE
  static_cast<void>(numbers);
  return onefold::max(words);
#else
  static_cast<void>(words);
  return onefold::max(numbers);
#endif
}
