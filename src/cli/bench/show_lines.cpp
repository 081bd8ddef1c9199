// The benchmark for programs: JSON lines and CSV.
#include "bench/columns.hpp"
#include "bench/show.hpp"
#include "cells.hpp"
#include "json.hpp"

namespace onefold::cli {

using nlohmann::ordered_json;

std::string as_json_lines(const findings& found, const axes& a) {
  std::string text;
  for (const measurement& m : found.rows) {
    ordered_json row;
    for (auto& [name, value] : fields_of(m, a)) row[name] = std::move(value);
    text += json_line(row);
  }
  for (const left_out& l : found.without) text += json_line({{"left_out", l.what}, {"why", l.why}});
  return text;
}

std::string as_csv(const findings& found, const axes& a) {
  std::string names, lines, empty;
  for (const measurement& m : found.rows) {
    names.clear();
    empty.clear();
    for (const auto& [name, value] : fields_of(m, a)) {
      names += std::string(name) + ",";
      empty += ",";
      lines += (value.is_null() ? "" : csv_field(value.is_string() ? value.get<std::string>() : value.dump())) + ",";
    }
    lines += ",\n";
  }
  for (const left_out& l : found.without) lines += empty + csv_field(l.what) + "," + csv_field(l.why) + "\n";
  return names + "left_out,why\n" + lines;
}

}  // namespace onefold::cli
