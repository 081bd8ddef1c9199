// onefold reduce, onefold summary, onefold quantile, onefold statistic, onefold histogram, onefold scan and onefold
// rows: choices, files, what is computed, the results.
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>

#include <fmt/format.h>

#include "choices.hpp"
#include "commands.hpp"
#include "continued.hpp"
#include "files.hpp"
#include "histograms.hpp"
#include "idle_threads.hpp"
#include "input/failure.hpp"
#include "input/load.hpp"
#include "input/unpack.hpp"
#include "interrupt.hpp"
#include "onefold/error.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "quantiles.hpp"
#include "quantity.hpp"
#include "reduced.hpp"
#include "reductions.hpp"
#include "result_table.hpp"
#include "rows.hpp"
#include "scans.hpp"
#include "statistics.hpp"
#include "summaries.hpp"

namespace onefold::cli {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

/// Checks the word of an option before the work: a file that can be written, and none of the inputs.
void require_output(const char* option, const std::string& path, const std::vector<std::string>& inputs) {
  std::error_code none;
  for (const std::string& input : inputs) {
    const std::string file = is_standard_input(input) ? "/dev/stdin" : split_member(input).path;
    if (std::filesystem::equivalent(path, file, none))
      throw failure(exit_code::wrong_usage,
                    fmt::format("{}: {} is an input; expected another file", option, shown_name(path)));
  }
  require_replaceable(path);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  require_folder(folder.empty() ? "." : folder);
}

/// What is wrong with the data, or with the data and the options together, as a failure that names the files. Rethrows
/// any other error.
[[noreturn]] void fail_computing(const error& e, const loaded_array& array, const arguments& given) {
  array.check_unchanged();  // a GPU's driver refuses what is not there any more by a message of its own
  const bool fits_no_options = e.code() == error_code::invalid_argument;
  if (!fits_no_options && e.code() != error_code::empty_input && e.code() != error_code::overflow) throw;
  throw failure(fits_no_options ? exit_code::wrong_usage : exit_code::bad_data,
                fmt::format("{}: {}", shown_names(given.files), e.what()));
}

/// The names of a table's columns, as the command line has them.
std::vector<std::string> labels_of(std::span<const table_column> columns) {
  std::vector<std::string> labels;
  labels.reserve(columns.size());
  for (const table_column& c : columns) labels.push_back(c.label());
  return labels;
}

/// Reads the files, computes what is wanted, and writes the results.
void run(computation& wanted, const arguments& given) {
  let_idle_threads_sleep();
  input_request request = chosen_input(given, wanted.threads());
  request.type_if_unsaid = wanted.type_if_unsaid();
  request.c_order = wanted.needs_c_order();
  reduced_input from;
  wanted.describe_lines(from);
  from.columns = labels_of(request.layout.columns);
  if (request.layout.key) from.by = request.layout.key->label();
  request.accept = [&](dtype type) {
    const std::vector<operation_results> accepted = wanted.accept(type);
    // JSON has the column and the operation by themselves.
    if (from.is_table() && (given.output || given.format != output_format::json))
      require_different_names(accepted, from);
  };
  request.accept_shape = [&](dtype type, std::span<const axis> axes) {
    try {
      wanted.accept_shape(type, axes);
    } catch (const error& e) {  // of the axes that the file has: its name belongs to it
      if (e.code() != error_code::invalid_argument) throw;
      throw failure(exit_code::wrong_usage, e.what());
    }
  };
  request.takes_pieces = [&](dtype type, std::span<const axis> axes, bool mapped) {
    return wanted.takes_pieces(type, axes, mapped);
  };
  double taking = 0;
  request.take = [&](const void* elements, std::int64_t n) {
    const auto start = clock::now();
    wanted.take(elements, n);
    taking += seconds_since(start);
  };
  if (given.output) {
    if (!given.output->ends_with(".npy")) throw unusable("--output", "a name that ends in .npy", *given.output);
    std::vector<std::string> inputs = given.files;
    for (const std::optional<std::string>& parameter : {given.weight, given.bias})
      if (parameter) inputs.push_back(*parameter);
    require_output("--output", *given.output, inputs);
  }
  if (given.save_partial) require_output("--save-partial", *given.save_partial, given.files);

  announce_terminal(given.files);
  progress_counter counted;
  std::vector<reduced> all;
  std::optional<const loaded_array> array;  // the keys are its own
  std::optional<interrupt> caught;
  if (given.save_partial) caught.emplace(ending_signals);
  {
    const progress shown(counted);
    const auto start = clock::now();
    array.emplace(request, counted);
    from.element = array->type();
    from.shape = wanted.shape_of(*array);
    from.read_seconds = seconds_since(start) - taking;
    from.files = array->notes();
    if (request.layout.missing != missing_rule::error || array->missing() > 0) from.missing = array->missing();
    if (from.by) from.keys = &array->keys();

    counted.phase = wanted.phase();
    try {
      all = wanted.run(*array, from);
      for (reduced& r : all) r.seconds += taking;
    } catch (const error& e) {
      fail_computing(e, *array, given);
    }
    array->check_unchanged();
    if (all.empty()) return;  // a partial was saved that has no result of its own
    if (given.output) {
      counted.phase = "writing";
      write_npy(*given.output, all, from);
    }
  }
  output_pieces out;
  if (given.format == output_format::json) {
    write_json(out, all, from, given.explain, given.output);
  } else {
    if (!given.output) write_text(out, all, from, isatty(STDOUT_FILENO) != 0);
    if (given.explain) out << explained(all, from);
  }
  out.finish();
  if (given.format != output_format::json && from.missing.value_or(0) > 0)
    write_note(fmt::format("{} (--missing {})", detail::quantity(*from.missing, "missing value"),
                           missing_rule_names[static_cast<std::size_t>(request.layout.nulls)]));
}

}  // namespace

void run_reduce(const arguments& given) {
  if (concerns_partials(given)) {
    continued_reduction wanted(given);
    return run(wanted, given);
  }
  reductions wanted(given);
  run(wanted, given);
}

void run_summary(const arguments& given) {
  summaries wanted(given);
  run(wanted, given);
}

void run_quantile(const arguments& given) {
  quantiles wanted(given);
  run(wanted, given);
}

void run_statistic(const arguments& given) {
  statistics wanted(given);
  run(wanted, given);
}

void run_histogram(const arguments& given) {
  histograms wanted(given);
  run(wanted, given);
}

void run_scan(const arguments& given) {
  scans wanted(given);
  run(wanted, given);
}

void run_rows(const arguments& given) {
  rows wanted(given);
  run(wanted, given);
}

}  // namespace onefold::cli
