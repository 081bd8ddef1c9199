// The library's statistics of each column, one function after the other; all but ptp of the elements as f64, which has
// the bits of the functions over the elements themselves.
#include "onefold/statistics.hpp"

#include <algorithm>
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
#include "statistics.hpp"
#include "without_nan.hpp"

namespace onefold::cli {
namespace {

using numbers = std::span<const double>;

/// A statistic: what it reduces, and the library's function. ptp has none, as it reduces elements of any type.
struct named_statistic {
  std::string_view name, reduces;
  double (*of)(const numbers&, const options&);
};
constexpr std::string_view powers = "powers of distances from the mean";
constexpr named_statistic named_statistics[] = {
    {"ptp", "elements", nullptr},
    {"geometric_mean", "logarithms", geometric_mean<numbers>},
    {"harmonic_mean", "reciprocals", harmonic_mean<numbers>},
    {"skewness", powers, skewness<numbers>},
    {"sample_skewness", powers, sample_skewness<numbers>},
    {"excess_kurtosis", powers, excess_kurtosis<numbers>},
    {"sample_excess_kurtosis", powers, sample_excess_kurtosis<numbers>},
};

/// The type of a statistic's result, as that of a maximum, and what computes it.
struct statistic_plan : dynamic_results {
  statistic_plan(dtype result, run_report ran)
      : dynamic_results(dynamic_plan(operation_index<op::max>, result, 1)), ran_(std::move(ran)) {}
  const run_report& report() const { return ran_; }

 private:
  run_report ran_;
};

/// The elements as f64, which all statistics but ptp are computed of: those that are need no copy.
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

reduced range_of(dtype type, std::span<const std::byte> elements, const std::string& name, const options& how) {
  // Of no elements the library's error names minmax.
  if (elements.empty()) throw error(error_code::empty_input, "ptp of no elements has no value");
  std::optional<reduced> found;
  with_type(type, [&]<class T>() {
    const std::span x(reinterpret_cast<const T*>(elements.data()), elements.size() / sizeof(T));
    using R = decltype(ptp(x, how));
    found = results_of(name, statistic_plan(dtype_of<R>, plan<T, op::minmax>(std::ssize(x), how).report()), {}, 1,
                       [&](std::byte* to) { *reinterpret_cast<R*>(to) = ptp(x, how); });
  });
  return std::move(*found);
}

/// Whether it reduces the elements themselves, without a copy as f64.
bool reduces_elements(int place) { return named_statistics[place].of == nullptr; }

/// The statistic at this place in the table.
reduced statistic_of(dtype type, std::span<const std::byte> elements, const numbers_of& copy, int place,
                     const options& how) {
  const named_statistic& what = named_statistics[place];
  const std::string name(what.name);
  if (reduces_elements(place)) return range_of(type, elements, name, how);
  // The library's error speaks of the function that computes them.
  if (is_accelerator(how.backend))
    throw error(error_code::unsupported,
                fmt::format("{} reduces {}, which are computed on CPUs only, not on backend {}; use backend cpu or "
                            "automatic",
                            name, what.reduces, name_of(how.backend)));
  dtype result{};
  with_type(type, [&]<class T>() { result = dtype_of<detail::statistic_of<std::span<const T>>>; });
  const numbers x = copy.all();
  const auto mapping = mapped([](const double& a) { return a; }, x);
  return results_of(name, statistic_plan(result, mapped_plan<double, op::mean>(mapping, {}, how).report()), {}, 1,
                    [&](std::byte* to) {
                      const double value = what.of(x, how);
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

statistics::statistics(const arguments& given) : column_computation(given, chosen_statistics(given.operation)) {}

operation_results statistics::tried(const one& r, dtype type) const {
  alignas(std::uint64_t) static constexpr std::byte zero[sizeof(std::uint64_t)]{};
  const std::span<const std::byte> element(zero, static_cast<std::size_t>(size_of(type)));
  return statistic_of(type, element, numbers_of(type, element), r.operation, r.how);
}

std::vector<reduced> statistics::run_column(const loaded_array& array, std::size_t column) const {
  const dtype type = array.type();
  std::span<const std::byte> elements = array.bytes(column);
  byte_buffer copy;
  if (skips_nan_ && count_nan(type, list_.front().how, elements.data(), array.count(column)) > 0) {
    copy = copied_without_nan(type, elements);
    elements = copy.bytes();
  }
  const bool converts = !std::ranges::all_of(list_, [](const one& r) { return reduces_elements(r.operation); });
  const numbers_of copy_as_f64(type, converts ? elements : std::span<const std::byte>());
  std::vector<reduced> all;
  for (const one& r : list_) all.push_back(statistic_of(type, elements, copy_as_f64, r.operation, r.how));
  return all;
}

}  // namespace onefold::cli
