// One selection for each column, of all quantiles together.
#include "quantiles.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "axis.hpp"
#include "choices.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/order_statistics.hpp"
#include "onefold/error.hpp"
#include "without_nan.hpp"

namespace onefold::cli {
namespace {

/// The quantiles of --at, each once; the median without it.
std::vector<double> chosen_quantiles(const std::optional<std::string>& words) {
  if (!words) return {0.5};
  std::vector<double> list;
  for (const std::string& word : split_at_commas(*words)) {
    list.push_back(chosen_number("--at", word, 0, 1));
    if (std::find(list.begin(), list.end() - 1, list.back()) != list.end() - 1)
      throw failure(exit_code::wrong_usage, fmt::format("--at: {}: given twice, expected once", word));
  }
  return list;
}

/// The places of all quantiles, which stand for operations.
std::vector<int> places(const arguments& given) {
  std::vector<int> list(chosen_quantiles(given.at).size());
  std::iota(list.begin(), list.end(), 0);
  return list;
}

/// What a result looks like: as a mean, f64 of f64 and integers, else f32.
dynamic_plan like_mean(dtype type, const options& how) { return {operation_index<op::mean>, type, 1, how}; }

}  // namespace

quantiles::quantiles(const arguments& given)
    : column_computation(given, places(given)),
      at_(chosen_quantiles(given.at)),
      method_(given.method ? chosen_quantile_method(*given.method) : quantile_method::linear) {
  for (const double q : at_) names_.push_back(given.at ? fmt::format("quantile_{}", q) : "median");
}

operation_results quantiles::tried(const one& r, dtype type) const {
  const std::uint64_t zero = 0;
  const auto place = static_cast<std::size_t>(r.operation);
  alignas(result_alignment) std::byte result[most_result_size];
  detail::select_quantiles(type, &zero, 1, 1, {&at_[place], 1}, method_, result, r.how, nullptr);
  return {names_[place], like_mean(type, r.how)};
}

std::vector<reduced> quantiles::run_column(const loaded_array& array, std::size_t column) const {
  const dtype type = array.type();
  const options& how = list_.front().how;
  const void* const data = array.bytes(column).data();
  const std::int64_t n = array.count(column), nans = skips_nan_ ? count_nan(type, how, data, n) : 0;
  const operation_results median{"", like_mean(type, how)};
  const auto size = static_cast<std::size_t>(median.layout.result_size());
  byte_buffer values;
  run_report ran;
  std::byte* const to = values.room(at_.size() * size);
  const auto start = std::chrono::steady_clock::now();
  detail::select_quantiles(type, data, n, n - nans, at_, method_, to, how, &ran);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::vector<reduced> all;
  for (std::size_t i = 0; i < at_.size(); ++i) {
    reduced r{{names_[i], median.layout}, {}, 1};
    std::copy_n(to + i * size, size, r.results.room(size));
    r.results.grow(size);
    r.seconds = seconds;
    r.ran = ran;
    all.push_back(std::move(r));
  }
  return all;
}

}  // namespace onefold::cli
