// Reading words, and what is said of wrong ones.
#include "choices.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "ascii.hpp"
#include "axis.hpp"
#include "data/sets.hpp"
#include "input/number.hpp"
#include "input/shell.hpp"
#include "input/table.hpp"
#include "input/with_type.hpp"
#include "onefold/error.hpp"
#include "onefold/profile.hpp"
#include "resolve.hpp"

namespace onefold::cli {
namespace {

/// The library's choice of that name; its error says which option the word stood for.
template <class Choice>
Choice from_option(const char* option, const std::string& word, Choice (*named)(std::string_view)) {
  try {
    return named(word);
  } catch (const error& e) {
    throw failure(exit_code::wrong_usage, fmt::format("{}: {}", option, e.what()));
  }
}

/// An integer from `low` to `high`, or a failure.
int natural(std::string_view option, const std::string& word, int low, int high = std::numeric_limits<int>::max()) {
  int value = 0;
  const char* const last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, value);
  if (error != std::errc{} || end != last || value < low || value > high)
    throw unusable(option, fmt::format("an integer from {} to {}", low, high), word);
  return value;
}

/// The character that stands between fields.
char chosen_separator(const std::string& word) {
  for (const named_separator& s : named_separators)
    if (detail::equals_ignoring_case(word, s.name) || word == std::string_view(&s.separator, 1)) return s.separator;
  // What numbers, quotes and comments are written with separates nothing.
  if (word.size() == 1 && std::string_view("!$%&'()*/:<=>?@[\\]^`{|}~_").find(word[0]) != std::string_view::npos)
    return word[0];
  throw unusable("--separator", "tab, comma, semicolon, blank, or one character like |", word);
}

/// The columns that a word lists: places (from 1), or names. A name in double quotes may have commas and digits alone
/// in it, and doubled quotes; so may not what only begins with one.
std::vector<table_column> chosen_columns(std::string_view option, const std::string& word) {
  std::vector<table_column> columns;
  for (std::string_view rest = word;;) {
    table_column& column = columns.emplace_back();
    const std::size_t close = rest.starts_with('"') ? closing_quote(rest, 0) : std::string_view::npos;
    const bool quoted = close != std::string_view::npos && (close + 1 == rest.size() || rest[close + 1] == ',');
    const std::size_t end = quoted ? close + 1 : std::min(rest.find(','), rest.size());
    const std::string_view item = rest.substr(0, end);
    std::string room;
    if (quoted)
      column.name = table_field{item.substr(1, close - 1), true}.plain(room);
    else if (std::ranges::all_of(item, [](char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+'; }) &&
             !item.empty())
      column.place = static_cast<std::size_t>(natural(option, std::string(item), 1));
    else
      column.name = item;
    if (column.place == 0 && column.name.empty()) throw unusable(option, "a position (from 1) or a name", item);
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  std::vector<table_column> sorted = columns;
  std::ranges::sort(sorted, {}, [](const table_column& c) { return std::tie(c.place, c.name); });
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    throw same_column(option, *twice, *twice);
  return columns;
}

/// The command line without its files, for messages that suggest another one.
rerun_line rerun_of(const arguments& a) {
  std::string line = fmt::format("onefold {}", a.command);
  if (!a.operation.empty()) line += fmt::format(" {}", shell_word(a.operation));
  for (const std::string& word : a.options) line += fmt::format(" {}", shell_word(word));
  return {line, a.files.size() > 1};
}

}  // namespace

failure unknown_name(std::string_view what, std::string_view word, std::span<const std::string_view> names) {
  return {exit_code::wrong_usage, onefold::unknown_name(what, word, names).what()};
}

std::size_t chosen_name(std::string_view option, std::string_view what, std::string_view word,
                        std::span<const std::string_view> names) {
  const auto found =
      std::ranges::find_if(names, [&](std::string_view name) { return detail::equals_ignoring_case(word, name); });
  if (found == names.end())
    throw failure(exit_code::wrong_usage,
                  fmt::format("{}: {}", option, onefold::unknown_name(what, word, names).what()));
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<std::string_view> data_set_names() {
  std::vector<std::string_view> names;
  for (const data::set_info& set : data::sets()) names.push_back(set.name);
  return names;
}

int chosen_axis(const std::string& word) { return natural("--axis", word, -most_axes, most_axes - 1); }

std::vector<int> chosen_axes(const std::vector<std::string>& words) {
  std::vector<int> axes;
  for (const std::string& word : words)
    for (const std::string& axis : split_at_commas(word)) axes.push_back(chosen_axis(axis));
  return axes;
}

std::vector<std::int64_t> chosen_shape(const std::string& word) {
  std::vector<std::int64_t> shape;
  const std::string expected = fmt::format("1 to {} extents with x between them, such as 100x200", most_axes);
  for (std::string_view rest = word;;) {
    const std::size_t end = std::min(rest.find('x'), rest.size());
    const std::string extent(rest.substr(0, end));
    const bool starts_as_one = !extent.empty() && extent.find_first_not_of("0123456789^") == std::string::npos;
    if (!starts_as_one || shape.size() == most_axes) throw unusable("--shape", expected, word);
    shape.push_back(extent == "0" ? 0 : chosen_counts("--shape", extent, 2).front());
    if (end == rest.size()) return shape;
    rest.remove_prefix(end + 1);
  }
}

backend chosen_backend(const std::string& word) { return from_option("--backend", word, backend_named); }
backend chosen_base(const std::string& word) { return from_option("--base", word, backend_named); }
accuracy chosen_accuracy(const std::string& word) { return from_option("--accuracy", word, accuracy_named); }
kernel chosen_kernel(const std::string& word) { return from_option("--kernel", word, kernel_named); }
int chosen_device(const std::string& word) { return natural("--device", word, 0); }
device_set chosen_devices(const std::string& word) {
  device_set devices;
  for (const std::string& number : split_at_commas(word)) devices.insert(natural("--devices", number, 0));
  return devices;
}
isa chosen_isa(const std::string& word) { return from_option("--isa", word, isa_named); }
dtype chosen_dtype(const std::string& word) { return from_option("--dtype", word, dtype_named); }

options beyond_environment(options how, bool flag_for_backend, bool flag_for_isa) {
  const bool any_backend = flag_for_backend && how.backend == backend::automatic;
  const bool any_isa = flag_for_isa && how.isa == isa::automatic;
  if (!any_backend && !any_isa) return how;
  // Variables that do not count are not looked at: they may say anything.
  options rest = how;
  if (any_backend) rest.backend = backend::sequential;
  if (any_isa) rest.isa = isa::baseline;
  rest = with_environment(rest);
  if (any_backend) rest.backend = backend::automatic;
  if (any_isa) rest.isa = isa::automatic;
  return rest;
}

dtype chosen_result(const std::string& word) {
  const std::optional<dtype> type = parse_dtype(word);
  if (!type || !is_float(*type)) throw unusable("--result", "f32, f64, f16 or bf16", word);
  return *type;
}

input_format chosen_format(const std::string& word) {
  return static_cast<input_format>(chosen_name("--input", "kind of file", word, asked_format_names));
}

int chosen_threads(const std::string& word) { return natural("--threads", word, 1, detail::most_threads); }

std::int64_t chosen_position(std::string_view option, const std::string& word) {
  std::int64_t position = 0;
  if (parse_number(word, position) != parsed::number || position < 0)
    throw unusable(option, "an integer from 0 to 2^63 - 1", word);
  return position;
}

std::int64_t chosen_bins(const std::string& word) { return natural("--bins", word, 1); }

quantile_method chosen_quantile_method(const std::string& word) {
  return static_cast<quantile_method>(chosen_name("--method", "method", word, quantile_method_names));
}

double chosen_eps(const std::string& word) {
  double eps = 0;
  if (parse_number(word, eps) != parsed::number || !(eps >= 0 && std::isfinite(eps)))
    throw unusable("--eps", "a finite, non-negative number", word);
  return eps;
}

std::uint64_t chosen_seed(const std::string& word) {
  std::uint64_t seed = 0;
  if (parse_number(word, seed) != parsed::number) throw unusable("--seed", "an integer from 0 to 2^64 - 1", word);
  return seed;
}

int chosen_data_set(const std::string& word) {
  return static_cast<int>(chosen_name("--data", "data set", word, data_set_names()));
}

initial chosen_initial(const std::string& word, dtype type) {
  initial found;
  const auto read = [&]<class T>() {
    T value{};
    const parsed outcome = parse_number(word, value);
    if (outcome != parsed::number)
      throw unusable(
          "--init",
          type == dtype::boolean
              ? "a number"
              : fmt::format("{} in the range of {}", detail::is_float<T> ? "a number" : "an integer", name_of(type)),
          word);
    found = value;
  };
  with_type(type == dtype::boolean ? dtype::f64 : type, read);  // any number is false or true
  return found;
}

const char* reading_option_given(const arguments& a) {
  return a.input       ? "--input"
         : a.column    ? "--column"
         : a.separator ? "--separator"
         : a.header    ? "--header"
         : a.missing   ? "--missing"
         : a.integers  ? "--integers"
                       : nullptr;
}

bool takes_several_columns(std::string_view command) {
  constexpr std::string_view all[] = {"reduce", "summary", "quantile", "statistic"};
  return std::ranges::find(all, command) != std::end(all);
}

text_layout chosen_layout(const arguments& given) {
  text_layout layout;
  layout.header = given.header;
  if (given.missing)
    layout.nulls = layout.missing =
        static_cast<missing_rule>(chosen_name("--missing", "rule", *given.missing, missing_rule_names));
  if (given.integers)
    layout.integers = static_cast<integer_rule>(chosen_name("--integers", "rule", *given.integers, integer_rule_names));
  if (!given.column) {
    for (const auto& [option, word] : {std::pair{"--separator", &given.separator}, {"--by", &given.by}})
      if (*word) throw failure(exit_code::wrong_usage, fmt::format("{} requires --column", option));
    return layout;
  }
  layout.columns = chosen_columns("--column", *given.column);
  if (layout.columns.size() > 1 && !takes_several_columns(given.command))
    throw unusable("--column", "one column", *given.column);
  if (given.by) {
    const std::vector<table_column> keys = chosen_columns("--by", *given.by);
    if (keys.size() > 1) throw unusable("--by", "one column", *given.by);
    layout.key = keys.front();
  }
  if (given.separator) layout.separator = chosen_separator(*given.separator);
  return layout;
}

input_request chosen_input(const arguments& given, int threads) {
  input_request request;
  request.paths = given.files;
  if (given.dtype) request.type = chosen_dtype(*given.dtype);
  if (given.input) request.format = chosen_format(*given.input);
  request.layout = chosen_layout(given);
  const char* const option = text_option(request.layout);
  if (option != nullptr && (request.format == input_format::npy || request.format == input_format::raw))
    throw failure(exit_code::wrong_usage, fmt::format("{} applies to text, not to --input {}", option,
                                                      input_format_names[static_cast<std::size_t>(request.format)]));
  if (given.shape) request.shape = chosen_shape(*given.shape);
  if (!given.axes.empty() || given.keep) request.shape_option = given.axes.empty() ? "--keep" : "--axis";
  if (request.layout.wanted().size() > 1 && (request.shape_option != nullptr || given.shape))
    throw failure(exit_code::wrong_usage,
                  fmt::format("{} applies to one array, not to {}", given.shape ? "--shape" : request.shape_option,
                              request.layout.key ? "--by" : "several columns"));
  request.rerun = rerun_of(given);
  request.threads = threads != 0 ? threads : builtin_profile().processors;
  return request;
}

}  // namespace onefold::cli
