// Histograms of ranges, views and computed elements: how many elements are in each bin. A comparison with the edges
// says which bin an element is in, so the counts are the same everywhere by law, on CPUs and on GPUs.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "onefold/detail/element_types.hpp"
#include "onefold/detail/histogram.hpp"
#include "onefold/detail/sortable.hpp"
#include "onefold/detail/vector_functions.hpp"
#include "onefold/map_reduce.hpp"
#include "onefold/options.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// The number of elements in each bin, and the bins: bin i is from edges[i] to edges[i + 1].
struct histogram_result {
  std::vector<std::int64_t> counts;  ///< one for each bin
  std::vector<double> edges;         ///< one more
};

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// Edges as numbers of f64.
template <class Edges>
std::vector<double> edges_in_f64(const Edges& edges) {
  using E = typename source_traits<Edges>::element_type;
  constexpr bool exact = element<E> && (is_float_element<E> || sizeof(E) <= 4);
  static_assert(exact,
                "onefold: edges of bins are numbers that f64 represents: floating-point ones, or integers of up to 32 "
                "bits");
  std::vector<double> all;
  if constexpr (exact)
    for (const E& e : edges) all.push_back(widened<double>(__builtin_bit_cast(canonical_t<E>, e)));
  return all;
}

/// The counts of bins between edges that are given.
template <class T>
histogram_result counted(std::span<const T> data, std::vector<double> edges, bin_widths widths, const options& how) {
  histogram_result r{{}, std::move(edges)};
  const std::size_t bins = r.edges.empty() ? 0 : r.edges.size() - 1;
  try {
    r.counts.resize(bins);
  } catch (const std::bad_alloc&) {
    fail_to_allocate(bins, sizeof(std::int64_t));
  }
  count_in_bins(element_dtype<T>, data.data(), std::ssize(data), r.edges, widths, r.counts.data(), how, nullptr);
  return r;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// How many elements are in each of `bins.count` bins of equal widths, of what median takes: elements that are
/// not neighbors in C order are stored first. Edge i is bins.low + i * ((bins.high - bins.low) /
/// bins.count), each operation rounded in f64, and the last one is bins.high; where low = high, they are moved apart to
/// low - 0.5 and high + 0.5, or for numbers too large for that by as many of their ulps as there are bins. Element x is
/// in bin i if edges[i] <= x < edges[i + 1], in the last bin also if x is its upper edge; the comparison is exact for
/// all element types. Elements outside of all bins, and NaN, are not counted. Where backend cuda is asked for, or the
/// data is in device memory, the device counts; the result is in host memory. Throws onefold::error for no bins, more
/// than memory holds, ends that are not finite, descend, or are so close that two edges are equal, and an initial value
/// (invalid_argument), for several devices (unsupported), and as a reduction does.
template <verb_argument Data>
histogram_result histogram(const Data& data, const uniform_bins& bins, const options& how = {}) {
  return detail::counted(detail::sortable_elements(data).span(), detail::uniform_edges(bins), detail::bin_widths::equal,
                         how);
}

/// The same of a number of bins from the smallest element to the largest one, as f64 on the outer side of an integer
/// that f64 does not have, unless all are equal; from 0 to 1 for no elements. NaN is left out; an infinity, or nothing
/// but NaN, is an error (invalid_argument).
template <verb_argument Data>
histogram_result histogram(const Data& data, std::int64_t bins, const options& how = {}) {
  const auto from = detail::sortable_elements(data);
  const auto x = from.span();
  return histogram(
      x, detail::bins_of(detail::element_dtype<detail::element_of<Data>>, x.data(), std::ssize(x), bins, how), how);
}

/// The same of bins between edges that ascend, a contiguous range of numbers that f64 represents; the first and the
/// last one may be infinite, and a bin between equal ones is empty, unless it is the last one. Throws also for fewer
/// than two edges, a NaN, and an edge below the one before (invalid_argument).
template <verb_argument Data, contiguous_elements Edges>
histogram_result histogram(const Data& data, const Edges& edges, const options& how = {}) {
  return detail::counted(detail::sortable_elements(data).span(), detail::edges_in_f64(edges), detail::bin_widths::any,
                         how);
}
/// The same of edges in braces: histogram(x, {0, 5, 10}) has two bins.
template <verb_argument Data>
histogram_result histogram(const Data& data, std::initializer_list<double> edges, const options& how = {}) {
  return onefold::histogram(data, std::span<const double>(edges.begin(), edges.size()), how);
}

/// The same of elements in braces.
template <class T, std::size_t n, class Bins>
histogram_result histogram(const T (&elements)[n], const Bins& bins, const options& how = {}) {
  return onefold::histogram(std::span<const T>(elements), bins, how);
}
/// The same with edges in braces.
template <class T, std::size_t n>
histogram_result histogram(const T (&elements)[n], std::initializer_list<double> edges, const options& how = {}) {
  return onefold::histogram(std::span<const T>(elements), edges, how);
}
/// The same with bins of equal widths in braces: histogram({1, 2}, {.low = 0, .high = 3, .count = 3}).
template <class T, std::size_t n>
histogram_result histogram(const T (&elements)[n], const uniform_bins& bins, const options& how = {}) {
  return onefold::histogram(std::span<const T>(elements), bins, how);
}

/// @cond
// Of a function of the elements.
template <detail::function_argument Data, detail::function_of_elements<Data> F, class Bins>
histogram_result histogram(const Data& data, F f, const Bins& bins, const options& how = {}) {
  return onefold::histogram(mapped(std::move(f), data), bins, how);
}
template <detail::function_argument Data, detail::function_of_elements<Data> F>
histogram_result histogram(const Data& data, F f, std::initializer_list<double> edges, const options& how = {}) {
  return onefold::histogram(mapped(std::move(f), data), edges, how);
}
template <detail::function_argument Data, detail::function_of_elements<Data> F>
histogram_result histogram(const Data& data, F f, const uniform_bins& bins, const options& how = {}) {
  return onefold::histogram(mapped(std::move(f), data), bins, how);
}
// Diagnostics for functions elsewhere and iterators, for ends and a number of bins without their names, and for a
// number with a fraction.
template <axes_argument Data>
histogram_result histogram(const Data&, const detail::any_number&, const detail::any_number&, const detail::any_number&,
                           const options& = {}) {
  static_assert(!axes_argument<Data>,
                "onefold: bins of equal widths have names: write histogram(x, {.low = 0, .high = 10, .count = 5})");
  return {};
}
template <axes_argument Data>
histogram_result histogram(const Data&, const detail::anything&, const detail::anything&, const options& = {}) {
  detail::refuse_order_of<Data>();
  return {};
}
template <verb_argument Data, std::floating_point Number>
histogram_result histogram(const Data&, Number, const options& = {}) {
  static_assert(!std::floating_point<Number>,
                "onefold: the number of bins is an integer: write histogram(x, 10), or histogram(x, {0.0, 0.5, 1.0}) "
                "with the edges of the bins");
  return {};
}
/// @endcond

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
