// Pieces of tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace onefold::cli {

/// Seconds with a unit that suits them.
std::string time_text(double seconds);

/// Gigabytes a second, with three digits or all before the point.
std::string rate_text(double gb_per_s);

/// A number of elements: powers of two from 1024 on as such.
std::string count_text(std::int64_t n);

/// The text as a field of CSV (RFC 4180): escaped as one_line does, and in quotes where it needs them. An apostrophe in
/// front of what a spreadsheet would compute (=, +, -, @, but for numbers) makes it text.
std::string csv_field(const std::string& text);

/// The value as fmt writes it, or nothing.
template <class X>
std::string or_empty(const std::optional<X>& x) {
  return x ? fmt::format("{}", *x) : "";
}

}  // namespace onefold::cli
