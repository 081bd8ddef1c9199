// What can be reduced: ranges, and what else hooks in by source_traits; and the type of what a reduction of it returns.
#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "onefold/axes.hpp"
#include "onefold/options.hpp"
#include "onefold/plan.hpp"
#include "onefold/report.hpp"

namespace onefold {

template <class R>
class result_array;
template <class T>
struct selected;  // onefold/where.hpp
template <class T>
struct selected_range;

inline namespace ONEFOLD_LEVEL {

/// How data of a type is reduced, which makes it an argument of the verbs, reduce_reported and try_reduce. A
/// specialization has
///
///     using element_type = ...;                    // not const
///     static constexpr bool has_axes = ...;        // whether it can be reduced over some of its axes
///     template <class R> using results = ...;      // what a reduction to results of type R returns
///     template <class Op, class R>
///     static results<R> reduce(const Data& data, const options& how, const Op& op, run_report* ran);
///
/// and where it has axes also
///
///     template <class Op, class R>
///     static result_array<R> reduce(const Data& data, const over& along, const options& how, const Op& op,
///                                   run_report* ran);
///
/// `ran` may be null; else it gets what ran. Data whose elements do not lie in memory as one array may also have
///
///     static result_array<element_type> stored(const Data& data);
///
/// which returns them in their order, for what needs them there: order statistics and histograms.
template <class Data>
struct source_traits;

/// Data that can be reduced: a contiguous range; with their headers (shapes.hpp, segments.hpp, keys.hpp, where.hpp,
/// ranges.hpp, concatenated.hpp, complex.hpp, map_reduce.hpp) also a view and what one is made from, segments, values
/// by key, selected elements, ranges with random access, pieces, complex numbers, and elements that a function
/// computes.
template <class Data>
concept reducible = requires {
  typename source_traits<std::remove_cvref_t<Data>>::element_type;
};

/// Data that can be reduced over some of its axes: a view, what one is made from, the selected elements of a view, and
/// elements that a function computes.
template <class Data>
concept reducible_over_axes = reducible<Data> && source_traits<std::remove_cvref_t<Data>>::has_axes;

/// Data that can be reduced and has elements of type T.
template <class Data, class T>
concept reducible_elements =
    reducible<Data> && std::is_same_v<typename source_traits<std::remove_cvref_t<Data>>::element_type, T>;

/// Data that can be reduced over some of its axes and has elements of type T.
template <class Data, class T>
concept reducible_axes = reducible_elements<Data, T> && reducible_over_axes<Data>;

/// What a reduction of Data to results of type R returns: R of a range, a view, selected or computed elements,
/// result_array<R> of segments, keyed_results<K, R> of values with keys of type K.
template <reducible Data, class R>
using results_from = typename source_traits<std::remove_cvref_t<Data>>::template results<R>;

/// A contiguous range of elements: a vector, an array, a span. (What std::ranges::contiguous_range and sized_range say;
/// the header `<ranges>` would take a fifth of the time that a file with a sum takes to compile.)
template <class Range>
concept contiguous_elements = requires(const Range& range) {
  { std::begin(range) } -> std::contiguous_iterator;
  std::end(range);
  std::data(range);
  std::size(range);
  requires !std::is_volatile_v<std::remove_reference_t<decltype(*std::data(range))>>;
};

/// Contiguous ranges are reduced to one result.
template <contiguous_elements Range>
struct source_traits<Range> {
  using element_type = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<const Range&>()))>>;
  static constexpr bool has_axes = false;
  template <class R>
  using results = R;

  template <class Op, class R>
  static R reduce(const Range& data, const options& how, const Op& op, run_report* ran) {
    return detail::reduce_array<element_type, Op, R>(std::data(data), static_cast<std::int64_t>(std::size(data)), how,
                                                     op, ran);
  }
};

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// Whether Data is one of Eigen's types, by its looks: this header does not know them.
template <class Data>
concept looks_like_eigen = requires {
  typename Data::Scalar;
  Data::RowsAtCompileTime;
};

/// Whether Data is any range.
template <class Data>
concept iterable = requires(Data& data) {
  std::begin(data);
  std::end(data);
};

/// The same, but for Eigen's types.
template <class Data>
concept plain_range = iterable<Data> && !looks_like_eigen<Data>;

/// Elements of a range or a view that a mask selects.
template <class Data>
concept is_selected = requires(const Data& data) {
  []<class T>(const onefold::selected<T>&) {}(data);
};

/// A range whose elements are read one by one, as computed ones are: of ranges.hpp.
template <class Data>
concept is_scattered = requires(const Data& data) {
  source_traits<Data>::elements(data);
};

/// Whether the elements of a range are volatile.
template <class Data>
inline constexpr bool volatile_elements = false;
template <plain_range Data>
inline constexpr bool volatile_elements<Data> =
    std::is_volatile_v<std::remove_reference_t<decltype(*std::begin(std::declval<Data&>()))>>;

/// Whether Data cannot be reduced, but is often given to a verb, which then says what to do: an iterator, a range whose
/// elements are not contiguous, an Eigen type without onefold/eigen.hpp. (Not a pointer, which would make calls of a
/// caller's own function of a verb's name ambiguous: verbs/forms.hpp.)
template <class Data>
concept mistaken = !reducible<Data> && !std::is_pointer_v<Data> &&
                   (std::input_or_output_iterator<Data> || iterable<Data> || looks_like_eigen<Data>);

/// The types of a verb's results; any will do for what cannot be reduced.
template <class Op, class Data>
struct verb_results {
  using all = int;
  using over_axes = int;
};
template <class Op, reducible Data>
struct verb_results<Op, Data> {
  using one = default_result<typename source_traits<Data>::element_type, Op>;
  using all = results_from<Data, one>;
  using over_axes = result_array<one>;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// What a verb accepts: data that can be reduced, and what is often taken for it, for which the verb does not compile
/// and says what to write instead.
template <class Data>
concept verb_argument = reducible<Data> || detail::mistaken<std::remove_cvref_t<Data>>;

/// The same where axes are named. (Not a C array: a function that the caller defined may
/// be meant.)
template <class Data>
concept axes_argument = reducible_over_axes<Data> ||(verb_argument<Data> && !std::is_array_v<Data>);

/// The type that the verb of operation Op returns for Data: `result_of<op::sum, std::vector<f16>>` is float, what
/// `sum(x)` returns for such an x.
template <class Op, class Data>
using result_of = typename detail::verb_results<Op, std::remove_cvref_t<Data>>::all;

/// The type that the verb of operation Op returns for Data and axes: a result_array.
template <class Op, class Data>
using results_over_axes = typename detail::verb_results<Op, std::remove_cvref_t<Data>>::over_axes;

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
