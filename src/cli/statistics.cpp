// The library's statistics of each column, one function after the other: of the elements, or of the elements as f64,
// which has the bits of the functions over the elements themselves.
#include "onefold/statistics.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "choices.hpp"
#include "input/byte_buffer.hpp"
#include "input/with_type.hpp"
#include "onefold/catalog.hpp"
#include "onefold/error.hpp"
#include "onefold/first.hpp"
#include "onefold/where.hpp"
#include "results.hpp"
#include "statistics.hpp"
#include "without_nan.hpp"

namespace onefold::cli {
namespace {

using numbers = std::span<const double>;

/// What results of type R look like.
template <class R>
constexpr auto members = std::array{result_member{"value", dtype_of<R>, 0}};
template <class T>
constexpr auto members<indexed_element<T>> =
    std::array{result_member{"index", dtype::i64, offsetof(indexed_element<T>, index)},
               result_member{"value", dtype_of<T>, offsetof(indexed_element<T>, value)}};
template <class R>
constexpr detail::result_layout layout{sizeof(R), alignof(R), members<R>};

/// The form of a statistic's result, and what computed it.
struct statistic_plan : dynamic_results {
  explicit statistic_plan(const detail::result_layout& form) : dynamic_results(form) {}
  const run_report& report() const { return ran; }

  run_report ran;
};

/// Statistics of the elements themselves, of any type, and what ran.
struct range_of {
  template <class T>
  auto operator()(std::span<const T> x, bool, const options& how) const {
    // Of no elements the library's error names minmax.
    if (x.empty()) throw error(error_code::empty_input, "ptp of no elements has no value");
    auto ends = reduce_reported<T, op::minmax>(x, how);
    return reported<detail::difference_type<T>>{detail::distance_of_ends{}(ends.value), std::move(ends.ran)};
  }
};
template <class Op>
struct norm_of {
  template <class T>
  auto operator()(std::span<const T> x, bool, const options& how) const {
    const auto magnitudes = mapped(detail::absolute_value{}, x);
    using U = typename decltype(magnitudes)::element_type;
    return reduce_reported<U, Op>(magnitudes, std::is_same_v<Op, op::max> ? detail::from_zero(how) : how);
  }
};
template <class Op>
struct end_of {
  template <class T>
  auto operator()(std::span<const T> x, bool skips_nan, const options& how) const {
    return skips_nan ? reduce_reported<T, Op>(where(x, not_nan), how) : reduce_reported<T, Op>(x, how);
  }
};

/// One of them of elements of a type.
template <class Of>
reduced of_elements(std::string_view name, dtype type, std::span<const std::byte> elements, bool skips_nan,
                    const options& how) {
  std::optional<reduced> found;
  with_type(type, [&]<class T>() {
    const std::span x(reinterpret_cast<const T*>(elements.data()), elements.size() / sizeof(T));
    using R = decltype(Of{}(x, skips_nan, how).value);
    statistic_plan plan(layout<R>);
    found = results_of(std::string(name), plan, {}, 1, [&](std::byte* to) {
      auto computed = Of{}(x, skips_nan, how);
      *reinterpret_cast<R*>(to) = computed.value;
      plan.ran = std::move(computed.ran);
    });
  });
  return std::move(*found);
}

/// A statistic: what it reduces, and the library's function, of the elements as f64 or of the elements themselves.
struct named_statistic {
  std::string_view name, reduces;
  double (*of_numbers)(const numbers&, const options&);
  reduced (*of_elements)(std::string_view, dtype, std::span<const std::byte>, bool, const options&) = nullptr;
  bool counts_nan = false;  ///< whether it says where an element is, and so takes those that are NaN, too
};
constexpr std::string_view powers = "powers of distances from the mean";
constexpr named_statistic named_statistics[] = {
    {"ptp", "elements", nullptr, of_elements<range_of>},
    {"geometric_mean", "logarithms", geometric_mean<numbers>},
    {"harmonic_mean", "reciprocals", harmonic_mean<numbers>},
    {"skewness", powers, skewness<numbers>},
    {"sample_skewness", powers, sample_skewness<numbers>},
    {"excess_kurtosis", powers, excess_kurtosis<numbers>},
    {"sample_excess_kurtosis", powers, sample_excess_kurtosis<numbers>},
    {"norm1", "magnitudes", nullptr, of_elements<norm_of<op::sum>>},
    {"norm_inf", "magnitudes", nullptr, of_elements<norm_of<op::max>>},
    {"first", "elements", nullptr, of_elements<end_of<op::first>>, true},
    {"last", "elements", nullptr, of_elements<end_of<op::last>>, true},
};
/// The number of those in front that describe how the elements are distributed.
constexpr int distribution_statistics = 7;

/// The elements as f64, which formulas are computed of: those that are need no copy.
class numbers_of {
 public:
  numbers_of(dtype type, std::span<const std::byte> elements) {
    with_type(type, [&]<class T>() {
      const std::span x(reinterpret_cast<const T*>(elements.data()), elements.size() / sizeof(T));
      if constexpr (std::is_same_v<T, double>) {
        all_ = x;
      } else {
        auto* const to = reinterpret_cast<double*>(copy_.room(x.size() * sizeof(double)));
        for (std::size_t i = 0; i < x.size(); ++i) to[i] = detail::as_f64(x[i]);
        all_ = {to, x.size()};
      }
    });
  }

  numbers all() const { return all_; }

 private:
  byte_buffer copy_;
  numbers all_;
};

/// The statistic at this place in the table, of the elements; of a copy of them as f64, where it is of numbers.
reduced statistic_of(dtype type, std::span<const std::byte> elements, bool skips_nan, const numbers_of& copy, int place,
                     const options& how) {
  const named_statistic& what = named_statistics[place];
  if (what.of_elements) return what.of_elements(what.name, type, elements, skips_nan, how);
  // The library's error speaks of the function that computes them.
  if (is_accelerator(how.backend))
    throw error(error_code::unsupported,
                fmt::format("{} reduces {}, which are computed on CPUs only, not on backend {}; use backend cpu or "
                            "automatic",
                            what.name, what.reduces, name_of(how.backend)));
  dtype result{};
  with_type(type, [&]<class T>() { result = dtype_of<detail::statistic_of<std::span<const T>>>; });
  const numbers x = copy.all();
  statistic_plan plan(result == dtype::f32 ? layout<float> : layout<double>);
  plan.ran = mapped_plan<double, op::mean>(mapped([](const double& a) { return a; }, x), {}, how).report();
  return results_of(std::string(what.name), plan, {}, 1, [&](std::byte* to) {
    const double value = what.of_numbers(x, how);
    if (result == dtype::f32)
      *reinterpret_cast<float*>(to) = static_cast<float>(value);
    else
      *reinterpret_cast<double*>(to) = value;
  });
}

}  // namespace

std::vector<std::string_view> statistic_names() {
  std::vector<std::string_view> names;
  for (const named_statistic& s : named_statistics) names.push_back(s.name);
  return names;
}

std::vector<int> usual_statistics() { return numbered<int>(0, distribution_statistics); }

statistics::statistics(const arguments& given) : column_computation(given, chosen_statistics(given.operation)) {}

operation_results statistics::tried(const one& r, dtype type) const {
  alignas(std::uint64_t) static constexpr std::byte zero[sizeof(std::uint64_t)]{};
  const std::span<const std::byte> element(zero, static_cast<std::size_t>(size_of(type)));
  return statistic_of(type, element, false, numbers_of(type, element), r.operation, r.how);
}

std::vector<reduced> statistics::run_column(const loaded_array& array, std::size_t column) const {
  const dtype type = array.type();
  const std::span<const std::byte> all_elements = array.bytes(column);
  std::span<const std::byte> elements = all_elements;
  byte_buffer copy;
  if (skips_nan_ && count_nan(type, list_.front().how, elements.data(), array.count(column)) > 0) {
    copy = copied_without_nan(type, elements);
    elements = copy.bytes();
  }
  const bool converts =
      std::ranges::any_of(list_, [](const one& r) { return named_statistics[r.operation].of_numbers; });
  const numbers_of copy_as_f64(type, converts ? elements : std::span<const std::byte>());
  std::vector<reduced> all;
  for (const one& r : list_)
    all.push_back(statistic_of(type, named_statistics[r.operation].counts_nan ? all_elements : elements, skips_nan_,
                               copy_as_f64, r.operation, r.how));
  return all;
}

}  // namespace onefold::cli
