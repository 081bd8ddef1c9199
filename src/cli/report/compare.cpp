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
  bool noisy = false;
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

[[noreturn]] void refuse(const ordered_json& found, std::string_view name, const char* expected) {
  throw ordered_json::other_error::create(501, fmt::format("{} is {}, expected {}", name, found.dump(), expected),
                                          &found);
}

/// A walk over the items of another value would find none, or take it for an item.
const ordered_json& object_in(const ordered_json& report, const char* name) {
  const ordered_json& found = report.at(name);
  if (!found.is_object()) refuse(found, name, "an object");
  return found;
}

/// Whether a row is over axes; rows of earlier versions are not.
bool has_shape(const ordered_json& row) { return row.contains("shape") && !row["shape"].is_null(); }

/// The extents and the axes that are reduced; nothing for a list.
std::string shape_in(const ordered_json& row) {
  if (!has_shape(row)) return "";
  const ordered_json& axes = row.at("axes");
  return fmt::format(", shape {}{}", row["shape"].get<std::string>(),
                     axes.is_null() ? "" : ", axes " + axes.get<std::string>());
}

/// The number of threads is not in it: each backend's own rule.
std::string row_name(const std::string& part, const ordered_json& row) {
  std::string name = fmt::format("{}: {} {} of {}, n {}{}, {}, {}", part, row.at("op").get<std::string>(),
                                 row.at("dtype").get<std::string>(), row.at("data").get<std::string>(),
                                 count_in(row, "n", 0, std::int64_t{1} << 53), shape_in(row),
                                 row.at("accuracy").get<std::string>(), row.at("backend").get<std::string>());
  if (!row.at("kernel").is_null())
    name += fmt::format(" {}, {} data", row["kernel"].get<std::string>(), row.at("location").get<std::string>());
  return name;
}

/// Refuses what no run can have measured: a comparison with it would say that all is well.
timed time_in(const ordered_json& row, const std::string& prefix) {
  constexpr double least = 1e-12, most = 1e6;  // seconds
  const auto of = [&](const char* name) { return number_in(row, (prefix + name).c_str(), least, most); };
  const timed t{of("minimum"), of("lower_quartile"), of("seconds"), of("upper_quartile")};
  if (!(t.minimum <= t.lower && t.lower <= t.median && t.median <= t.upper))
    throw ordered_json::other_error::create(
        501, fmt::format("expected {0}minimum <= {0}lower_quartile <= {0}seconds <= {0}upper_quartile", prefix), &row);
  return t;
}

/// The bits of a row's result, or the hash of those over axes; null where the order is not the canonical one.
ordered_json bits_in(const ordered_json& row) {
  const char* const name = has_shape(row) ? "bits_hash" : "bits";
  const ordered_json &bits = row.at(name), &same = row.at("same_bits");
  if (!bits.is_string() || !bits.get_ref<const std::string&>().starts_with("0x")) refuse(bits, name, "0x and digits");
  if (!same.is_null() && !same.is_boolean()) refuse(same, "same_bits", "true, false or null");
  return same.is_null() ? nullptr : bits;
}

/// Null where the elements came from files.
const ordered_json& seed_in(const ordered_json& row) {
  const ordered_json& seed = row.at("seed");
  if (!seed.is_null() && !seed.is_number_integer()) refuse(seed, "seed", "an integer or null");
  return seed;
}

figures figures_of(const ordered_json& row) {
  figures f{time_in(row, ""), std::nullopt, seed_in(row), bits_in(row)};
  if (const auto noisy = row.find("noisy"); noisy != row.end()) {  // reports of earlier versions do not say
    if (!noisy->is_boolean()) refuse(*noisy, "noisy", "true or false");
    f.call.noisy = noisy->get<bool>();
  }
  if (!row.at("device_seconds").is_null()) f.device = time_in(row, "device_");
  return f;
}

/// Throws bad_data, naming the file and the place in it.
table_of_rows rows_of(const std::string& name, const ordered_json& report) {
  table_of_rows t;
  std::string place = "parts";
  try {
    for (const auto& [part, found] : object_in(report, "parts").items()) {
      std::size_t i = 0;
      place = "parts." + part;
      const ordered_json& rows = found.at("rows");
      if (!rows.is_array()) refuse(rows, "rows", "an array");
      for (const ordered_json& row : rows) {
        place = fmt::format("parts.{}.rows[{}]", part, i++);
        std::string row_is = row_name(part, row);
        if (!t.rows.emplace(row_is, figures_of(row)).second)
          throw ordered_json::other_error::create(501, "the same row as one before it: " + row_is, &row);
        t.names.push_back(std::move(row_is));
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
    const verdict is = a.noisy || b.noisy           ? verdict::noisy
                       : is_longer(b, a, tolerance) ? verdict::slower
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
      for (const auto& [fact, value] : object_in(report, group).items())
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
  constexpr const char* names[] = {"alike", "faster", "slower", "noisy"};
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
