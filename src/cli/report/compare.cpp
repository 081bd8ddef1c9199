#include "report/compare.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/source.hpp"
#include "json.hpp"

namespace onefold::cli {
namespace {

using nlohmann::ordered_json;

struct timed {
  double minimum, lower, median, upper;
  double width() const { return upper - lower; }
};

/// What is compared of a row.
struct figures {
  timed call;
  std::optional<timed> device;
  ordered_json seed, bits;  ///< bits: null where the order is not the canonical one
};

/// A report's rows by their names, in their order.
struct table_of_rows {
  std::vector<std::string> names;
  std::map<std::string, figures> rows;
};

ordered_json read_report(const std::string& name, const std::string& text) {
  constexpr const char* expected = "report.json of onefold report";
  ordered_json report = read_json(name, text, expected);
  if (!report.is_object() || !report.contains("onefold_report"))
    throw bad_data(shown_name(name), expected, "JSON of something else");
  if (report["onefold_report"] != 1)
    throw bad_data(shown_name(name), "version 1 of report.json", "version " + report["onefold_report"].dump());
  return report;
}

/// The number of threads is not in it: each backend's own rule.
std::string row_name(const std::string& part, const ordered_json& row) {
  std::string name = fmt::format("{}: {} {} of {}, n {}, {}, {}", part, row.at("op").get<std::string>(),
                                 row.at("dtype").get<std::string>(), row.at("data").get<std::string>(),
                                 count_in(row, "n", 0, std::int64_t{1} << 53), row.at("accuracy").get<std::string>(),
                                 row.at("backend").get<std::string>());
  if (!row.at("kernel").is_null())
    name += fmt::format(" {}, {} data", row["kernel"].get<std::string>(), row.at("location").get<std::string>());
  return name;
}

timed time_in(const ordered_json& row, const std::string& prefix) {
  const auto of = [&](const char* name) { return row.at(prefix + name).get<double>(); };
  return {of("minimum"), of("lower_quartile"), of("seconds"), of("upper_quartile")};
}

figures figures_of(const ordered_json& row) {
  figures f{time_in(row, ""), std::nullopt, row.at("seed"), row.at("same_bits").is_null() ? nullptr : row.at("bits")};
  if (!row.at("device_seconds").is_null()) f.device = time_in(row, "device_");
  return f;
}

/// Throws bad_data, naming the file and the place in it.
table_of_rows rows_of(const std::string& name, const ordered_json& report) {
  table_of_rows t;
  std::string place = "parts";
  try {
    for (const auto& [part, found] : report.at("parts").items()) {
      std::size_t i = 0;
      place = "parts." + part;
      for (const ordered_json& row : found.at("rows")) {
        place = fmt::format("parts.{}.rows[{}]", part, i++);
        std::string row_is = row_name(part, row);
        if (t.rows.emplace(row_is, figures_of(row)).second) t.names.push_back(std::move(row_is));
      }
    }
  } catch (const ordered_json::exception& e) {
    throw bad_data(fmt::format("{}: {}", shown_name(name), place), "what onefold report writes", reason_of(e));
  }
  return t;
}

/// Where samples differ a lot, two samples of the same differ too: the gap has to be wider than either middle half.
bool is_longer(const timed& a, const timed& b, double tolerance) {
  return a.lower - b.upper > std::max({tolerance * b.upper, a.width(), b.width()}) &&
         a.minimum > b.minimum * (1 + tolerance);
}

void compare_times(const std::string& name, const figures& before, const figures& after, double tolerance,
                   comparison& c) {
  const auto compare = [&](const char* what, const timed& a, const timed& b) {
    const verdict is = is_longer(b, a, tolerance)   ? verdict::slower
                       : is_longer(a, b, tolerance) ? verdict::faster
                                                    : verdict::alike;
    c.changes.push_back({name, what, a.median, b.median, is});
  };
  compare("a call", before.call, after.call);
  if (before.device && after.device) compare("on the device", *before.device, *after.device);
}

/// Both canonical, of the same elements, and not the same.
bool have_other_bits(const figures& before, const figures& after) {
  return !before.bits.is_null() && !after.bits.is_null() && before.seed == after.seed && before.bits != after.bits;
}

/// What a report says of machine, build and backends, but for what was of the moment. Throws bad_data.
ordered_json facts_of(const std::string& name, const ordered_json& report) {
  ordered_json all = ordered_json::object();
  try {
    for (const char* group : {"machine", "build", "backends"})
      for (const auto& [fact, value] : report.at(group).items())
        if (fact != "load when it began") all[fact] = value;
  } catch (const ordered_json::exception& e) {
    throw bad_data(shown_name(name), "what onefold report writes", reason_of(e));
  }
  return all;
}

void compare_facts(const ordered_json& before, const ordered_json& after, comparison& c) {
  const auto compare = [&](const std::string& name) {
    const ordered_json was = before.value(name, ordered_json()), is = after.value(name, ordered_json());
    if (was != is) c.other_facts.push_back(fmt::format("{}: {} -> {}", name, was.dump(), is.dump()));
  };
  for (const auto& [name, value] : after.items()) compare(name);
  for (const auto& [name, value] : before.items())
    if (!after.contains(name)) compare(name);
}

}  // namespace

const char* name_of(verdict v) {
  constexpr const char* names[] = {"alike", "faster", "slower"};
  return names[static_cast<int>(v)];
}

comparison compared(const std::string& before_name, const std::string& before, const std::string& after_name,
                    const std::string& after, double tolerance) {
  const ordered_json first = read_report(before_name, before), second = read_report(after_name, after);
  const table_of_rows a = rows_of(before_name, first), b = rows_of(after_name, second);
  comparison c;
  for (const std::string& name : b.names) {
    const auto was = a.rows.find(name);
    if (was == a.rows.end()) {
      c.only_after.push_back(name);
      continue;
    }
    const figures& is = b.rows.at(name);
    compare_times(name, was->second, is, tolerance, c);
    if (have_other_bits(was->second, is)) c.other_bits.push_back(name);
  }
  std::ranges::copy_if(a.names, std::back_inserter(c.only_before),
                       [&](const std::string& name) { return !b.rows.contains(name); });
  compare_facts(facts_of(before_name, first), facts_of(after_name, second), c);
  if (c.changes.empty())
    throw failure(exit_code::bad_data,
                  fmt::format("{} and {} have no row in common", shown_name(before_name), shown_name(after_name)));
  return c;
}

}  // namespace onefold::cli
