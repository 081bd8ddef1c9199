// parse_common: the fast path of reading numbers, where a token's end need not be searched first.
#pragma once

#include <charconv>
#include <limits>
#include <system_error>

#include "input/number.hpp"

namespace onefold::cli {

template <class T, class Ends>
const char* parse_common(const char* first, const char* last, T& value, Ends ends) {
  if constexpr (onefold::detail::is_small_float<T>) {
    return nullptr;
  } else {
    T read{};
    const auto [behind, error] = std::from_chars(first, last, read);
    if (error != std::errc{} || (behind != last && !ends(*behind))) return nullptr;
    if constexpr (onefold::detail::is_float<T>)
      if (!(read <= std::numeric_limits<T>::max() && read >= std::numeric_limits<T>::lowest())) return nullptr;
    value = read;
    return behind;
  }
}

}  // namespace onefold::cli
