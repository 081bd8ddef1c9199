// Views of arrays with any number of axes and any strides, the axes to reduce over, and arrays of results.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

#include "onefold/problem.hpp"

namespace onefold {

/// A list of a few numbers, one for each axis, that needs no memory of its own.
template <class Number>
class axis_numbers {
 public:
  constexpr axis_numbers() = default;
  constexpr axis_numbers(std::initializer_list<Number> list) : axis_numbers(std::span(list.begin(), list.size())) {}
  constexpr axis_numbers(std::span<const Number> list) : count_(list.size()) {
    for (std::size_t i = 0; i < list.size() && i < most_axes; ++i) numbers_[i] = list[i];
  }
  /// How many there were: more than most_axes are refused where they are used.
  constexpr std::size_t size() const { return count_; }
  constexpr Number operator[](std::size_t i) const { return numbers_[i]; }
  constexpr const Number* begin() const { return numbers_; }
  constexpr const Number* end() const { return numbers_ + (count_ < most_axes ? count_ : most_axes); }
  constexpr void push_back(Number x) {
    if (count_ < most_axes) numbers_[count_] = x;
    ++count_;
  }

 private:
  Number numbers_[most_axes] = {};
  std::size_t count_ = 0;
};
using extents = axis_numbers<std::int64_t>;
using strides = axis_numbers<std::int64_t>;

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

/// How many results have these extents. Throws invalid_argument where they take more bytes than there are addresses.
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

/// An array that the caller owns: its first element, its extents, and how far apart neighbours are along each
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

  const T* data() const { return data_; }
  std::size_t rank() const { return rank_; }
  std::int64_t extent(std::size_t i) const { return axes_[i].extent; }
  std::int64_t stride(std::size_t i) const { return axes_[i].stride; }
  std::span<const axis> axes() const { return {axes_, rank_}; }

 private:
  const T* data_;
  std::size_t rank_;
  axis axes_[most_axes] = {};
};

template <class T>
array_view(const T*, const extents&) -> array_view<T>;
template <class T>
array_view(const T*, const extents&, const strides&) -> array_view<T>;
template <viewable M>
array_view(M&&) -> array_view<viewed_element<M>>;
template <detail::listed_elements Range>
explicit array_view(Range&&) -> array_view<std::ranges::range_value_t<Range>>;

/// A matrix of rows that begin `pitch` elements apart. Throws as array_view does.
template <class T>
array_view<T> rows(const T* data, std::int64_t count, std::int64_t columns, std::int64_t pitch) {
  return {data, {count, columns}, {pitch, 1}};
}

/// Which axes to reduce over: `{.axes = {0, 2}}`; negative numbers count from the last axis; by default all.
struct over {
  /// The axes' numbers.
  class list {
   public:
    constexpr list() = default;
    constexpr list(int axis) : numbers_{axis}, all_(false) {}
    /// Several. (A list of initializers would make g++ 12 find `sum(view, {.threads = 2})` ambiguous.)
    template <std::same_as<int>... Axes>
    requires(sizeof...(Axes) > 1) constexpr list(Axes... axes) : numbers_({axes...}), all_(false) {}
    constexpr list(std::span<const int> axes) : numbers_(axes), all_(false) {}
    /// Of a vector, an array or a span.
    template <std::ranges::contiguous_range Axes>
    requires(std::is_same_v<std::ranges::range_value_t<Axes>, int>) constexpr list(const Axes& axes)
        : list(std::span<const int>(axes)) {}
    /// Whether no axes were named, which means all.
    constexpr bool all() const { return all_; }
    constexpr const axis_numbers<int>& numbers() const { return numbers_; }

   private:
    axis_numbers<int> numbers_;
    bool all_ = true;
  };

  list axes = {};
  bool keep = false;  ///< whether the reduced axes stay in the result, with one element each
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
  const onefold::extents& extents() const { return extents_; }
  std::size_t size() const { return size_; }
  R* data() { return values_.get(); }
  const R* data() const { return values_.get(); }
  R& operator[](std::size_t i) { return values_[i]; }
  const R& operator[](std::size_t i) const { return values_[i]; }
  R* begin() { return data(); }
  R* end() { return data() + size_; }
  const R* begin() const { return data(); }
  const R* end() const { return data() + size_; }

 private:
  onefold::extents extents_;
  std::size_t size_;
  std::unique_ptr<R[]> values_;
};

template <class R>
struct view_traits<result_array<R>> {
  using element_type = R;
  static constexpr bool owns_elements = true;
  static array_view<R> view(const result_array<R>& results) { return {results.data(), results.extents()}; }
};

namespace detail {

template <class M>
inline constexpr bool is_result_array = false;
template <class R>
inline constexpr bool is_result_array<result_array<R>> = true;

/// What {} is where options or axes may stand: default options, as for a range.
enum class nothing_said {};

/// The view that a call reduces before it returns, so that results may be a temporary.
template <viewable M>
array_view<viewed_element<M>> view_in_call(M&& array) {
  if constexpr (is_result_array<std::remove_cvref_t<M>>)
    return array_view(static_cast<const std::remove_cvref_t<M>&>(array));
  else
    return array_view(std::forward<M>(array));
}

}  // namespace detail
}  // namespace onefold
