// onefold reduce: choices, files, the reduction, its result.
#include <chrono>
#include <cstdlib>

#include <fmt/format.h>

#include "choices.hpp"
#include "commands.hpp"
#include "input/failure.hpp"
#include "input/load.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/error.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "reduced.hpp"

namespace onefold::cli {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

/// What the flags choose. A flag that says "automatic" is a choice too: it sets the environment's aside.
options chosen_options(const arguments& a) {
  options how;
  if (a.backend) {
    how.backend = chosen_backend(*a.backend);
    if (how.backend == backend::automatic) unsetenv("ONEFOLD_BACKEND");
  }
  if (a.isa) {
    how.isa = chosen_isa(*a.isa);
    if (how.isa == isa::automatic) unsetenv("ONEFOLD_ISA");
  }
  if (a.kernel) how.kernel = chosen_kernel(*a.kernel);
  if (a.device) how.device = chosen_device(*a.device);
  if (a.accuracy) how.accuracy = chosen_accuracy(*a.accuracy);
  if (a.threads) how.threads = chosen_threads(*a.threads);
  return how;
}

/// chosen_initial, but an error of the library's kind: the file whose type decides is not to blame, and readers add its
/// name to failures.
initial initial_of(const std::string& word, dtype type) try {
  return chosen_initial(word, type);
} catch (const failure& f) {
  throw error(error_code::invalid_argument, f.what());
}

/// Whether the operation's result is a position in the array.
bool counts_positions(int operation) {
  return operation == operation_index<op::argmin> || operation == operation_index<op::argmax>;
}

}  // namespace

void run_reduce(const arguments& given) {
  const int operation = chosen_operation(given.operation);
  options how = chosen_options(given);
  std::optional<dtype> result;
  if (given.result) result = chosen_result(*given.result);

  input_request request = chosen_input(given, how.threads);
  request.c_order = counts_positions(operation);
  // One element of zeros is reduced as asked for, so that what cannot be done is said before a long file is read.
  request.accept = [&](dtype type) {
    const std::uint64_t zero = 0;
    dynamic_result tried = reduce_dynamic(operation, type, &zero, 1, how, result);
    if (given.init) {
      how.init = initial_of(*given.init, tried.values.front().type);
      tried = reduce_dynamic(operation, type, &zero, 1, how, result);
    }
  };

  announce_terminal(given.files);
  tally counted;
  reduced r;
  {
    const progress shown(counted);
    const auto start = clock::now();
    const loaded_array array(request, counted);
    r.read_seconds = seconds_since(start);
    r.operation = operation_infos()[static_cast<std::size_t>(operation)].name;
    r.element = array.type();
    r.count = array.count();
    r.inputs = array.notes();
    if (request.layout.missing != missing_rule::error) r.missing = array.missing();

    counted.phase = "reducing";
    const auto reduction = clock::now();
    try {
      r.result = reduce_dynamic(operation, array.type(), array.bytes().data(), r.count, how, result);
    } catch (const error& e) {
      array.check_unchanged();  // a GPU's driver refuses what is not there any more by a message of its own
      if (e.code() != error_code::empty_input && e.code() != error_code::overflow) throw;
      if (r.count == 0 && array.missing() > 0)  // of which the library knows nothing
        throw failure(exit_code::bad_data,
                      fmt::format("{}: {} of no elements has no value: {}", shown_name(given.files.front()),
                                  r.operation, array.why_empty()));
      throw failure(exit_code::bad_data, shown_name(given.files.front()) + ": " + e.what());
    }
    r.seconds = seconds_since(reduction);
    array.check_unchanged();
  }
  write_output(given.format == output_format::json ? as_json(r, given.explain) : as_text(r, given.explain));
}

}  // namespace onefold::cli
