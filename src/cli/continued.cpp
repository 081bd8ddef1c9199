#include "continued.hpp"

#include <fmt/format.h>

#include "choices.hpp"
#include "input/failure.hpp"
#include "input/source.hpp"
#include "onefold/error.hpp"
#include "partial_files.hpp"

namespace onefold::cli {
namespace {

/// The option that brought partials in.
const char* partial_option(const arguments& a) {
  return a.partial ? "--partial" : a.save_partial ? "--save-partial" : "--begin";
}

/// The only operation. Throws where the command line asks for what partials cannot have.
int only_operation(const arguments& a) {
  const char* const other = !a.axes.empty() ? "--axis"
                            : a.keep        ? "--keep"
                            : a.by          ? "--by"
                            : a.skip_nan    ? "--skip-nan"
                                            : nullptr;
  const auto refuse = [&](std::string_view what) {
    throw failure(exit_code::wrong_usage, fmt::format("{} does not go with {}: a partial is of all elements of one "
                                                      "array by one operation",
                                                      partial_option(a), what));
  };
  if (other != nullptr) refuse(other);
  const std::vector<int> operations = chosen_operations(a.operation);
  if (operations.size() > 1) refuse("several operations");
  if (a.partial && a.begin)
    throw failure(exit_code::wrong_usage, "--partial does not go with --begin: the files begin where the partial ends");
  if (a.begin && !a.save_partial) throw failure(exit_code::wrong_usage, "--begin requires --save-partial");
  return operations.front();
}

}  // namespace

bool concerns_partials(const arguments& given) { return given.partial || given.save_partial || given.begin; }

continued_reduction::continued_reduction(const arguments& given)
    : computation(given, std::vector<int>{only_operation(given)}, false), save_to_(given.save_partial) {
  if (chosen_layout(given).columns.size() > 1) throw unusable("--column", "one column", *given.column);
  if (save_to_) require_partial_file(*save_to_);
  if (given.begin) begin_ = chosen_position("--begin", *given.begin);
  if (!given.partial) return;
  before_name_ = *given.partial;
  before_ = load_partial(before_name_);
  one& r = list_.front();
  const auto refuse = [&](const std::string& wanted) {
    throw failure(exit_code::bad_data,
                  fmt::format("{}: it holds {}, not {}", shown_name(before_name_), description_of(*before_), wanted));
  };
  if (before_->operation() != r.operation) refuse(operation_name(r.operation));
  if (given.accuracy && before_->accuracy() != r.how.accuracy)
    refuse(fmt::format("accuracy {}", name_of(r.how.accuracy)));
  r.how.accuracy = before_->accuracy();
}

bool continued_reduction::needs_c_order() const {
  return operation_infos()[static_cast<std::size_t>(list_.front().operation)].gives_index;
}

void continued_reduction::accept_shape(dtype, std::span<const axis> axes) const {
  const std::vector<axis> few = joined(axes);
  if (needs_c_order() && !(few.empty() || (few.size() == 1 && few.front().stride == 1)))
    throw error(error_code::invalid_argument,
                "partials of positions need the elements in C order; the array is in Fortran order");
}

dynamic_accumulator continued_reduction::begun(const one& r, dtype type) const {
  if (!before_) return {r.operation, type, r.how, begin_, result_};
  if (before_->element() != type)
    throw error(error_code::invalid_argument, fmt::format("{} holds {}, not of {}", shown_name(before_name_),
                                                          description_of(*before_), name_of(type)));
  return dynamic_accumulator(*before_, r.how, result_);
}

operation_results continued_reduction::tried(const one& r, dtype type) const {
  return {operation_name(r.operation), begun(r, type)};
}

std::vector<reduced> continued_reduction::run(const loaded_array& array, const reduced_input&) const {
  const one& r = list_.front();
  dynamic_accumulator all = begun(r, array.type());
  const auto start = std::chrono::steady_clock::now();
  all.push(array.bytes().data(), array.count());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const dynamic_partial made = all.partial();
  std::vector<reduced> results;
  if (made.has_result()) {
    results.push_back(
        results_of(operation_name(r.operation), all, {}, 1, [&](void* result) { all.write_result(result); }));
    results.back().seconds += seconds;
    results.back().count = all.count();
  } else if (!save_to_) {  // throws, and says what is missing
    static_cast<void>(all.result());
  }
  if (save_to_) save_partial(*save_to_, made);
  return results;
}

}  // namespace onefold::cli
