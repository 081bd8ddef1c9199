// Numbers with what they count.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace onefold::detail {

/// The number and what it counts, in the plural unless it is 1: "1 row", "2 rows"; "2 axes" where the plural is given.
std::string quantity(std::integral auto n, std::string_view what) {
  return std::to_string(n).append(" ").append(what).append(n == 1 ? "" : "s");
}
std::string quantity(std::integral auto n, std::string_view one, std::string_view many) {
  return std::to_string(n).append(" ").append(n == 1 ? one : many);
}

/// "there is 1 row", "there are 2 rows".
std::string there_are(std::integral auto n, std::string_view what) {
  return (n == 1 ? "there is " : "there are ") + quantity(n, what);
}

}  // namespace onefold::detail
