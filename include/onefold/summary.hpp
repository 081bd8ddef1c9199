// The statistics of data with one read of memory: summary(data).
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>

#include "onefold/detail/count_nan.hpp"
#include "onefold/detail/result_forms.hpp"
#include "onefold/fused.hpp"

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

/// Data that can be summarized.
template <class Data>
concept summarizable = reducible<Data> && element<typename source_traits<Data>::element_type> && counts_nan<Data>;

/// The same, or where NaN are left out, with elements that `where` selects from it or from a copy.
template <class Data, bool skip_nan>
concept summarized_directly = summarizable<Data> &&(!skip_nan || selects_not_nan<Data>);
template <class Data>
concept summarized_by_copy = summarizable<Data> && copied_range<Data>;

/// The elements of a summary; any type will do for what has none.
template <class Data>
struct summaries {
  using one = summary_result<double>;
  using all = one;
};
template <summarizable Data>
struct summaries<Data> {
  using one = summary_result<typename source_traits<Data>::element_type>;
  using all = results_from<Data, one>;
};

/// Says why Data can be reduced, but not summarized.
template <class Data>
struct explained_summary {
  static constexpr bool numbers = element<std::remove_cvref_t<typename passed_element<Data>::type>>;
  static_assert(numbers,
                "onefold: a summary takes numbers: of structs name a member, summary(orders, &order::price), and of "
                "complex numbers take a part, summary(x, f)");
  static_assert(!numbers || summarizable<Data>,
                "onefold: a summary takes numbers in a range, a view, segments or groups, selected or computed or not: "
                "copy those of pieces to a std::vector first");
};
template <class Data>
struct explained_nansummary {
  static_assert(selects_not_nan<Data>,
                "onefold: a nansummary takes a contiguous range, a view, segments or groups, of which nothing is "
                "selected or computed: take the summary of a copy without the elements that are NaN");
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The type of the summary of Data: a summary_result, or what has one for each segment or group.
template <class Data>
using summary_of = typename detail::summaries<Data>::all;

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// Several reductions of data in a form.
template <class... Ops, class Data>
auto fused_in(const whole_data&, const Data& data, const options& how) {
  return fused<Ops...>(data, how);
}
template <class... Ops, class Data>
auto fused_in(const data_along& form, const Data& data, const options& how) {
  return fused<Ops...>(data, form.axes, how);
}

/// The statistics of data, in a form.
template <bool skip_nan, class Form, class Data>
auto statistics_of(const Form& form, const Data& data, const options& how) {
  using T = typename source_traits<Data>::element_type;
  const auto of = [&](const auto& elements) {
    const auto found = fused_in<op::sum, op::mean, op::minmax, op::moments, op::variance, op::stddev,
                                op::sample_variance, op::sample_stddev>(form, elements, how);
    return std::apply(
        [](const auto&... results) {
          return for_each_result(
              [](const auto& total, const auto& average, const auto& ends, const auto& all, const auto& variance,
                 const auto& stddev, const auto& sample_variance, const auto& sample_stddev) -> summary_result<T> {
                return {all.n, 0, total, average, ends.min, ends.max, variance, stddev, sample_variance, sample_stddev};
              },
              results...);
        },
        found);
  };
  auto all = [&] {
    if constexpr (skip_nan)
      return of(without_nan(form, data));
    else
      return of(data);
  }();
  if constexpr (is_float_element<T>) {
    bool any = skip_nan;
    for_each_result([&](const summary_result<T>& s) { return any = any || has_nan_bits(s.min); }, all);
    if (any)
      return for_each_result(
          [](summary_result<T> s, std::int64_t nan_count) {
            s.nan_count = nan_count;
            return s;
          },
          all, count_nan(form, data, how));
  }
  return all;
}

/// Says why data cannot be summarized.
template <class Data>
void explain_summary() {
  if constexpr (summarizable<Data>)
    static_cast<void>(explained_nansummary<Data>{});
  else if constexpr (reducible<Data> || plain_range<Data>)
    static_cast<void>(explained_summary<Data>{});
  else
    static_cast<void>(explained<Data>{});
}

/// The same; does not compile for what cannot be summarized, and says why.
template <bool skip_nan, class Data>
summary_of<Data> summarized(const Data& data, const options& how) {
  if constexpr (summarized_directly<Data, skip_nan>) {
    return statistics_of<skip_nan>(whole_data{}, data, how);
  } else if constexpr (summarized_by_copy<Data>) {
    return with_copy(data, [&how]<class Copy>(const Copy& copy) {
      return statistics_of<selects_not_nan<Copy>>(whole_data{}, copy, how);
    });
  } else {
    explain_summary<Data>();
    return summary_of<Data>();
  }
}
template <bool skip_nan, class Data>
auto summarized(const Data& data, const axis_list& axes, const options& how) {
  if constexpr (!reducible_over_axes<Data>) {
    if constexpr (reducible<Data>)
      static_cast<void>(explained_axes<Data>{});
    else
      static_cast<void>(explained<Data>{});
  } else if constexpr (summarized_directly<Data, skip_nan>) {
    return statistics_of<skip_nan>(data_along{axes}, data, how);
  } else {
    explain_summary<Data>();
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// How many elements there are and how many of them are NaN, their sum, mean, extremes, variances and standard
/// deviations: each with the bits of the verb of its name, with the same options. Takes ranges and views, selected and
/// computed elements, and segments and groups, which have a summary each. On the CPU a contiguous range is read from
/// memory once, and elements are computed once, as by `fused`; where there is a NaN, it is read twice more to count
/// them. (Those of selected or computed elements are counted on CPUs: invalid_argument if there are any in device
/// memory.) Throws onefold::error where one of the verbs does: for no elements (empty_input), for an initial value,
/// which not all of them take (invalid_argument), and at accuracy kahan, which variances do not have (unsupported).
template <verb_argument Data>
summary_of<Data> summary(const Data& data, const options& how = {}) {
  return detail::as_verb("summary", [&] { return detail::summarized<false>(data, how); });
}
/// The same over some axes, one verb after the other.
template <axes_argument Data>
auto summary(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::as_verb("summary", [&] { return detail::summarized<false>(data, axes, how); });
}

/// The same of the elements that are not NaN: each statistic has the bits of the verb over where(data, not_nan), n
/// counts these elements, and nan_count the others. They are reduced one verb after the other. Throws as summary does;
/// if all elements are NaN, there are none left (empty_input).
template <verb_argument Data>
summary_of<Data> nansummary(const Data& data, const options& how = {}) {
  return detail::as_verb("nansummary", [&] { return detail::summarized<true>(data, how); });
}
/// The same over some axes.
template <axes_argument Data>
auto nansummary(const Data& data, const axis_list& axes, const options& how = {}) {
  return detail::as_verb("nansummary", [&] { return detail::summarized<true>(data, axes, how); });
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
