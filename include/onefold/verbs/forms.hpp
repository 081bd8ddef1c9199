// Forms that verbs have besides those of their own: lists in braces; and what does not compile, and says what to write
// instead: a pointer and a length, for one, since a verb takes a range. They take a pointer as a user-defined `float
// sum(const float*, int)` does, and all else by conversions, so that `using namespace onefold;` leaves the user's
// function chosen.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "onefold/axes.hpp"
#include "onefold/detail/verb.hpp"
#include "onefold/options.hpp"

// Diagnostics for a list of several types, what is misplaced after an array, and a function after the axes.
#define ONEFOLD_MISTAKES(verb)                                                                                \
  template <std::size_t n>                                                                                    \
  int verb(const detail::any_number(&)[n], const options& = {}) {                                             \
    detail::refuse_two_types<(n > 0)>();                                                                      \
    return {};                                                                                                \
  }                                                                                                           \
  template <verb_argument Data>                                                                               \
  int verb(const Data&, const std::type_identity_t<detail::misplaced_argument<Data>>&, const options& = {}) { \
    return {};                                                                                                \
  }                                                                                                           \
  template <verb_argument Data>                                                                               \
  int verb(const Data&, const axis_list&, const std::type_identity_t<detail::function_of_one<Data>>&,         \
           const options& = {}) {                                                                             \
    detail::refuse_axes_before_function<verb_argument<Data>>();                                               \
    return {};                                                                                                \
  }
// Diagnostic for a function of one element.
#define ONEFOLD_FUNCTION(verb, refuse)                                                                     \
  template <axes_argument Data>                                                                            \
  int verb(const Data&, const std::type_identity_t<detail::function_of_one<Data>>&, const options& = {}) { \
    detail::refuse<axes_argument<Data>>();                                                                 \
    return {};                                                                                             \
  }
// Diagnostic for a function before its arrays.
#define ONEFOLD_LEADING_FUNCTION(verb)                                                                             \
  template <verb_argument Data>                                                                                    \
  int verb(const std::type_identity_t<detail::leading_function<Data>>&, const Data&, const detail::anything& = {}, \
           const options& = {}) {                                                                                  \
    detail::refuse_function_first<verb_argument<Data>>();                                                          \
    return {};                                                                                                     \
  }
// Diagnostic for a member of elements that a row operation takes.
#define ONEFOLD_MEMBER(verb)                                              \
  template <axes_argument Data>                                           \
  int verb(const Data&, const detail::any_member&, const options& = {}) { \
    detail::refuse_member_of_rows<axes_argument<Data>>();                 \
    return {};                                                            \
  }
// Diagnostic for a pointer and a length.
#define ONEFOLD_POINTER(verb)                                 \
  template <class T>                                          \
  int verb(const T*, const axis_list&, const options& = {}) { \
    static_cast<void>(detail::explained<const T*>{});         \
    return {};                                                \
  }
// The elements in braces: sum({1.0, 2.0}). (Of an array's type, so that std::max({1, 2}) is preferred where both are
// visible. Spans have names, as computed elements in functions.hpp.)
#define ONEFOLD_LIST(verb)                                    \
  template <class T, std::size_t n>                           \
  auto verb(const T(&elements)[n], const options& how = {}) { \
    const std::span<const T> listed(elements);                \
    return verb(listed, how);                                 \
  }
#define ONEFOLD_ROW_VERB(verb) \
  ONEFOLD_LIST(verb)           \
  ONEFOLD_POINTER(verb)        \
  ONEFOLD_MEMBER(verb)
#define ONEFOLD_SCAN_VERB(verb) \
  ONEFOLD_LIST(verb)            \
  ONEFOLD_POINTER(verb)         \
  ONEFOLD_FUNCTION(verb, refuse_function)
#define ONEFOLD_OTHER_VERB(verb) \
  ONEFOLD_SCAN_VERB(verb)        \
  ONEFOLD_MISTAKES(verb)
#define ONEFOLD_VERB(verb)                               \
  ONEFOLD_LIST(verb)                                     \
  ONEFOLD_POINTER(verb)                                  \
  ONEFOLD_FUNCTION(verb, refuse_function_without_header) \
  ONEFOLD_LEADING_FUNCTION(verb)                         \
  ONEFOLD_MISTAKES(verb)
// One list or two: dot({1.0, 2.0}, {3.0, 4.0}), dot(x, {3.0, 4.0}); and a diagnostic for one function.
#define ONEFOLD_PAIR_VERB(verb)                                        \
  ONEFOLD_FUNCTION(verb, refuse_one_function)                          \
  template <class X, class Y, std::size_t n, std::size_t m>            \
  auto verb(const X(&x)[n], const Y(&y)[m], const options& how = {}) { \
    const std::span<const X> listed_x(x);                              \
    const std::span<const Y> listed_y(y);                              \
    return verb(listed_x, listed_y, how);                              \
  }                                                                    \
  template <class X, std::size_t n, verb_argument Y>                   \
  auto verb(const X(&x)[n], const Y& y, const options& how = {}) {     \
    const std::span<const X> listed(x);                                \
    return verb(listed, y, how);                                       \
  }                                                                    \
  template <verb_argument X, class Y, std::size_t m>                   \
  auto verb(const X& x, const Y(&y)[m], const options& how = {}) {     \
    const std::span<const Y> listed(y);                                \
    return verb(x, listed, how);                                       \
  }

/// @cond
namespace onefold {
inline namespace ONEFOLD_LEVEL {

#include "onefold/verbs.def"

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
#undef ONEFOLD_FUNCTION
#undef ONEFOLD_POINTER
#undef ONEFOLD_LIST
#undef ONEFOLD_MISTAKES
#undef ONEFOLD_LEADING_FUNCTION
#undef ONEFOLD_MEMBER
/// @endcond
