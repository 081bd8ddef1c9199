// One pass over each column, and NaN counted where there are some.
#include "summaries.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "one_pass.hpp"
#include "onefold/catalog.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/error.hpp"
#include "without_nan.hpp"

namespace onefold::cli {
namespace {

constexpr int summarized[] = {operation_index<op::sum>,
                              operation_index<op::mean>,
                              operation_index<op::min>,
                              operation_index<op::max>,
                              operation_index<op::variance>,
                              operation_index<op::stddev>,
                              operation_index<op::sample_variance>,
                              operation_index<op::sample_stddev>};

/// A number of elements as a result.
reduced count_as_result(const char* name, std::int64_t count, dtype type, options how, const reduced& beside) {
  how.accuracy = accuracy::native;
  reduced made{{name, dynamic_plan(operation_index<op::count>, type, 1, how)}, {}, 1};
  std::memcpy(made.results.room(sizeof count), &count, sizeof count);
  made.results.grow(sizeof count);
  made.seconds = beside.seconds;
  made.ran = beside.ran;
  return made;
}

}  // namespace

summaries::summaries(const arguments& given) : column_computation(given, summarized) {}

operation_results summaries::tried(const one& r, dtype type) const {
  return {operation_name(r.operation), dynamic_plan(r.operation, type, 1, r.how)};
}

std::vector<reduced> summaries::run_column(const loaded_array& array, std::size_t column) const {
  const dtype type = array.type();
  const options& how = list_.front().how;
  const void* const data = array.bytes(column).data();
  const std::int64_t n = array.count(column);
  std::vector<reduced> found;
  if (skips_nan_)
    for (const int operation : summarized) found.push_back(reduced_without_nan(operation, type, how, data, n));
  else
    found = reduced_in_one_pass(summarized, type, how, std::nullopt, data, n);
  constexpr std::size_t least = 2;  // of what is summarized
  const bool may_have_nan = skips_nan_ || found[least].numbers(0).front().text() == "nan";
  const std::int64_t nans = may_have_nan ? count_nan(type, how, data, n) : 0;
  found.insert(found.begin(), count_as_result("nan_count", nans, type, how, found.front()));
  found.insert(found.begin(), count_as_result("n", skips_nan_ ? n - nans : n, type, how, found.front()));
  return found;
}

}  // namespace onefold::cli
