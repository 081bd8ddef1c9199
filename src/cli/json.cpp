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

std::string json_line(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
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
  try {
    return ordered_json::parse(text);
  } catch (const ordered_json::parse_error& e) {
    throw bad_data(shown_name(file), expected, fmt::format("no JSON at byte {}", e.byte));
  }
}

std::string_view reason_of(const ordered_json::exception& e) {
  const std::string_view what = e.what();
  return what.substr(what.find("] ") + 2);
}

}  // namespace onefold::cli
