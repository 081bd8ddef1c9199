// Words that name operations, of reductions, of scans and of rows, or statistics, and files in their place.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "ascii.hpp"
#include "axis.hpp"
#include "choices.hpp"
#include "commands.hpp"
#include "input/shell.hpp"
#include "input/unpack.hpp"
#include "lab/reference.hpp"
#include "onefold/error.hpp"

namespace onefold::cli {
namespace {

/// Whether the word names a file that exists, or looks as if it should.
bool is_file_name(const std::string& word) {
  std::error_code none;
  return word.find_first_of("./") != std::string::npos || std::filesystem::is_regular_file(word, none);
}

/// The failure for a file's name where something else was expected, with the command line that it belongs to.
failure misplaced_file(const std::string& word, std::string_view expected, std::string_view what_to_do,
                       std::string_view command) {
  return {exit_code::wrong_usage, fmt::format("expected {}, found the file name {}; to {} the file: onefold {} {}",
                                              expected, in_quotes(word), what_to_do, command, shell_path(word))};
}

/// The verbs of scans, which name their operations too.
constexpr std::pair<std::string_view, std::string_view> scan_verbs[] = {
    {"cumsum", "sum"}, {"cumprod", "product"}, {"cummin", "min"}, {"cummax", "max"}};

/// The operation that a word names in a scan, by its verb too; -1 for none.
int find_scan_operation(const std::string& word) {
  std::string_view name = word;
  for (const auto& [verb, operation] : scan_verbs)
    if (detail::equals_ignoring_case(word, verb)) name = operation;
  return find_operation(name);
}

/// The place of the statistic that a word names; -1 for none.
int find_statistic(const std::string& word) {
  const std::vector<std::string_view> names = statistic_names();
  const auto found =
      std::ranges::find_if(names, [&](std::string_view name) { return detail::equals_ignoring_case(word, name); });
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

/// All that may stand after "onefold".
std::vector<std::string_view> first_words() {
  std::vector<std::string_view> names(std::begin(command_names), std::end(command_names));
  std::ranges::copy(scan_operation_names(), std::back_inserter(names));
  std::ranges::copy(row_operation_names(), std::back_inserter(names));
  std::ranges::copy(statistic_names(), std::back_inserter(names));
  return names;
}

/// Functions of the library that no command computes: most of them are of two arrays.
constexpr std::string_view functions_without_command[] = {
    "dot",         "distance",  "cosine_similarity", "weighted_mean", "covariance", "sample_covariance",
    "correlation", "comoments", "central_moments",   "integer_sum",   "top_k",      "bottom_k",
    "nth_smallest"};

/// The beginning of the command line that computes what has this name, or is a command.
std::string command_line_of(std::string_view name) {
  const std::string_view command = command_that_takes(std::string(name));
  return fmt::format("onefold {}{}{}", command, command.empty() ? "" : " ", name);
}

std::string only_in_cpp(std::string_view function) {
  return fmt::format("no command computes it; in C++ it is onefold::{}", function);
}

/// What to write for a name that has no place here, but is one of another command's or of the library's; else empty.
std::string written_elsewhere(const std::string& word) {
  for (const std::string_view name : first_words())
    if (detail::equals_ignoring_case(word, name) && !command_that_takes(word).empty())
      return fmt::format("did you mean {}?", command_line_of(name));
  if (detail::equals_ignoring_case(word.substr(0, 3), "nan")) {
    const std::string_view name = nearest_name(word.substr(3), first_words());
    if (!name.empty() && command_that_takes(std::string(name)) != "scan")
      return fmt::format("did you mean {} --skip-nan?", command_line_of(name));
  }
  for (const std::string_view name : functions_without_command)
    if (detail::equals_ignoring_case(word, name)) return only_in_cpp(name);
  return "";
}

/// unknown_name's failure; where another command probably computes what is meant, it says which.
failure unknown_or_elsewhere(std::string_view what, const std::string& word, std::span<const std::string_view> names) {
  std::string instead = written_elsewhere(word);
  if (instead.empty() && nearest_name(word, names).empty()) {
    if (const std::string_view other = nearest_name(word, first_words()); !other.empty())
      instead = fmt::format("did you mean {}?", command_line_of(other));
    else if (const std::string_view function = nearest_name(word, functions_without_command); !function.empty())
      instead = only_in_cpp(function);
  }
  if (instead.empty()) return unknown_name(what, word, names);
  return {exit_code::wrong_usage, fmt::format("unknown {} {}; {}", what, in_quotes(word), instead)};
}

int chosen_scan_operation(const std::string& word) {
  const int operation = find_scan_operation(word);
  if (operation >= 0) return operation;
  if (is_file_name(word)) throw misplaced_file(word, "an operation", "scan", "scan sum");
  throw unknown_or_elsewhere("operation", word, scan_operation_names());
}

int chosen_statistic(const std::string& word) {
  const int place = find_statistic(word);
  if (place < 0) throw unknown_or_elsewhere("statistic", word, statistic_names());
  return place;
}

/// The operations that a word lists, each once, as `chosen` reads them.
std::vector<int> different_operations(const std::string& word, int (*chosen)(const std::string&)) {
  std::vector<int> operations;
  for (const std::string& name : split_at_commas(word)) {
    const int operation = chosen(name);
    if (std::ranges::find(operations, operation) != operations.end())
      throw failure(exit_code::wrong_usage, fmt::format("{}: given twice, expected once", name));
    operations.push_back(operation);
  }
  return operations;
}

}  // namespace

failure unknown_command(std::string_view what, const std::string& word, std::string_view operation) {
  if (is_file_name(word))
    return misplaced_file(word, what == "command" ? "a command" : "an operation", "reduce", operation);
  return unknown_or_elsewhere(what, word, what == "command" ? first_words() : operation_names());
}

std::string_view command_that_takes(const std::string& word) {
  const std::vector<std::string> names = split_at_commas(word);
  if (std::ranges::all_of(names, [](const std::string& n) { return find_operation(n) >= 0; })) return "reduce";
  if (std::ranges::all_of(names, [](const std::string& n) { return find_scan_operation(n) >= 0; })) return "scan";
  if (std::ranges::all_of(names, [](const std::string& n) { return find_statistic(n) >= 0; })) return "statistic";
  const auto same = [&word](std::string_view name) { return detail::equals_ignoring_case(word, name); };
  return std::ranges::any_of(row_operation_names(), same) ? "rows" : "";
}

std::vector<std::string_view> operation_names() {
  std::vector<std::string_view> names;
  for (const operation_info& op : operation_infos()) names.push_back(op.name);
  return names;
}

std::vector<std::string_view> scan_operation_names() {
  std::vector<std::string_view> names = operation_names();
  for (const auto& [verb, operation] : scan_verbs) names.push_back(verb);
  return names;
}

std::vector<std::string_view> examined_operation_names() {
  const auto reductions = referenced_operations(), rows = row_operation_names();
  std::vector<std::string_view> names(reductions.begin(), reductions.end());
  names.insert(names.end(), rows.begin(), rows.end());
  return names;
}

int chosen_operation(const std::string& word) {
  const int operation = find_operation(word);
  if (operation < 0) throw unknown_command("operation", word);
  return operation;
}

row_operation chosen_row_operation(const std::string& word) try {
  return row_operation_named(word);
} catch (const error&) {
  if (is_file_name(word)) throw misplaced_file(word, "an operation", "take softmax of", "rows softmax");
  throw unknown_or_elsewhere("row operation", word, row_operation_names());
}

std::vector<int> chosen_operations(const std::string& word) { return different_operations(word, chosen_operation); }
std::vector<int> chosen_scan_operations(const std::string& word) {
  return different_operations(word, chosen_scan_operation);
}

std::vector<int> chosen_statistics(const std::string& word) {
  if (word.empty()) return usual_statistics();
  return different_operations(word, chosen_statistic);
}

bool replaces_statistics(const std::string& word) {
  return is_standard_input(word) || (command_that_takes(word) != "statistic" && is_file_name(word));
}

}  // namespace onefold::cli
