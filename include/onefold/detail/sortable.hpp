// What order statistics and histograms take, and what is said of other data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "onefold/catalog.hpp"
#include "onefold/detail/shape.hpp"
#include "onefold/detail/verb.hpp"
#include "onefold/shapes.hpp"
#include "onefold/source.hpp"

namespace onefold::detail {

/// Copies the elements of a problem with one output to neighboring places, in C order. Throws unsupported where they
/// are in device memory, and invalid_argument for a null pointer to some.
ONEFOLD_API void copy_elements(const void* data, const problem& all, std::size_t element_size, void* to);

inline namespace ONEFOLD_LEVEL {

/// A range or a view.
template <class Data>
concept range_or_view = contiguous_elements<Data> || with_axes<Data>;

/// Computed elements, those of other ranges, and pieces: they are stored first.
template <class Data>
concept storable = !range_or_view<Data> && requires(const Data& data) {
  source_traits<Data>::stored(data);
};

/// What has an order: elements of the catalog.
template <class Data>
concept sortable = (range_or_view<Data> ||
                    storable<Data>)&&cataloged<op::min, typename source_traits<Data>::element_type>;

/// Elements as neighbors in memory, in C order: those of a view are copied if they are not.
template <class T>
class neighboring_elements {
 public:
  /// None.
  neighboring_elements() = default;
  /// Those of a range.
  explicit neighboring_elements(std::span<const T> elements) : elements_(elements) {}
  /// Those that were stored.
  explicit neighboring_elements(result_array<T>&& stored)
      : copy_(std::move(stored)), elements_(copy_->data(), copy_->size()) {}
  /// Those of a view. Throws as copy_elements.
  explicit neighboring_elements(const array_view<T>& view) {
    problem all;
    make_problem(view.axes(), over{}, &all);
    const T* first = view.data();
    if (all.n > 0 && all.reduced_axes > 0 && (all.reduced_axes > 1 || all.reduced[0].stride != 1)) {
      copy_.emplace(extents{all.n});
      copy_elements(view.data(), all, sizeof(T), copy_->data());
      first = copy_->data();
    }
    elements_ = {first, static_cast<std::size_t>(all.n)};
  }

  /// The elements, as long as this object lives.
  std::span<const T> span() const { return elements_; }

 private:
  std::optional<result_array<T>> copy_;
  std::span<const T> elements_;
};

/// The elements that order statistics are of; any type will do for data that has none.
template <class Data>
struct ordered_elements {
  using type = double;
};
template <sortable Data>
struct ordered_elements<Data> {
  using type = typename source_traits<Data>::element_type;
};
template <sortable Data>
requires storable<Data>
struct ordered_elements<Data> {
  using type = std::remove_cvref_t<decltype(source_traits<Data>::stored(std::declval<const Data&>())[0])>;
};
template <class Data>
using element_of = typename ordered_elements<Data>::type;

/// Says why Data can be reduced, but has no order statistics.
template <class Data>
struct explained_order {
  static_assert(
      range_or_view<Data> || storable<Data>,
      "onefold: order statistics and histograms are of all elements of a range, a view, pieces or a function's values: "
      "copy selected elements, or those of a segment or a group, to a std::vector first");
};

/// The elements that order statistics are of. Does not compile for all else, and says why.
template <class Data>
neighboring_elements<element_of<Data>> sortable_elements(const Data& data) {
  using T = element_of<Data>;
  if constexpr (sortable<Data> && with_axes<Data>) {
    return neighboring_elements<T>(view_of(data));
  } else if constexpr (sortable<Data> && storable<Data>) {
    return neighboring_elements<T>(source_traits<Data>::stored(data));
  } else if constexpr (sortable<Data>) {
    return neighboring_elements<T>(std::span<const T>(std::data(data), static_cast<std::size_t>(std::size(data))));
  } else {
    if constexpr (range_or_view<Data> || storable<Data>)
      static_cast<void>(described<typename source_traits<Data>::element_type, op::min>{});
    else if constexpr (reducible<Data>)
      static_cast<void>(explained_order<Data>{});
    else
      static_cast<void>(explained<Data>{});
    return {};
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
