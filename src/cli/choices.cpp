// Reading words, and what is said of wrong ones.
#include "choices.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "data/sets.hpp"
#include "input/number.hpp"
#include "input/with_type.hpp"
#include "onefold/profile.hpp"
#include "wishes.hpp"
#include "words.hpp"

namespace onefold::cli {
namespace {

/// The parser's choice, or a failure with the nearest of the names.
template <class Choice>
Choice known(std::optional<Choice> choice, std::string_view option, const std::string& word,
             std::span<const std::string_view> names) {
  if (!choice) throw unknown_name(option, word, names);
  return *choice;
}

/// An integer from `low` to `high`, or a failure.
int natural(std::string_view option, const std::string& word, int low, int high = std::numeric_limits<int>::max()) {
  int value = 0;
  const char* const last = word.data() + word.size();
  const auto [behind, error] = std::from_chars(word.data(), last, value);
  if (error != std::errc{} || behind != last || value < low || value > high)
    throw unusable(option, fmt::format("an integer from {} to {}", low, high), word);
  return value;
}

/// The character that stands between fields.
char chosen_separator(const std::string& word) {
  for (const named_separator& s : named_separators)
    if (detail::same_word(word, s.name) || word == std::string_view(&s.separator, 1)) return s.separator;
  // What numbers, quotes and comments are written with separates nothing.
  if (word.size() == 1 && std::string_view("!$%&'()*/:<=>?@[\\]^`{|}~_").find(word[0]) != std::string_view::npos)
    return word[0];
  throw unusable("--separator", "tab, comma, semicolon, blank, or one character like |", word);
}

}  // namespace

failure unknown_name(std::string_view what, std::string_view word, std::span<const std::string_view> names) {
  return {exit_code::wrong_usage,
          fmt::format("{}: {} is unknown; the nearest is {}", what, in_quotes(word), nearest_name(word, names))};
}

std::size_t chosen_name(std::string_view what, std::string_view word, std::span<const std::string_view> names) {
  const auto found = std::ranges::find_if(names, [&](std::string_view name) { return detail::same_word(word, name); });
  if (found == names.end()) throw unknown_name(what, word, names);
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<std::string_view> operation_names() {
  std::vector<std::string_view> names;
  for (const operation_info& op : operation_infos()) names.push_back(op.name);
  return names;
}

std::vector<std::string_view> data_set_names() {
  std::vector<std::string_view> names;
  for (const data::set_info& set : data::sets()) names.push_back(set.name);
  return names;
}

int chosen_operation(const std::string& word) {
  const int operation = find_operation(word);
  if (operation < 0) throw unknown_name("operation", word, operation_names());
  return operation;
}

backend chosen_backend(const std::string& word) {
  return known(parse_backend(word), "--backend", word, backend_names());
}
accuracy chosen_accuracy(const std::string& word) {
  return known(parse_accuracy(word), "--accuracy", word, accuracy_names());
}
kernel chosen_kernel(const std::string& word) { return known(parse_kernel(word), "--kernel", word, kernel_names()); }
int chosen_device(const std::string& word) { return natural("--device", word, 0); }
isa chosen_isa(const std::string& word) { return known(parse_isa(word), "--isa", word, isa_names()); }
dtype chosen_dtype(const std::string& word) { return known(parse_dtype(word), "--dtype", word, dtype_names()); }

dtype chosen_result(const std::string& word) {
  const std::optional<dtype> type = parse_dtype(word);
  if (!type || !is_float(*type)) throw unusable("--result", "f32, f64, f16 or bf16", word);
  return *type;
}

input_format chosen_format(const std::string& word) {
  return static_cast<input_format>(chosen_name("--input", word, input_format_names));
}

int chosen_threads(const std::string& word) { return natural("--threads", word, 1, detail::most_threads); }

std::uint64_t chosen_seed(const std::string& word) {
  std::uint64_t seed = 0;
  if (parse_number(word, seed) != parsed::number) throw unusable("--seed", "an integer from 0 to 2^64 - 1", word);
  return seed;
}

int chosen_data_set(const std::string& word) { return static_cast<int>(chosen_name("--data", word, data_set_names())); }

initial chosen_initial(const std::string& word, dtype type) {
  initial found;
  const auto read = [&]<class T>() {
    T value{};
    const parsed outcome = parse_number(word, value);
    if (outcome != parsed::number)
      throw unusable(
          "--init",
          fmt::format("{} in the range of {}", detail::is_float<T> ? "a number" : "an integer", name_of(type)), word);
    found = value;
  };
  with_type(type == dtype::boolean ? dtype::u8 : type, read);
  return found;
}

text_layout chosen_layout(const arguments& given) {
  text_layout layout;
  layout.header = given.header;
  if (!given.column) {
    if (given.header || given.separator)
      throw failure(exit_code::wrong_usage,
                    fmt::format("{} goes with --column", given.header ? "--header" : "--separator"));
    return layout;
  }
  const std::string& column = *given.column;
  if (column.empty()) throw unusable("--column", "a place (from 1) or a name", column);
  if (std::ranges::all_of(column, [](char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+'; }))
    layout.column = static_cast<std::size_t>(natural("--column", column, 1));
  else
    layout.column_name = column;
  if (given.separator) layout.separator = chosen_separator(*given.separator);
  return layout;
}

input_request chosen_input(const arguments& given, int threads) {
  input_request request;
  request.paths = given.files;
  if (given.dtype) request.type = chosen_dtype(*given.dtype);
  if (given.input) request.format = chosen_format(*given.input);
  request.layout = chosen_layout(given);
  if (request.layout.table() && (request.format == input_format::npy || request.format == input_format::raw))
    throw failure(exit_code::wrong_usage, "--column goes with --input text");
  request.threads = threads != 0 ? threads : builtin_profile().processors;
  return request;
}

}  // namespace onefold::cli
