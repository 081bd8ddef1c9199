// Words of the command line as the library's choices, with the nearest valid word for one that is unknown.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "input/failure.hpp"
#include "input/format.hpp"
#include "input/load.hpp"
#include "input/text.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/quantile.hpp"

namespace onefold::cli {

/// Each throws failure (wrong usage) for a word that means nothing here.
int chosen_operation(const std::string& word);
/// Several with commas between them, each once.
std::vector<int> chosen_operations(const std::string& word);
/// The same of scans, which are named by their verbs too: cumsum is sum.
std::vector<int> chosen_scan_operations(const std::string& word);
/// The statistics that a word lists, each once, by their places; the usual ones without a word.
std::vector<int> chosen_statistics(const std::string& word);
/// One of onefold rows.
row_operation chosen_row_operation(const std::string& word);
/// The axes of all words of --axis, each a number or a list of them.
std::vector<int> chosen_axes(const std::vector<std::string>& words);
/// The axis of a word of --axis that is to be one number.
int chosen_axis(const std::string& word);
/// What --shape says: extents with x between them, such as 100x200 or 2^20x32.
std::vector<std::int64_t> chosen_shape(const std::string& word);
backend chosen_backend(const std::string& word);
backend chosen_base(const std::string& word);
accuracy chosen_accuracy(const std::string& word);
isa chosen_isa(const std::string& word);
kernel chosen_kernel(const std::string& word);
int chosen_device(const std::string& word);
/// The devices of --devices: numbers with commas between them.
device_set chosen_devices(const std::string& word);
dtype chosen_dtype(const std::string& word);
dtype chosen_result(const std::string& word);
input_format chosen_format(const std::string& word);
int chosen_threads(const std::string& word);
/// A number of bins.
std::int64_t chosen_bins(const std::string& word);
quantile_method chosen_quantile_method(const std::string& word);
/// A position in an array.
std::int64_t chosen_position(std::string_view option, const std::string& word);
double chosen_eps(const std::string& word);
std::uint64_t chosen_seed(const std::string& word);
int chosen_data_set(const std::string& word);
/// The choices of flags: one that says "automatic" is a choice too, and sets the environment's aside.
options beyond_environment(options how, bool flag_for_backend, bool flag_for_isa);
/// A number of the type that the result has, as in a text of such numbers.
initial chosen_initial(const std::string& word, dtype type);
/// Whether a command computes results for each of several columns.
bool takes_several_columns(std::string_view command);
/// What --column, --header and --separator say: a place (digits) or a name of a column, and how to find it.
text_layout chosen_layout(const arguments& given);

/// The files of a command line and how they are to be read; with the threads that may parse.
input_request chosen_input(const arguments& given, int threads);

/// The name of an option that says how files are read, if the command line has one; else null.
const char* reading_option_given(const arguments& given);

/// The library's unknown_name as a failure (wrong usage).
failure unknown_name(std::string_view what, std::string_view word, std::span<const std::string_view> names);

/// The failure for a word where a command ("command") or an operation ("operation") should stand: where the word is a
/// file's name, the command line that adds up its numbers, or reduces them by `operation`.
failure unknown_command(std::string_view what, const std::string& word, std::string_view operation = "sum");

/// The command that takes the word as its operation, or as several with commas between them: reduce, scan, statistic or
/// rows; empty for other words.
std::string_view command_that_takes(const std::string& word);

/// The place of an option's word, in any case, among the names of what the option chooses. Throws failure (wrong
/// usage): the option, and unknown_name's sentence.
std::size_t chosen_name(std::string_view option, std::string_view what, std::string_view word,
                        std::span<const std::string_view> names);

/// The names of all operations.
std::vector<std::string_view> operation_names();

/// The same and the verbs of scans.
std::vector<std::string_view> scan_operation_names();

/// The names of the operations of onefold accuracy: reductions that there is a reference for, and row operations.
std::vector<std::string_view> examined_operation_names();

/// The names of the methods of quantiles, in their order.
inline constexpr std::string_view quantile_method_names[] = {"linear", "lower", "higher", "nearest"};

/// The names of statistics, in their order.
std::vector<std::string_view> statistic_names();

/// The statistics that describe how elements are distributed, by their places: what is computed without a name.
std::vector<int> usual_statistics();

/// Whether a word that stands where the names of statistics may stand is a file instead: standard input, or the name of
/// a file that names no statistics.
bool replaces_statistics(const std::string& word);

/// The names of all built-in data sets.
std::vector<std::string_view> data_set_names();

/// The choices with the numbers from `first` to before `end`: what the word all means for places and enumerations.
template <class Choice>
std::vector<Choice> numbered(int first, int end) {
  std::vector<Choice> all;
  all.reserve(static_cast<std::size_t>(end - first));
  for (int i = first; i < end; ++i) all.push_back(static_cast<Choice>(i));
  return all;
}

}  // namespace onefold::cli
