// Trying operations out, and the axes that plans are made for.
#include "computation.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "choices.hpp"
#include "input/failure.hpp"

namespace onefold::cli {
namespace {

/// What the flags choose.
options chosen_options(const arguments& a) {
  options how;
  if (a.backend) how.backend = chosen_backend(*a.backend);
  if (a.isa) how.isa = chosen_isa(*a.isa);
  if (a.kernel) how.kernel = chosen_kernel(*a.kernel);
  if (a.device) how.device = chosen_device(*a.device);
  if (a.devices) how.devices = chosen_devices(*a.devices);
  if (a.accuracy) how.accuracy = chosen_accuracy(*a.accuracy);
  if (a.threads) how.threads = chosen_threads(*a.threads);
  return beyond_environment(how, a.backend.has_value(), a.isa.has_value());
}

/// chosen_initial, but an error of the library's kind: the file whose type decides is not to blame, and readers add its
/// name to failures.
initial initial_of(const std::string& word, dtype type) try {
  return chosen_initial(word, type);
} catch (const failure& f) {
  throw error(error_code::invalid_argument, f.what());
}

}  // namespace

computation::computation(const arguments& given, std::span<const int> operations, bool keeps_shape)
    : keeps_shape_(keeps_shape), init_(given.init) {
  if (given.result) result_ = chosen_result(*given.result);
  const options how = chosen_options(given);
  for (const int operation : operations) list_.push_back({operation, how});
}

std::vector<operation_results> computation::accept(dtype type) {
  std::vector<operation_results> accepted;
  for (one& r : list_) {
    accepted.push_back(tried(r, type));
    if (!init_) continue;
    r.how.init = initial_of(*init_, accepted.back().layout.members().front().type);
    static_cast<void>(tried(r, type));
  }
  return accepted;
}

std::vector<std::int64_t> computation::shape_of(const loaded_array& array) const {
  std::vector<std::int64_t> shape;
  if (keeps_shape_)
    for (const axis& a : array.axes()) shape.push_back(a.extent);
  return shape;
}

std::string operation_name(int operation) {
  return std::string(operation_infos()[static_cast<std::size_t>(operation)].name);
}

std::string_view without_reason(const error& e) {
  const std::string_view what = e.what();
  return what.substr(0, what.find(':'));
}

void fail_column(const error& e, const loaded_array& array, const reduced_input& from, std::size_t column) {
  const std::string name = from.is_table() ? fmt::format("column {}: ", in_quotes(from.columns[column])) : "";
  if (e.code() != error_code::empty_input) throw error(e.code(), name + e.what());
  throw error(e.code(), fmt::format("{}{}: {}", name, without_reason(e),
                                    array.count(column) == 0 ? array.why_empty(column)
                                                             : "all values are missing or NaN and were skipped"));
}

std::vector<reduced> column_computation::run(const loaded_array& array, const reduced_input& from) const {
  std::vector<reduced> all;
  for (std::size_t c = 0; c < std::max<std::size_t>(from.columns.size(), 1); ++c) try {
      for (reduced& r : run_column(array, c)) {
        r.column = c;
        r.count = array.count(c);
        all.push_back(std::move(r));
      }
    } catch (const error& e) {
      fail_column(e, array, from, c);
    }
  return all;
}

std::vector<axis> joined(std::span<const axis> axes) {
  std::vector<axis> few;
  if (std::ranges::find(axes, 0, &axis::extent) != axes.end()) return {{0, 1}};
  for (const axis& a : axes)
    if (!few.empty() && few.back().stride == a.stride * a.extent)
      few.back() = {few.back().extent * a.extent, a.stride};
    else if (a.extent != 1)
      few.push_back(a);
  return few;
}

}  // namespace onefold::cli
