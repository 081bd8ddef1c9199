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

/// The command line. Throws where it asks for what partials cannot have.
const arguments& required_list(const arguments& a) {
  const char* const other = !a.axes.empty() ? "--axis"
                            : a.keep        ? "--keep"
                            : a.by          ? "--by"
                            : a.skip_nan    ? "--skip-nan"
                                            : nullptr;
  const auto refuse = [&](std::string_view what) {
    throw failure(exit_code::wrong_usage,
                  fmt::format("{} cannot be combined with {}: a partial covers all elements of one "
                              "array with one operation",
                              partial_option(a), what));
  };
  if (other != nullptr) refuse(other);
  if (chosen_operations(a.operation).size() > 1) refuse("several operations");
  if (a.partial && a.begin)
    throw failure(exit_code::wrong_usage,
                  "--partial cannot be combined with --begin: the files begin where the partial ends");
  if (a.begin && !a.save_partial) throw failure(exit_code::wrong_usage, "--begin requires --save-partial");
  if (chosen_layout(a).columns.size() > 1) throw unusable("--column", "one column", *a.column);
  return a;
}

}  // namespace

bool concerns_partials(const arguments& given) { return given.partial || given.save_partial || given.begin; }

continued_reduction::continued_reduction(const arguments& given)
    : reductions(required_list(given)), save_to_(given.save_partial) {
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
  if (!save_to_ && !before_->has_result())
    throw failure(exit_code::bad_data,
                  fmt::format("{}: it begins at position {}, and {} needs the elements before them; join theirs first, "
                              "or save the partial (--save-partial)",
                              shown_name(before_name_), before_->begin(), description_of(*before_)));
  if (before_->operation() != r.operation) refuse(operation_name(r.operation));
  if (given.accuracy && before_->accuracy() != r.how.accuracy)
    refuse(fmt::format("accuracy {}", name_of(r.how.accuracy)));
  r.how.accuracy = before_->accuracy();
}

std::optional<dtype> continued_reduction::type_if_unsaid() const {
  return before_ ? std::optional(before_->element()) : std::nullopt;
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
    throw failure(exit_code::bad_data, fmt::format("{} holds {}, not of {}", shown_name(before_name_),
                                                   description_of(*before_), name_of(type)));
  return dynamic_accumulator(*before_, r.how, result_);
}

operation_results continued_reduction::tried(const one& r, dtype type) const {
  return {operation_name(r.operation), begun(r, type)};
}

std::vector<reduced> continued_reduction::run(const loaded_array& array, const reduced_input& from) const {
  if (!save_to_) return reductions::run(array, from);
  array.check_unchanged();  // the partial may be written over the one that was continued
  const dynamic_partial made = all().partial();
  save_partial(*save_to_, made);
  if (array.interrupted())
    throw failure(exit_code::interrupted,
                  fmt::format("interrupted: {} holds the partial of the elements [{}, {}); continue with --partial {} "
                              "and the elements from position {} on",
                              shown_name(*save_to_), made.begin(), made.end(), shown_name(*save_to_), made.end()));
  if (!has_result(made, takes_init())) return {};
  return reductions::run(array, from);
}

}  // namespace onefold::cli
