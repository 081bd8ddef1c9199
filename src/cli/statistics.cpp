// The library's statistics of each column: one function after the other, of elements whose type is known at run time.
#include "onefold/statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "choices.hpp"
#include "input/with_type.hpp"
#include "onefold/catalog.hpp"
#include "onefold/error.hpp"
#include "statistics.hpp"
#include "without_nan.hpp"

namespace onefold::cli {
namespace {

using detail::statistic;
static_assert(std::size(statistic_names) == static_cast<std::size_t>(statistic::sample_excess_kurtosis) + 1);

/// The type of a statistic's result, as that of a maximum, and what computes it.
struct statistic_plan : dynamic_results {
  statistic_plan(dtype result, run_report ran)
      : dynamic_results(dynamic_plan(operation_index<op::max>, result, 1)), ran_(std::move(ran)) {}
  const run_report& report() const { return ran_; }

 private:
  run_report ran_;
};

/// The statistic at this place among the names.
template <class T>
reduced statistic_of(std::span<const T> x, int place, const options& how) {
  const std::string name(statistic_names[static_cast<std::size_t>(place)]);
  const auto by = [&](auto function, run_report ran) {
    using R = decltype(function(x, how));
    return results_of(name, statistic_plan(dtype_of<R>, std::move(ran)), {}, 1,
                      [&](std::byte* to) { *reinterpret_cast<R*>(to) = function(x, how); });
  };
  if (place == static_cast<int>(statistic::difference)) {
    // Of no elements the library's error names minmax.
    if (x.empty()) throw error(error_code::empty_input, "ptp of no elements has no value");
    return by([](auto&... a) { return ptp(a...); }, plan<T, op::minmax>(std::ssize(x), how).report());
  }
  // The others all reduce computed elements of type f64; the library's error speaks of the function that does.
  if (is_accelerator(how.backend))
    throw error(error_code::unsupported, fmt::format("{} is computed on CPUs only, not on backend {}; use backend cpu "
                                                     "or automatic",
                                                     name, name_of(how.backend)));
  const auto elements = mapped([](const T& a) { return detail::as_f64(a); }, x);
  const run_report ran = mapped_plan<double, op::mean>(elements, {}, how).report();
  switch (static_cast<statistic>(place)) {
    case statistic::geometric_mean:
      return by([](auto&... a) { return geometric_mean(a...); }, ran);
    case statistic::harmonic_mean:
      return by([](auto&... a) { return harmonic_mean(a...); }, ran);
    case statistic::skewness:
      return by([](auto&... a) { return skewness(a...); }, ran);
    case statistic::sample_skewness:
      return by([](auto&... a) { return sample_skewness(a...); }, ran);
    case statistic::excess_kurtosis:
      return by([](auto&... a) { return excess_kurtosis(a...); }, ran);
    default:
      return by([](auto&... a) { return sample_excess_kurtosis(a...); }, ran);
  }
}

/// The same of n elements of a type.
reduced statistic_of(dtype type, const void* data, std::int64_t n, int place, const options& how) {
  std::optional<reduced> found;
  with_type(type, [&]<class T>() {
    found = statistic_of(std::span(static_cast<const T*>(data), static_cast<std::size_t>(n)), place, how);
  });
  return std::move(*found);
}

}  // namespace

statistics::statistics(const arguments& given) : column_computation(given, chosen_statistics(given.operation)) {}

operation_results statistics::tried(const one& r, dtype type) const {
  alignas(std::uint64_t) const std::byte zero[sizeof(std::uint64_t)]{};
  return statistic_of(type, zero, 1, r.operation, r.how);
}

std::vector<reduced> statistics::run_column(const loaded_array& array, std::size_t column) const {
  const dtype type = array.type();
  std::span<const std::byte> elements = array.bytes(column);
  byte_buffer numbers;
  if (skips_nan_ && count_nan(type, list_.front().how, elements.data(), array.count(column)) > 0) {
    numbers = copied_without_nan(type, elements);
    elements = numbers.bytes();
  }
  const std::int64_t n = detail::elements_in(static_cast<std::int64_t>(elements.size()), type);
  std::vector<reduced> all;
  for (const one& r : list_) all.push_back(statistic_of(type, elements.data(), n, r.operation, r.how));
  return all;
}

}  // namespace onefold::cli
