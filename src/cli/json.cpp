// Numbers, lines and files of JSON.
#include "json.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/source.hpp"
#include "input/with_type.hpp"

namespace onefold::cli {

using nlohmann::ordered_json;

std::string json_value(const ordered_json& value) {
  return value.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
}

std::string json_line(const ordered_json& value) { return json_value(value) + "\n"; }

std::string json_text(const ordered_json& value) {
  return value.dump(1, ' ', true, ordered_json::error_handler_t::replace) + "\n";
}

ordered_json json_number(const scalar& s) {
  const std::string text = s.text();
  if (s.type == dtype::boolean) return s.bits != 0;
  if (is_float(s.type)) {  // the shortest decimal text is what a double of it prints as
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return json_number(value);
  }
  if (text.starts_with('-')) return static_cast<std::int64_t>(std::stoll(text));
  return static_cast<std::uint64_t>(std::stoull(text));
}

ordered_json json_number(double x) {
  return std::isfinite(x) ? ordered_json(x) : ordered_json(fmt::format("{}", std::isnan(x) ? std::fabs(x) : x));
}

ordered_json read_json(const std::string& file, const std::string& text, std::string_view expected) {
  constexpr int most_levels = 100;  // copying and comparing values goes a call deeper for each
  const auto within = [&](int level, ordered_json::parse_event_t, const ordered_json&) {
    if (level > most_levels)
      throw bad_data(shown_name(file), expected, fmt::format("JSON of more than {} levels", most_levels));
    return true;
  };
  try {
    return ordered_json::parse(text, within);
  } catch (const ordered_json::parse_error& e) {
    throw bad_data(shown_name(file), expected, fmt::format("invalid JSON at byte {}", e.byte));
  } catch (const ordered_json::out_of_range& e) {
    throw bad_data(shown_name(file), expected, reason_of(e));
  }
}

void refuse(std::string_view name, const ordered_json& found, std::string_view expected) {
  throw ordered_json::other_error::create(501, fmt::format("{} is {}, expected {}", name, found.dump(), expected),
                                          &found);
}

const ordered_json& object_in(const ordered_json& row, const char* key) {
  const ordered_json& found = row.at(key);
  if (!found.is_object()) refuse(key, found, "an object");
  return found;
}

const ordered_json& array_in(const ordered_json& row, const char* key) {
  const ordered_json& found = row.at(key);
  if (!found.is_array()) refuse(key, found, "an array");
  return found;
}

namespace {

[[noreturn]] void refuse_beyond(const char* name, const ordered_json& x, const char* kind, double least, double most) {
  refuse(name, x, fmt::format("{} from {:g} to {:g}", kind, least, most));
}

}  // namespace

double number_in(const ordered_json& row, const char* key, double least, double most) {
  const ordered_json& found = row.at(key);
  if (!found.is_number()) refuse(key, found, "a number");
  const auto x = found.get<double>();
  if (!(x >= least && x <= most)) refuse_beyond(key, found, "a number", least, most);
  return x;
}

std::int64_t count_of(const char* name, const ordered_json& found, std::int64_t least, std::int64_t most) {
  if (!found.is_number()) refuse(name, found, "an integer");
  const auto x = found.get<double>(), from = static_cast<double>(least), to = static_cast<double>(most);
  if (!(x >= from && x <= to && x == std::floor(x))) refuse_beyond(name, found, "an integer", from, to);
  return static_cast<std::int64_t>(x);
}

std::int64_t count_in(const ordered_json& row, const char* key, std::int64_t least, std::int64_t most) {
  return count_of(key, row.at(key), least, most);
}

std::string_view reason_of(const ordered_json::exception& e) {
  const std::string_view what = e.what();
  return what.substr(what.find("] ") + 2);
}

}  // namespace onefold::cli
