// JSON as it is written, whatever bytes a file's name has and whatever a number is, and as it is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "onefold/dynamic.hpp"

namespace onefold::cli {

/// The value without a line end, on one line. All characters beyond printable ASCII are escaped, so that no terminal
/// obeys one. Bytes that are not UTF-8 are replaced: JSON cannot carry them.
std::string json_value(const nlohmann::ordered_json& value);

/// The same, on one line or indented, and a line end.
std::string json_line(const nlohmann::ordered_json& value);
std::string json_text(const nlohmann::ordered_json& value);

/// The number so that it reads back to the same bits; inf and nan, for which JSON has no word, as strings.
nlohmann::ordered_json json_number(const scalar& s);
nlohmann::ordered_json json_number(double x);

/// The value that the text of a file is. Throws failure (bad data): what was expected there, and the byte that is
/// wrong.
nlohmann::ordered_json read_json(const std::string& file, const std::string& text, std::string_view expected);

/// The most elements of an array that a report is about.
inline constexpr std::int64_t most_reported_elements = std::int64_t{1} << 48;

/// The number row[key] between the limits. Throws nlohmann's exceptions: for another number too.
double number_in(const nlohmann::ordered_json& row, const char* key, double least, double most);
/// The same of an integer of at most 2^53, and of one that stands alone.
std::int64_t count_of(const char* name, const nlohmann::ordered_json& found, std::int64_t least, std::int64_t most);
std::int64_t count_in(const nlohmann::ordered_json& row, const char* key, std::int64_t least, std::int64_t most);

/// Throws nlohmann's exception: the value of that name is not what was expected.
[[noreturn]] void refuse(std::string_view name, const nlohmann::ordered_json& found, std::string_view expected);

/// The object or the array of that name: a walk over the items of another value would find none, or take it for an
/// item. Throws nlohmann's exceptions.
const nlohmann::ordered_json& object_in(const nlohmann::ordered_json& row, const char* key);
const nlohmann::ordered_json& array_in(const nlohmann::ordered_json& row, const char* key);

/// What is wrong with a value, without the number of the error.
std::string_view reason_of(const nlohmann::ordered_json::exception& e);

}  // namespace onefold::cli
