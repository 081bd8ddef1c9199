// Views of arrays with any number of axes and any strides, and arrays of results.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

#include "onefold/axes.hpp"
#include "onefold/problem.hpp"

namespace onefold {

template <class T>
class array_view;

/// How an array of type M is viewed. Specialize it for a type of your own, with
///   using element_type = ...;                                 // not const
///   static constexpr bool owns_elements = ...;                // whether the elements end with the object
///   static array_view<element_type> view(const M& array);
/// Then array_view, the reductions over axes and their verbs take an M. (Here: std::mdspan and Kokkos::View; Eigen's
/// types are in onefold/eigen.hpp.)
template <class M>
struct view_traits;

/// A type that array_view is made from: one that view_traits describes, or a reference to one.
template <class M>
concept viewable = requires {
  typename view_traits<std::remove_cvref_t<M>>::element_type;
};
/// The type of its elements.
template <viewable M>
using viewed_element = typename view_traits<std::remove_cvref_t<M>>::element_type;

namespace detail {

/// Whatever looks like std::mdspan with strides: other implementations too.
template <class M>
concept mdspan_like = requires(const M& m) {
  typename M::element_type;
  m.data_handle();
  m.stride(0);
  m.extent(0);
  M::rank();
};

/// A contiguous range that is a view of one axis: a vector, an array, a span.
template <class Range>
concept listed_elements = !viewable<Range> && std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range>;

/// Whether the elements of an mdspan are what lies in memory, and not what an accessor makes of it.
template <class M>
inline constexpr bool reads_memory = true;
template <class M>
requires requires { typename M::reference; }
inline constexpr bool reads_memory<M> = std::is_same_v<typename M::reference, typename M::element_type&>;

/// Whatever looks like Kokkos::View with strides.
template <class M>
concept kokkos_view_like = !mdspan_like<M> && requires(const M& m) {
  typename M::non_const_value_type;
  m.data();
  m.stride(0);
  m.extent(0);
  static_cast<std::size_t>(M::rank);
};

/// A view of the array at `data` with the extents and strides of m.
template <class T, class M>
array_view<T> strided_view(const T* data, const M& m, std::size_t rank) {
  extents e;
  strides s;
  for (std::size_t i = 0; i < rank; ++i) {
    e.push_back(static_cast<std::int64_t>(m.extent(i)));
    s.push_back(static_cast<std::int64_t>(m.stride(i)));
  }
  return {data, e, s};
}

/// Throws invalid_argument for a view that has too many axes, negative extents, fewer strides than extents, more
/// elements than can be counted, or elements at addresses that do not exist.
ONEFOLD_API void check_view(const axis* axes, std::size_t rank, std::size_t stride_count, std::size_t element_size);

/// How many results have these extents. Throws invalid_argument for more bytes than addresses, and too many axes.
ONEFOLD_API std::size_t count_results(const extents& e, std::size_t result_size);

/// Throws invalid_argument if there is not enough memory for the results.
[[noreturn]] ONEFOLD_API void fail_to_allocate(std::size_t count, std::size_t result_size);

}  // namespace detail

template <detail::mdspan_like M>
struct view_traits<M> {
  using element_type = std::remove_cv_t<typename M::element_type>;
  static constexpr bool owns_elements = false;
  static array_view<element_type> view(const M& m) {
    static_assert(
        detail::reads_memory<M>,
        "onefold: the accessor of this mdspan does not return references to its elements, so that a view would "
        "read other values: copy them to an array");
    return detail::strided_view<element_type>(m.data_handle(), m, M::rank());
  }
};
/// A temporary is accepted, because a subview is one: another View keeps its elements alive.
template <detail::kokkos_view_like M>
struct view_traits<M> {
  using element_type = typename M::non_const_value_type;
  static constexpr bool owns_elements = false;
  static array_view<element_type> view(const M& m) {
    return detail::strided_view<element_type>(m.data(), m, static_cast<std::size_t>(M::rank));
  }
};

/// An array that the caller owns: its first element, its extents, and how far apart neighbors are along each
/// axis, in elements. An axis may run backwards (negative stride) or repeat one element (stride 0).
template <class T>
class array_view {
 public:
  /// In C order: the last axis is contiguous. Throws invalid_argument for more than most_axes axes, negative extents,
  /// and more elements than there are addresses.
  array_view(const T* data, const extents& e) : data_(data), rank_(e.size()) {
    std::int64_t stride = 1;
    for (std::size_t i = rank_ < most_axes ? rank_ : most_axes; i-- > 0;) {
      axes_[i] = {e[i], stride};
      if (__builtin_mul_overflow(stride, e[i] > 1 ? e[i] : 1, &stride)) stride = 0;  // check_view refuses the extents
    }
    detail::check_view(axes_, rank_, rank_, sizeof(T));
  }
  /// With strides in elements. Throws as above, and where there are not as many strides as extents.
  array_view(const T* data, const extents& e, const strides& s) : data_(data), rank_(e.size()) {
    for (std::size_t i = 0; i < rank_ && i < most_axes; ++i) axes_[i] = {e[i], s[i]};
    detail::check_view(axes_, rank_, s.size(), sizeof(T));
  }
  /// From an mdspan, a Kokkos::View, or another type that view_traits describes, but not from a temporary that owns
  /// its elements. Throws as above.
  template <viewable M>  // which no array_view is
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload)
  requires std::is_same_v<viewed_element<M>, T> array_view(M&& m)
      : array_view(view_traits<std::remove_cvref_t<M>>::view(m)) {
    static_assert(std::is_lvalue_reference_v<M> || !view_traits<std::remove_cvref_t<M>>::owns_elements,
                  "onefold: this array is a temporary, and a view would outlive it: give it a name");
  }

  /// Of a contiguous range, with one axis; not of a temporary that owns its elements.
  template <detail::listed_elements Range>
  requires std::is_same_v<std::ranges::range_value_t<Range>, T>
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): no array_view is a range
  explicit array_view(Range&& range)
      : array_view(std::ranges::data(range), {static_cast<std::int64_t>(std::ranges::size(range))}) {
    static_assert(std::ranges::borrowed_range<Range>,
                  "onefold: this range is a temporary, and a view would outlive it: give it a name");
  }
  /// Of a view whose type says that its elements are const: no view writes them.
  template <class Const>
  requires(std::is_same_v<Const, const T>) array_view(const array_view<Const>& other)
      : data_(other.data()), rank_(other.rank()) {
    for (std::size_t i = 0; i < rank_; ++i) axes_[i] = other.axes()[i];
  }

  /// The first element.
  const T* data() const { return data_; }
  /// How many axes there are.
  std::size_t rank() const { return rank_; }
  /// How many elements there are along axis i.
  std::int64_t extent(std::size_t i) const { return axes_[i].extent; }
  /// From one element along axis i to the next, in elements.
  std::int64_t stride(std::size_t i) const { return axes_[i].stride; }
  /// The axes, outermost first.
  std::span<const axis> axes() const { return {axes_, rank_}; }

 private:
  const T* data_;
  std::size_t rank_;
  axis axes_[most_axes] = {};
};

/// A view has the type of the elements that it is made from.
template <class T>
array_view(const T*, const extents&) -> array_view<T>;
/// The same with strides.
template <class T>
array_view(const T*, const extents&, const strides&) -> array_view<T>;
/// The same of what a view is made from.
template <viewable M>
array_view(M&&) -> array_view<viewed_element<M>>;
/// The same of a contiguous range.
template <detail::listed_elements Range>
explicit array_view(Range&&) -> array_view<std::ranges::range_value_t<Range>>;

/// A matrix of rows that begin `pitch` elements apart. Throws as array_view does.
template <class T>
array_view<T> rows(const T* data, std::int64_t count, std::int64_t columns, std::int64_t pitch) {
  return {data, {count, columns}, {pitch, 1}};
}

/// An array of the caller's that results are written to, with as many axes and strides as an array_view has.
template <class R>
class output_view {
 public:
  /// In C order. Throws as array_view does.
  output_view(R* data, const extents& e) : view_(data, e), data_(data) {}
  /// With strides in elements. Throws as array_view does.
  output_view(R* data, const extents& e, const strides& s) : view_(data, e, s), data_(data) {}
  /// One axis of neighboring results.
  output_view(std::span<R> results) : output_view(results.data(), {static_cast<std::int64_t>(results.size())}) {}

  /// The first result's place.
  R* data() const { return data_; }
  /// The axes, outermost first.
  std::span<const axis> axes() const { return view_.axes(); }

 private:
  array_view<R> view_;
  R* data_;
};

/// Results of a reduction over some axes, in C order.
template <class R>
class result_array {
 public:
  /// Throws invalid_argument for more results than can be allocated.
  explicit result_array(const extents& e) : extents_(e), size_(detail::count_results(e, sizeof(R))) {
    try {
      values_ = std::make_unique<R[]>(size_);
    } catch (const std::bad_alloc&) {
      detail::fail_to_allocate(size_, sizeof(R));
    }
  }
  /// How many results there are along each axis that is left.
  const onefold::extents& extents() const { return extents_; }
  /// How many results there are.
  std::size_t size() const { return size_; }
  /// The first result.
  R* data() { return values_.get(); }
  /// The first result.
  const R* data() const { return values_.get(); }
  /// Result i, in C order.
  R& operator[](std::size_t i) { return values_[i]; }
  /// Result i, in C order.
  const R& operator[](std::size_t i) const { return values_[i]; }
  /// The results, one after another.
  R* begin() { return data(); }
  /// The end of the results.
  R* end() { return data() + size_; }
  /// The results, one after another.
  const R* begin() const { return data(); }
  /// The end of the results.
  const R* end() const { return data() + size_; }

 private:
  onefold::extents extents_;
  std::size_t size_;
  std::unique_ptr<R[]> values_;
};

/// Results are an array of their extents.
template <class R>
struct view_traits<result_array<R>> {
  using element_type = R;
  static constexpr bool owns_elements = true;
  static array_view<R> view(const result_array<R>& results) { return {results.data(), results.extents()}; }
};

}  // namespace onefold
