// Reading lists and ranges.
#include "axis.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/number.hpp"

namespace onefold::cli {
namespace {

/// More numbers than this on one axis are a slip of the keyboard.
constexpr std::size_t most_numbers = 1000;

/// A number, or base^exponent: a part of the item of a list.
double number(std::string_view option, const std::string& word, const std::string& item) {
  double value = 0, exponent = 1;
  const std::size_t hat = word.find('^');
  const parsed base = parse_number(word.substr(0, hat), value);
  const parsed power = hat == std::string::npos ? parsed::number : parse_number(word.substr(hat + 1), exponent);
  if (base == parsed::not_a_number || power == parsed::not_a_number)
    throw unusable(option, "numbers like 1000, 1e6 or 2^20, in a list a,b or a range a..b", item);
  if (hat != std::string::npos) value = std::pow(value, exponent);
  if (base == parsed::out_of_range || power == parsed::out_of_range || !std::isfinite(value))
    throw unusable(option, "numbers below 2^1024", item);
  return value;
}

void append(std::string_view option, const std::string& item, double low, double factor, std::vector<double>& out) {
  const std::size_t dots = item.find("..");
  if (dots == std::string::npos) {
    out.push_back(number(option, item, item));
  } else {
    const std::string rest = item.substr(dots + 2);
    const std::size_t colon = rest.find(':');
    if (colon != std::string::npos) factor = number(option, rest.substr(colon + 1), item);
    const double first = number(option, item.substr(0, dots), item);
    const double last = number(option, rest.substr(0, colon), item);
    if (!(factor > 1 && first > 0 && first <= last))
      throw unusable(option, "a range from a number to a larger one, with a factor above 1", item);
    // The last step may be a rounding error too far.
    for (double x = first; x <= last * (1 + 1e-9) && out.size() <= most_numbers; x *= factor) out.push_back(x);
  }
  for (const double x : out)
    if (!(x >= low)) throw unusable(option, fmt::format("numbers of at least {}", low), item);
  if (out.size() > most_numbers) throw unusable(option, fmt::format("at most {} numbers", most_numbers), item);
}

}  // namespace

std::vector<std::string> split_at_commas(const std::string& word) {
  std::vector<std::string> parts(1);
  for (const char c : word)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

double chosen_number(std::string_view option, const std::string& word, double low, double high) {
  double x = 0;
  if (parse_number(word, x) != parsed::number || !(x >= low && x <= high))
    throw unusable(option, fmt::format("a number from {} to {}", low, high), word);
  return x;
}

std::vector<double> chosen_numbers(std::string_view option, const std::string& word, double low, double factor) {
  std::vector<double> out;
  for (const std::string& item : split_at_commas(word)) append(option, item, low, factor, out);
  return out;
}

std::vector<std::int64_t> chosen_counts(std::string_view option, const std::string& word, double factor) {
  std::vector<std::int64_t> out;
  for (const std::string& item : split_at_commas(word))
    for (const double x : chosen_numbers(option, item, -std::numeric_limits<double>::max(), factor)) {
      const bool range = item.find("..") != std::string::npos;
      if (x < 1) throw unusable(option, "integers of at least 1", item);
      if (x > 0x1p53 || (!range && x != std::floor(x))) throw unusable(option, "integers of at most 2^53", item);
      out.push_back(std::llround(x));
    }
  if (out.size() > most_numbers) throw unusable(option, fmt::format("at most {} numbers", most_numbers), word);
  return out;
}

}  // namespace onefold::cli
