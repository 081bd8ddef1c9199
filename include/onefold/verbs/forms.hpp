// The forms of every verb beside those of its own: a list in braces; and a pointer and a length, which do not compile,
// since a verb takes a range. They take a pointer as a user-defined `float sum(const float*, int)` does, so that `using
// namespace onefold;` leaves the user's function chosen.
#pragma once

#include <cstddef>
#include <span>

#include "onefold/axes.hpp"
#include "onefold/detail/verb.hpp"
#include "onefold/options.hpp"

#define ONEFOLD_SCAN_VERB(verb)                               \
  template <class T>                                          \
  int verb(const T*, const axis_list&, const options& = {}) { \
    static_cast<void>(detail::explained<const T*>{});         \
    return {};                                                \
  }
// The elements in braces: sum({1.0, 2.0}). (Of an array's type, so that std::max({1, 2}) is preferred where both are
// visible.)
#define ONEFOLD_OTHER_VERB(verb)                              \
  template <class T, std::size_t n>                           \
  auto verb(const T(&elements)[n], const options& how = {}) { \
    return verb(std::span<const T>(elements), how);           \
  }                                                           \
  ONEFOLD_SCAN_VERB(verb)
#define ONEFOLD_VERB ONEFOLD_OTHER_VERB

/// @cond
namespace onefold {
inline namespace ONEFOLD_LEVEL {

#include "onefold/verbs.def"

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
/// @endcond
