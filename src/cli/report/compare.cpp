#include "report/compare.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/source.hpp"
#include "json.hpp"
#include "measure/statistics.hpp"
#include "report/stored.hpp"

namespace onefold::cli {
namespace {

using nlohmann::ordered_json;

/// What is compared of a row.
struct measurements {
  measure::summary call;
  std::optional<measure::summary> device;
  bool noisy = false;       ///< the call
  ordered_json seed, bits;  ///< bits: null where the order is not the canonical one
};

/// A report's rows by their names, in their order.
struct table_of_rows {
  std::vector<std::string> names;
  std::map<std::string, measurements> rows;
};

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

/// The bits of a row's result, or the hash of those over axes; null where the order is not the canonical one.
ordered_json bits_in(const ordered_json& row) {
  const char* const name = has_shape(row) ? "bits_hash" : "bits";
  const ordered_json &bits = row.at(name), &same = row.at("same_bits");
  if (!bits.is_string() || !bits.get_ref<const std::string&>().starts_with("0x")) refuse(name, bits, "0x and digits");
  if (!same.is_null() && !same.is_boolean()) refuse("same_bits", same, "true, false or null");
  return same.is_null() ? nullptr : bits;
}

/// Null where the elements came from files.
const ordered_json& seed_in(const ordered_json& row) {
  const ordered_json& seed = row.at("seed");
  if (!seed.is_null() && !seed.is_number_integer()) refuse("seed", seed, "an integer or null");
  return seed;
}

measurements measurements_of(const ordered_json& row) {
  measurements f{time_in(row, ""), std::nullopt, false, seed_in(row), bits_in(row)};
  if (const auto noisy = row.find("noisy"); noisy != row.end()) {  // reports of earlier versions do not say
    if (!noisy->is_boolean()) refuse("noisy", *noisy, "true or false");
    f.noisy = noisy->get<bool>();
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
      for (const ordered_json& row : array_in(found, "rows")) {
        place = fmt::format("parts.{}.rows[{}]", part, i++);
        std::string row_is = row_name(part, row);
        if (!t.rows.emplace(row_is, measurements_of(row)).second)
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
bool is_longer(const measure::summary& a, const measure::summary& b, double tolerance) {
  const auto width = [](const measure::summary& s) { return s.upper_quartile - s.lower_quartile; };
  return a.lower_quartile - b.upper_quartile > std::max({tolerance * b.upper_quartile, width(a), width(b)}) &&
         a.minimum > b.minimum * (1 + tolerance);
}

void compare_times(const std::string& name, const measurements& before, const measurements& after, double tolerance,
                   comparison& c) {
  const auto compare = [&](const char* what, const measure::summary& a, const measure::summary& b, bool noisy) {
    const verdict is = noisy                        ? verdict::noisy
                       : is_longer(b, a, tolerance) ? verdict::slower
                       : is_longer(a, b, tolerance) ? verdict::faster
                                                    : verdict::alike;
    c.changes.push_back({name, what, a.median, b.median, is});
  };
  compare("a call", before.call, after.call, before.noisy || after.noisy);
  if (before.device && after.device) compare("on the device", *before.device, *after.device, false);
}

/// Both canonical, of the same elements, and not the same.
bool have_other_bits(const measurements& before, const measurements& after) {
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

/// The fastest quiet row at each length of the first reduction of chapter bandwidth, of the CPU and of each place of an
/// accelerator's data.
std::map<std::string, std::map<std::int64_t, rate>> rates_of(const ordered_json& report) {
  std::map<std::string, std::map<std::int64_t, rate>> all;
  const ordered_json& parts = report["parts"];
  if (!parts.contains("bandwidth")) return all;
  const ordered_json& rows = parts["bandwidth"]["rows"];
  for (const ordered_json& row : rows) {
    const std::optional<dtype> element = parse_dtype(row["dtype"].get<std::string>());
    if (!element || row["op"] != rows[0]["op"] || row["dtype"] != rows[0]["dtype"] || row.value("noisy", false))
      continue;
    const bool cpu = row["kernel"].is_null();
    const std::string what = cpu ? "Best CPU backend" : "GPU, " + row["location"].get<std::string>() + " data";
    const auto n = count_in(row, "n", 0, std::int64_t{1} << 53);
    const double gb_per_s = static_cast<double>(n) * size_of(*element) / row["seconds"].get<double>() / 1e9;
    rate& best = all[what][n];
    if (gb_per_s > best.gb_per_s) best = {cpu ? row["backend"].get<std::string>() : "", gb_per_s};
  }
  return all;
}

/// The rates at the longest array of which both reports have a quiet one.
std::vector<rate_change> rate_changes(const ordered_json& before, const ordered_json& after) {
  std::vector<rate_change> changes;
  const auto was = rates_of(before), is = rates_of(after);
  for (const auto& [what, lengths] : is)
    for (auto at = lengths.rbegin(); was.contains(what) && at != lengths.rend(); ++at)
      if (const auto then = was.at(what).find(at->first); then != was.at(what).end()) {
        changes.push_back({what, at->first, then->second, at->second});
        break;
      }
  return changes;
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
    const measurements& is = b.rows.at(name);
    compare_times(name, was->second, is, tolerance, c);
    if (have_other_bits(was->second, is)) c.other_bits.push_back(name);
  }
  std::ranges::copy_if(a.names, std::back_inserter(c.only_before),
                       [&](const std::string& name) { return !b.rows.contains(name); });
  compare_facts(facts_of(before_name, first), facts_of(after_name, second), c);
  c.rates = rate_changes(first, second);
  if (c.changes.empty())
    throw failure(exit_code::bad_data,
                  fmt::format("{} and {} have no row in common", shown_name(before_name), shown_name(after_name)));
  return c;
}

}  // namespace onefold::cli
