// The verbs of what a function returns for each element: sum(x, f) is sum(mapped(f, x)).
#pragma once

#include <type_traits>
#include <utility>

#include "onefold/map_reduce.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What can be called with each element of Data, or is a pointer to a member of it; also what cannot be called through
/// a const reference, of which `mapped` says why that is needed.
template <class F, class Data>
concept function_of_elements =
    !verb_argument<F> && (std::is_invocable_v<const F&, typename passed_element<Data>::type> ||
                          std::is_invocable_v<F&, typename passed_element<Data>::type>);

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail

// Of a function f, and over some axes of its array.
#define ONEFOLD_VERB(verb)                                                           \
  template <detail::function_argument Data, detail::function_of_elements<Data> F>    \
  auto verb(const Data& data, F f, const options& how = {}) {                        \
    return verb(mapped(std::move(f), data), how);                                    \
  }                                                                                  \
  template <detail::function_argument Data, detail::function_of_elements<Data> F>    \
  auto verb(const Data& data, F f, const axis_list& axes, const options& how = {}) { \
    return verb(mapped(std::move(f), data), axes, how);                              \
  }
#define ONEFOLD_OTHER_VERB(verb)
#define ONEFOLD_PAIR_VERB(verb)
#define ONEFOLD_ROW_VERB(verb)
#define ONEFOLD_SCAN_VERB(verb)

/// @cond
namespace onefold {
inline namespace ONEFOLD_LEVEL {

#include "onefold/verbs.def"

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
/// @endcond
