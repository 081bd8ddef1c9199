// The largest or smallest elements of ranges, views and computed elements, and where they are, by selection: top_k,
// bottom_k. Elements and positions alone decide the result, so it is the same everywhere by law.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "onefold/detail/order_statistics.hpp"
#include "onefold/detail/sortable.hpp"
#include "onefold/map_reduce.hpp"
#include "onefold/options.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// Elements in an order, and their positions.
template <class T>
struct ranked_elements {
  std::vector<T> values;              ///< the elements, first to last; each NaN is the canonical one
  std::vector<std::int64_t> indices;  ///< where each of them is, from 0; of a view in C order
};

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The first k elements of a range in an order.
template <class T>
ranked_elements<T> first_elements(std::span<const T> data, std::int64_t k, element_order order, const options& how) {
  const std::int64_t n = std::ssize(data);
  require_count(k, n);
  ranked_elements<T> found{std::vector<T>(static_cast<std::size_t>(k)),
                           std::vector<std::int64_t>(static_cast<std::size_t>(k))};
  select_first(element_dtype<T>, data.data(), n, k, order, found.values.data(), found.indices.data(), how);
  return found;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The k largest elements, in descending order, and their indices: top_k(x, 1) has max(x) and argmax(x). Takes what
/// median takes. -0 < +0; NaN come first; of equal elements the one with the lower index. On the CPU; besides its
/// results it takes memory for 32 bytes for each of the k on each thread or, of more than an eighth of the elements,
/// for 16 bytes for each of the k and as median does. Throws onefold::error for a k that is negative or above the
/// number of elements (invalid_argument), and where backend cuda is asked for or the data is in device memory
/// (unsupported).
template <verb_argument Data>
ranked_elements<detail::element_of<Data>> top_k(const Data& data, std::int64_t k, const options& how = {}) {
  return detail::first_elements(detail::sortable_elements(data).span(), k, {.descending = true, .nan_first = true},
                                how);
}

/// The k smallest elements, in ascending order, and their indices: bottom_k(x, 1) has min(x) and argmin(x). NaN come
/// first, ties are broken, and errors thrown as by top_k.
template <verb_argument Data>
ranked_elements<detail::element_of<Data>> bottom_k(const Data& data, std::int64_t k, const options& how = {}) {
  return detail::first_elements(detail::sortable_elements(data).span(), k, {.descending = false, .nan_first = true},
                                how);
}

/// The k largest elements that are not NaN, as top_k. Fewer than k of them are also an error (invalid_argument).
template <verb_argument Data>
ranked_elements<detail::element_of<Data>> nantop_k(const Data& data, std::int64_t k, const options& how = {}) {
  return detail::first_elements(detail::sortable_elements(data).span(), k, {.descending = true, .nan_first = false},
                                how);
}

/// The k smallest elements that are not NaN, as bottom_k. Fewer than k of them are also an error (invalid_argument).
template <verb_argument Data>
ranked_elements<detail::element_of<Data>> nanbottom_k(const Data& data, std::int64_t k, const options& how = {}) {
  return detail::first_elements(detail::sortable_elements(data).span(), k, {.descending = false, .nan_first = false},
                                how);
}

/// @cond
// Of a function of the elements, and of a list in braces; and diagnostics for a number with a fraction, for functions
// elsewhere, and for iterators.
#define ONEFOLD_VERB(verb)                                                                                            \
  template <detail::function_argument Data, detail::function_of_elements<Data> F>                                     \
  auto verb(const Data& data, F f, std::int64_t k, const options& how = {}) {                                         \
    return onefold::verb(mapped(std::move(f), data), k, how);                                                         \
  }                                                                                                                   \
  template <axes_argument Data>                                                                                       \
  int verb(const Data&, std::int64_t, const std::type_identity_t<detail::function_of_one<Data>>&) {                   \
    detail::refuse_order_of<Data>();                                                                                  \
    return {};                                                                                                        \
  }                                                                                                                   \
  template <class T, std::size_t n>                                                                                   \
  auto verb(const T(&elements)[n], std::int64_t k, const options& how = {}) {                                         \
    return onefold::verb(std::span<const T>(elements), k, how);                                                       \
  }                                                                                                                   \
  template <axes_argument Data>                                                                                       \
  int verb(const Data&, const detail::anything&, std::int64_t, const options& = {}) {                                 \
    detail::refuse_order_of<Data>();                                                                                  \
    return {};                                                                                                        \
  }                                                                                                                   \
  template <verb_argument Data, std::floating_point Number>                                                           \
  int verb(const Data&, Number, const options& = {}) {                                                                \
    static_assert(!std::floating_point<Number>, "onefold: the number of elements is an integer: write top_k(x, 10)"); \
    return {};                                                                                                        \
  }
ONEFOLD_VERB(top_k)
ONEFOLD_VERB(bottom_k)
ONEFOLD_VERB(nantop_k)
ONEFOLD_VERB(nanbottom_k)
#undef ONEFOLD_VERB
/// @endcond

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
