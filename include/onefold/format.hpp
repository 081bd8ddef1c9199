// Formatting of the library's enumerations by fmt and std::format, wherever the standard library has it.
#pragma once

#include <string_view>
#include <version>

#include "onefold/types.hpp"

#if __has_include(<fmt/format.h>)
#include <fmt/format.h>
/// Formats as a text does: width, fill and alignment.
template <onefold::named_enumeration E>
struct fmt::formatter<E> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(E value, Context& context) const {
    return fmt::formatter<std::string_view>::format(name_of(value), context);
  }
};
#endif

#ifdef __cpp_lib_format
#include <format>
/// Formats as a text does: width, fill and alignment.
template <onefold::named_enumeration E>
struct std::formatter<E> : std::formatter<std::string_view> {
  template <class Context>
  auto format(E value, Context& context) const {
    return std::formatter<std::string_view>::format(name_of(value), context);
  }
};
#endif
