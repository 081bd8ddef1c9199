// The statistics of data with one read of memory: summary(data).
#pragma once

#include <cstdint>
#include <type_traits>

#include "onefold/fused.hpp"
#include "onefold/where.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// The statistics of elements T. Each has the bits of the verb with its name.
template <class T>
struct summary_result {
  using deviation_type = default_result<T, op::variance>;  ///< f64 of f64 and integers, else f32

  std::int64_t n;                    ///< how many elements the statistics are of
  std::int64_t nan_count;            ///< how many of all elements are NaN
  default_result<T, op::sum> sum;    ///< their sum
  default_result<T, op::mean> mean;  ///< their mean
  T min;                             ///< the smallest one; NaN if there is one
  T max;                             ///< the largest one, likewise
  deviation_type variance;           ///< of the population
  deviation_type stddev;             ///< its root
  deviation_type sample_variance;    ///< divided by n - 1
  deviation_type sample_stddev;      ///< its root
};

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// Whether an element is NaN, whatever the compiler's flags say of NaN.
template <class T>
constexpr bool has_nan_bits([[maybe_unused]] T x) {
  using C = canonical_t<T>;
  if constexpr (std::is_same_v<C, double>)
    return __builtin_bit_cast(std::uint64_t, x) << 1 > std::uint64_t{0x7ff} << 53;
  else if constexpr (is_float<C>)
    return __builtin_bit_cast(std::uint32_t, static_cast<float>(__builtin_bit_cast(C, x))) << 1 > std::uint32_t{0xff}
                                                                                                      << 24;
  else
    return false;
}

/// How many elements are NaN: those that count has more of than without them.
template <class Data>
std::int64_t count_nan(const Data& data, options how) {
  if constexpr (!is_float_element<typename source_traits<Data>::element_type>) return 0;
  how.init = {};
  how.accuracy = accuracy::native;
  return reduced<op::count>(data, how) - reduced<op::count>(where(data, not_nan), how);
}

/// Data that can be summarized: it has one result, also without its elements that are NaN.
template <class Data>
concept summarizable =
    reducible<Data> && selects_not_nan<Data> && std::is_same_v<result_of<op::count, Data>, std::int64_t>;

/// The elements of a summary; any type will do for what has none.
template <class Data>
struct summarized_elements {
  using type = double;
};
template <summarizable Data>
struct summarized_elements<Data> {
  using type = typename source_traits<Data>::element_type;
};

/// Says why Data can be reduced, but not summarized.
template <class Data>
struct explained_summary {
  static_assert(summarizable<Data>,
                "onefold: a summary is of a contiguous range or a view: copy the elements of a std::deque to a "
                "std::vector first; of selected elements without NaN it is nansummary");
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The type of the summary of Data.
template <class Data>
using summary_of = summary_result<typename detail::summarized_elements<Data>::type>;

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The statistics. Does not compile for what cannot be summarized, and says why.
template <bool SkipNan, class Data>
summary_of<Data> summarized(const Data& data, const options& how) {
  if constexpr (summarizable<Data>) {
    const auto of = [&](const auto& elements) -> summary_of<Data> {
      const auto [total, average, ends, all, variance, stddev, sample_variance, sample_stddev] =
          fused<op::sum, op::mean, op::minmax, op::moments, op::variance, op::stddev, op::sample_variance,
                op::sample_stddev>(elements, how);
      return {all.n, 0, total, average, ends.min, ends.max, variance, stddev, sample_variance, sample_stddev};
    };
    summary_of<Data> found;
    if constexpr (SkipNan)
      found = of(where(data, not_nan));
    else
      found = of(data);
    if (SkipNan || has_nan_bits(found.min)) found.nan_count = count_nan(data, how);
    return found;
  } else {
    if constexpr (reducible<Data> || plain_range<Data>)
      static_cast<void>(explained_summary<Data>{});
    else
      static_cast<void>(explained<Data>{});
    return {};
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// How many elements there are and how many of them are NaN, their sum, mean, extremes, variances and standard
/// deviations: each with the bits of the verb of its name, with the same options. On the CPU a contiguous range is read
/// from memory once, as by `fused`; where there is a NaN, it is read twice more to count them. Throws onefold::error
/// where one of the verbs does: for no elements (empty_input), for an initial value, which not all of them take
/// (invalid_argument), and at accuracy kahan, which variances do not have (unsupported).
template <verb_argument Data>
summary_of<Data> summary(const Data& data, const options& how = {}) {
  return detail::summarized<false>(data, how);
}

/// The same of the elements that are not NaN: each statistic has the bits of the verb over where(data, not_nan), n
/// counts these elements, and nan_count the others. They are reduced one verb after the other. Throws as summary does;
/// if all elements are NaN, there are none left (empty_input).
template <verb_argument Data>
summary_of<Data> nansummary(const Data& data, const options& how = {}) {
  return detail::summarized<true>(data, how);
}

/// @cond
// What is said of axes, and of two iterators.
template <axes_argument Data>
double summary(const Data&, const axis_list&, const options& = {}) {
  detail::refuse_axes<Data>();
  return {};
}
template <axes_argument Data>
double nansummary(const Data&, const axis_list&, const options& = {}) {
  detail::refuse_axes<Data>();
  return {};
}
/// @endcond

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
