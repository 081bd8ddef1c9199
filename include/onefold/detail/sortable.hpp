// What order statistics and histograms take, and what is said of other data.
#pragma once

#include <cstddef>
#include <iterator>
#include <span>

#include "onefold/catalog.hpp"
#include "onefold/detail/verb.hpp"
#include "onefold/source.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A contiguous range of elements of the catalog.
template <class Data>
concept sortable = contiguous_elements<Data> && cataloged<op::min, typename source_traits<Data>::element_type>;

/// The elements that order statistics are of; any type will do for data that has none.
template <class Data>
struct ordered_elements {
  using type = double;
};
template <sortable Data>
struct ordered_elements<Data> {
  using type = typename source_traits<Data>::element_type;
};
template <class Data>
using element_of = typename ordered_elements<Data>::type;

/// Says why Data can be reduced, but has no order statistics.
template <class Data>
struct explained_order {
  static_assert(
      contiguous_elements<Data>,
      "onefold: order statistics and histograms are of contiguous ranges: copy the elements of a std::deque or a view, "
      "and selected or computed ones, to a std::vector first");
};

/// The elements of a range. Does not compile for all else, and says why.
template <class Data>
std::span<const element_of<Data>> sortable_elements(const Data& data) {
  if constexpr (sortable<Data>) {
    return {std::data(data), static_cast<std::size_t>(std::size(data))};
  } else {
    if constexpr (contiguous_elements<Data>)
      static_cast<void>(described<typename source_traits<Data>::element_type, op::min>{});
    else if constexpr (reducible<Data> || plain_range<Data>)
      static_cast<void>(explained_order<Data>{});
    else
      static_cast<void>(explained<Data>{});
    return {};
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
