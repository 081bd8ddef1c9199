#include "cells.hpp"

#include <bit>
#include <charconv>
#include <string_view>

#include "one_line.hpp"

namespace onefold::cli {
namespace {

/// Whether a spreadsheet would compute the text of a cell.
bool is_formula(std::string_view text) {
  if (text.empty() || std::string_view("=+-@").find(text[0]) == std::string_view::npos) return false;
  double number = 0;
  const char* const end = text.data() + text.size();
  return std::from_chars(text.data(), end, number).ptr != end;
}

}  // namespace

std::string time_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.1f} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.2f} ms", seconds * 1e3) : fmt::format("{:.2f} s", seconds);
}

std::string rate_text(double gb_per_s) {
  return gb_per_s < 100 ? fmt::format("{:.3g}", gb_per_s) : fmt::format("{:.0f}", gb_per_s);
}

std::string count_text(std::int64_t n) {
  const auto bits = static_cast<std::uint64_t>(n);
  return n >= 1024 && std::has_single_bit(bits) ? fmt::format("2^{}", std::bit_width(bits) - 1) : fmt::format("{}", n);
}

std::string csv_field(const std::string& foreign) {
  std::string text = detail::one_line(foreign);
  if (is_formula(foreign)) text.insert(text.begin(), '\'');
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

}  // namespace onefold::cli
