// Truth values of a file, whose bytes may be others than 0 and 1.
// says: onefold: a file has elements of the catalog's types: read truth values as std::uint8_t
#include <cstdint>

#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using value = bool;
#else
using value = std::uint8_t;
#endif

std::int64_t f(onefold::element_reader<value>& from) { return from.count(); }
