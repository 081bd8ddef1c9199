// Reading what record_json.cpp writes: of each row what a document shows, and nothing that no run can have measured.
#include "report/stored.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/source.hpp"
#include "json.hpp"
#include "onefold/dynamic.hpp"
#include "report/chapter.hpp"
#include "report/peers.hpp"

namespace onefold::cli {
namespace {

using nlohmann::ordered_json;

constexpr const char* whole_report = "report.json of onefold report";
constexpr const char* written_value = "what onefold report writes";

const std::string& text_in(const ordered_json& row, const char* key) {
  const ordered_json& found = row.at(key);
  if (!found.is_string()) refuse(key, found, "a text");
  return found.get_ref<const std::string&>();
}

bool flag_in(const ordered_json& row, const char* key) {
  const ordered_json& found = row.at(key);
  if (!found.is_boolean()) refuse(key, found, "true or false");
  return found.get<bool>();
}

/// The value that a name stands for; `parse` gives an optional.
template <class Parse>
auto named(const ordered_json& row, const char* key, Parse parse) {
  const auto found = parse(text_in(row, key));
  if (!found) refuse(key, row.at(key), "a name that this version knows");
  return *found;
}

/// The same of what need not be there.
template <class Read>
auto unless_null(const ordered_json& row, const char* key, Read read) -> std::optional<decltype(read(row, key))> {
  if (row.at(key).is_null()) return std::nullopt;
  return read(row, key);
}

/// Any number, as json_number writes it.
double any_number_in(const ordered_json& row, const char* key) {
  const ordered_json& found = row.at(key);
  constexpr double inf = std::numeric_limits<double>::infinity();
  if (found == "inf") return inf;
  if (found == "-inf") return -inf;
  if (found == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (!found.is_number()) refuse(key, found, "a number");
  return found.get<double>();
}

/// The numbers of a text, with `between` them.
template <class Number>
std::vector<Number> numbers_in(const ordered_json& row, const char* key, char between) {
  std::vector<Number> all;
  if (row.at(key).is_null()) return all;
  const std::string& text = text_in(row, key);
  for (const char *at = text.data(), *const end = at + text.size();; ++at) {
    Number x = 0;
    const auto [after, problem] = std::from_chars(at, end, x);
    if (problem != std::errc() || x < 0 || (after != end && *after != between)) refuse(key, row.at(key), "numbers");
    all.push_back(x);
    at = after;
    if (at == end) return all;
  }
}

std::optional<int> operation_of(const std::string& name) {
  const int place = find_operation(name);
  return place < 0 ? std::nullopt : std::optional(place);
}

std::optional<measure::location> location_of(const std::string& name) {
  const auto found = std::ranges::find(measure::location_names, name);
  if (found == std::end(measure::location_names)) return std::nullopt;
  return static_cast<measure::location>(found - std::begin(measure::location_names));
}

/// Chapters have sums over one axis of a matrix.
void read_shape(const ordered_json& row, setting& s) {
  if (!row.contains("shape")) return;  // as in rows of the first reports, which had arrays only
  s.shape = numbers_in<std::int64_t>(row, "shape", 'x');
  s.reduced = numbers_in<int>(row, "axes", ' ');
  if (s.shape.empty()) return;
  if (s.shape.size() != 2 || s.shape[0] == 0 || s.n % s.shape[0] != 0 || s.n / s.shape[0] != s.shape[1])
    refuse("shape", row["shape"], fmt::format("a matrix of {} elements", s.n));
  if (s.reduced.size() != 1 || s.reduced[0] > 1) refuse("axes", row["axes"], "0 or 1");
}

measurement measurement_of(const ordered_json& row) {
  measurement m{};
  setting& s = m.what;
  s.operation = named(row, "op", operation_of);
  s.element = named(row, "dtype", parse_dtype);
  s.data = text_in(row, "data");
  s.n = count_in(row, "n", 1, most_reported_elements);
  read_shape(row, s);
  s.mode = named(row, "accuracy", parse_accuracy);
  s.where = named(row, "location", location_of);
  s.backend = named(row, "backend", parse_backend);
  m.ran.backend = named(row, "ran", parse_backend);
  if (!row.at("kernel").is_null()) m.ran.kernel = s.kernel = named(row, "kernel", parse_kernel);
  m.seconds = time_in(row, "");
  m.seconds.waited = number_in(row, "waited", 0, 1);
  if (!row.at("device_seconds").is_null()) m.device = time_in(row, "device_");
  const auto number = [](const ordered_json& of, const char* key) { return number_in(of, key, 0, 1e15); };
  m.occupancy = unless_null(row, "occupancy", number);
  m.limit = unless_null(row, "limit_gb_per_s", number);
  if (m.limit) *m.limit *= 1e9;
  m.speedup = unless_null(row, "speedup", number);
  m.base_noisy = flag_in(row, "base_noisy");
  m.same_bits = unless_null(row, "same_bits", flag_in);
  return m;
}

std::optional<error_code> code_of(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(error_code::overflow); ++i)
    if (name == name_of(static_cast<error_code>(i))) return static_cast<error_code>(i);
  return std::nullopt;
}

left_out left_out_of(const ordered_json& reason) {
  // Reports of earlier versions do not say which kind it is.
  const error_code code = reason.contains("code") ? named(reason, "code", code_of) : error_code::unsupported;
  return {text_in(reason, "what"), text_in(reason, "why"), code};
}

finding finding_of(const ordered_json& found) {
  finding f{};
  f.mode = text_in(found, "mode");
  if (!found.at("backend").is_null()) {
    f.ran.emplace();
    f.ran->backend = named(found, "backend", parse_backend);
  }
  f.ulps = unless_null(found, "ulps", any_number_in);
  f.relative = any_number_in(found, "relative");
  f.bound = unless_null(found, "bound", any_number_in);
  f.seconds = number_in(found, "seconds", 0, 1e6);
  f.noisy = flag_in(found, "noisy");
  return f;
}

/// The exact result from its bits: the decimal text of a float is not the number.
scalar exact_in(const ordered_json& found, dtype type) {
  const std::string& text = text_in(found, "exact_bits");
  scalar exact{"exact", type, 0};
  const char* const end = text.data() + text.size();
  if (!text.starts_with("0x") || text.size() != 2 + 2 * static_cast<std::size_t>(size_of(type)) ||
      std::from_chars(text.data() + 2, end, exact.bits, 16).ptr != end)
    refuse("exact_bits", found["exact_bits"], fmt::format("the bits of {}", name_of(type)));
  return exact;
}

study study_of(const ordered_json& found) {
  study s{};
  s.what = {text_in(found, "data"), named(found, "dtype", parse_dtype),
            count_in(found, "n", 1, most_reported_elements)};
  s.exact = exact_in(found, s.what.type);
  s.condition = any_number_in(found, "condition");
  for (const ordered_json& f : array_in(found, "findings")) s.findings.push_back(finding_of(f));
  return s;
}

/// A report's members as a record; `place` follows what is read.
record read_record(const std::string& name, const ordered_json& report, std::string& place) {
  record r{};
  r.asked.set = text_in(report, "set");
  const std::vector<std::string_view> presets = preset_names();
  if (r.asked.set != "quick" && r.asked.set != "full" && std::ranges::find(presets, r.asked.set) == presets.end())
    refuse("set", report["set"], "a set that this version knows");
  r.asked.rounds = static_cast<int>(count_in(report, "rounds", 1, 1'000'000));
  r.asked.seconds = number_in(report, "seconds", 0, 1e6);
  r.date = text_in(report, "date");
  r.interrupted = flag_in(report, "interrupted");
  ordered_json facts = ordered_json::object();
  for (const char* group : {"machine", "build", "backends"}) facts[group] = object_in(report, group);
  for (const auto& [group, fact] : {std::pair("machine", "CPU"), std::pair("build", "onefold")}) {
    place = group;
    facts[group].at(fact);
  }
  r.facts = std::make_shared<const ordered_json>(std::move(facts));
  place = "parts";
  for (const auto& [chapter, found] : object_in(report, "parts").items()) {
    place = "parts." + chapter;
    part p{chapter, {}, {}};
    for (const ordered_json& row : array_in(found, "rows")) {
      place = fmt::format("parts.{}.rows[{}]", chapter, p.found.rows.size());
      p.found.rows.push_back(measurement_of(row));
    }
    place = fmt::format("parts.{}.left_out", chapter);
    for (const ordered_json& reason : array_in(found, "left_out")) p.found.without.push_back(left_out_of(reason));
    r.parts.push_back(std::move(p));
  }
  place = "studies";
  for (const ordered_json& found : array_in(report, "studies")) {
    place = fmt::format("studies[{}]", r.studies.size());
    r.studies.push_back(study_of(found));
  }
  if (report.contains("peers"))
    r.peers = std::make_shared<const ordered_json>(checked_peers(shown_name(name) + ": peers", report["peers"]));
  return r;
}

}  // namespace

ordered_json read_report(const std::string& name, const std::string& text) {
  ordered_json report = read_json(name, text, whole_report);
  if (!report.is_object() || !report.contains("onefold_report"))
    throw bad_data(shown_name(name), whole_report, "JSON of something else");
  const ordered_json& version = report["onefold_report"];
  if (version != report_version)
    throw bad_data(shown_name(name), fmt::format("version {} of report.json", report_version),
                   fmt::format("version {}{}", version.dump(),
                               version.is_number() && version > report_version ? ", which a later onefold wrote" : ""));
  return report;
}

record stored_record(const std::string& name, const ordered_json& report) {
  std::string place = "members";
  try {
    return read_record(name, report, place);
  } catch (const ordered_json::exception& e) {
    throw bad_data(fmt::format("{}: {}", shown_name(name), place), written_value, reason_of(e));
  }
}

measure::summary time_in(const ordered_json& row, const std::string& prefix) {
  constexpr double least = 1e-12, most = 1e6;  // seconds
  const auto of = [&](const char* name) { return number_in(row, (prefix + name).c_str(), least, most); };
  measure::summary t{};
  t.minimum = of("minimum");
  t.lower_quartile = of("lower_quartile");
  t.median = of("seconds");
  t.upper_quartile = of("upper_quartile");
  if (!(t.minimum <= t.lower_quartile && t.lower_quartile <= t.median && t.median <= t.upper_quartile))
    throw ordered_json::other_error::create(
        501, fmt::format("expected {0}minimum <= {0}lower_quartile <= {0}seconds <= {0}upper_quartile", prefix), &row);
  return t;
}

}  // namespace onefold::cli
