// The verbs of what a function returns for the elements of up to three arrays: sum(x, f) is sum(mapped(f, x)), and
// dot(x, f, g) is dot(mapped(f, x), mapped(g, x)).
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "onefold/map_reduce.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What can be called with an element of each array, or is a pointer to a member of it; also what cannot be called
/// through a const reference, or with const elements, of which `mapped` says why that is needed.
template <class F, class... Data>
concept function_of_elements =
    !verb_argument<F> && (std::is_invocable_v<const F&, typename passed_element<Data>::type...> ||
                          std::is_invocable_v<F&, typename passed_element<Data>::type...> ||
                          std::is_invocable_v<F&, std::remove_cvref_t<typename passed_element<Data>::type>&...>);

/// Arrays of elements, and not what is often taken for one, as an iterator.
template <class Array>
concept array_of_elements = placeable<Array> || reducible<Array>;

/// Whether what a function returns for an X is a truth value.
template <class F, class X>
inline constexpr bool returns_bool = false;
template <class F, class X>
requires std::is_invocable_v<F, X>
inline constexpr bool returns_bool<F, X> = std::is_same_v<std::remove_cvref_t<std::invoke_result_t<F, X>>, bool>;

/// What says of each element of Data whether something holds.
template <class F, class Data>
concept predicate_of_elements = function_of_elements<F, Data> && returns_bool<F&, typename passed_element<Data>::type>;

/// Says how to get the first or last element of which something holds.
template <class Data>
void refuse_predicate() {
  static_assert(
      !function_argument<Data>,
      "onefold: first(x, f) is f of the first element: for the first one of which f holds write first(where(x, "
      "mask)) with a byte for each element, or argmax(x, f), which is its index; likewise last");
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail

// Of a function f, and over some axes of its arrays. (What is reduced has a name: a function of the same name in the
// namespace of f or of the elements, which takes anything, would be preferred for a temporary.)
#define ONEFOLD_VERB(verb)                                                                                  \
  template <detail::function_argument Data, detail::function_of_elements<Data> F>                           \
  auto verb(const Data& data, F f, const options& how = {}) {                                               \
    const auto elements = mapped(std::move(f), data);                                                       \
    return verb(elements, how);                                                                             \
  }                                                                                                         \
  template <detail::function_argument Data, detail::function_of_elements<Data> F>                           \
  auto verb(const Data& data, F f, const axis_list& axes, const options& how = {}) {                        \
    const auto elements = mapped(std::move(f), data);                                                       \
    return verb(elements, axes, how);                                                                       \
  }                                                                                                         \
  template <detail::array_of_elements X, detail::array_of_elements Y, detail::function_of_elements<X, Y> F> \
  auto verb(const X& x, const Y& y, F f, const options& how = {}) {                                         \
    const auto elements = mapped(std::move(f), x, y);                                                       \
    return verb(elements, how);                                                                             \
  }                                                                                                         \
  template <detail::array_of_elements X, detail::array_of_elements Y, detail::function_of_elements<X, Y> F> \
  auto verb(const X& x, const Y& y, F f, const axis_list& axes, const options& how = {}) {                  \
    const auto elements = mapped(std::move(f), x, y);                                                       \
    return verb(elements, axes, how);                                                                       \
  }                                                                                                         \
  template <detail::array_of_elements X, detail::array_of_elements Y, detail::array_of_elements Z,          \
            detail::function_of_elements<X, Y, Z> F>                                                        \
  auto verb(const X& x, const Y& y, const Z& z, F f, const options& how = {}) {                             \
    const auto elements = mapped(std::move(f), x, y, z);                                                    \
    return verb(elements, how);                                                                             \
  }                                                                                                         \
  template <detail::array_of_elements X, detail::array_of_elements Y, detail::array_of_elements Z,          \
            detail::function_of_elements<X, Y, Z> F>                                                        \
  auto verb(const X& x, const Y& y, const Z& z, F f, const axis_list& axes, const options& how = {}) {      \
    const auto elements = mapped(std::move(f), x, y, z);                                                    \
    return verb(elements, axes, how);                                                                       \
  }                                                                                                         \
  template <class T, std::size_t n, detail::function_of_elements<T[n]> F>                                   \
  auto verb(const T(&list)[n], F f, const options& how = {}) {                                              \
    const auto elements = mapped(std::move(f), list);                                                       \
    return verb(elements, how);                                                                             \
  }
#define ONEFOLD_PAIR_VERB(verb)                                                           \
  template <detail::function_argument Data, detail::function_of_elements<Data> F,         \
            detail::function_of_elements<Data> G>                                         \
  auto verb(const Data& data, F f, G g, const options& how = {}) {                        \
    const auto x = mapped(std::move(f), data);                                            \
    const auto y = mapped(std::move(g), data);                                            \
    return verb(x, y, how);                                                               \
  }                                                                                       \
  template <detail::function_argument Data, detail::function_of_elements<Data> F,         \
            detail::function_of_elements<Data> G>                                         \
  auto verb(const Data& data, F f, G g, const axis_list& axes, const options& how = {}) { \
    const auto x = mapped(std::move(f), data);                                            \
    const auto y = mapped(std::move(g), data);                                            \
    return verb(x, y, axes, how);                                                         \
  }
#define ONEFOLD_OTHER_VERB(verb)
#define ONEFOLD_ROW_VERB(verb)
#define ONEFOLD_SCAN_VERB(verb)

/// @cond
namespace onefold {
inline namespace ONEFOLD_LEVEL {

#include "onefold/verbs.def"

#define ONEFOLD_END(verb)                                                          \
  template <class T, std::size_t n, detail::predicate_of_elements<T[n]> F>         \
  int verb(const T(&)[n], F, const options& = {}) {                                \
    detail::refuse_predicate<T[n]>();                                              \
    return {};                                                                     \
  }                                                                                \
  template <detail::function_argument Data, detail::predicate_of_elements<Data> F> \
  int verb(const Data&, F, const options& = {}) {                                  \
    detail::refuse_predicate<Data>();                                              \
    return {};                                                                     \
  }                                                                                \
  template <detail::function_argument Data, detail::predicate_of_elements<Data> F> \
  int verb(const Data&, F, const axis_list&, const options& = {}) {                \
    detail::refuse_predicate<Data>();                                              \
    return {};                                                                     \
  }
// A predicate is taken for a condition, not for what is wanted of the element.
ONEFOLD_END(first)
ONEFOLD_END(last)
#undef ONEFOLD_END

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
/// @endcond
