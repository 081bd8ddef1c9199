// One function visits the fields of a profile, in units that people read; writing and reading are its two visitors.
#include "planner/profile_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

#include "backends.hpp"
#include "cpu.hpp"

namespace onefold {
namespace {

using nlohmann::ordered_json;

constexpr int format_version = 3;
constexpr const char* version_key = "onefold_profile";

constexpr double giga = 1e9, micro = 1e-6;

bool has_threads(const detail::backend_facts& b) {
  return std::ranges::find(detail::threaded_backends(), b.backend) != detail::threaded_backends().end();
}

/// Calls visit(path, field, unit) for each number, with the least one where that may be zero, and visit(path, field)
/// for all else. visit.has says whether the threads of a backend have figures.
template <class Profile, class Visitor>
void visit_fields(Profile& p, Visitor&& visit) {
  visit("/measured/date", p.measured.date);
  visit("/measured/version", p.measured.version);
  visit("/measured/load", p.measured.load, 1, 0);
  visit("/measured/disturbed", p.measured.disturbed);
  visit("/cpu", p.cpu);
  visit("/processors", p.processors);
  visit("/cache_bytes/l2", p.l2);
  visit("/cache_bytes/l3", p.l3);
  const auto rates = [&](const std::string& who, auto& r) {
    visit("/read_gb_per_s/" + who + "/l2", r.l2, giga);
    visit("/read_gb_per_s/" + who + "/l3", r.l3, giga);
    visit("/read_gb_per_s/" + who + "/memory", r.memory, giga);
  };
  rates("one_thread", p.one_thread);
  for (const detail::backend_facts& b : detail::all_backends)
    if (visit.has(b)) rates(b.name, p.of(b.backend).reads);
  for (std::size_t c = 0; c < p.elements.size(); ++c)
    for (std::size_t i = 0; i < p.elements[c].size(); ++i)
      visit(std::string("/elements_per_ns/") + name_of(static_cast<cost_class>(c)) + "/" + std::to_string(1 << i) +
                "_byte",
            p.elements[c][i], giga);
  const auto starts = [&](const std::string& backend, auto& t) {
    visit("/start_us/" + backend + "/two_hot", t.two.hot, micro);
    visit("/start_us/" + backend + "/two_cold", t.two.cold, micro);
    visit("/start_us/" + backend + "/all_hot", t.all.hot, micro);
    visit("/start_us/" + backend + "/all_cold", t.all.cold, micro);
  };
  for (const detail::backend_facts& b : detail::all_backends)
    if (visit.has(b)) starts(b.name, p.of(b.backend));
  if (!p.device) return;
  visit("/device/name", p.device->name);
  visit("/device/launch_us", p.device->launch, micro);
  visit("/device/transfer_us", p.device->transfer, micro);
  visit("/device/memory_gb_per_s", p.device->from_memory, giga);
  visit("/device/pinned_gb_per_s", p.device->from_pinned, giga);
  visit("/device/pageable_gb_per_s", p.device->from_pageable, giga);
}

struct writer {
  ordered_json& to;
  static bool has(const detail::backend_facts& b) { return has_threads(b); }
  void operator()(const std::string& path, const double& field, double unit, double = 0) const {
    to[ordered_json::json_pointer(path)] = field / unit;
  }
  template <class Field>
  void operator()(const std::string& path, const Field& field) const {
    to[ordered_json::json_pointer(path)] = field;
  }
};

struct reader {
  const ordered_json& from;
  /// A backend that the file's library did not know keeps its figures.
  bool has(const detail::backend_facts& b) const {
    const auto in = [&](const char* group) { return from.contains(group) && from[group].contains(b.name); };
    return has_threads(b) && (in("read_gb_per_s") || in("start_us"));
  }
  void operator()(const std::string& path, double& field, double unit, double least = 1e-6) const {
    constexpr double most = 1e9;  // in every unit of the format
    const double value = at(path, &ordered_json::is_number, "a number").get<double>();
    if (!(value >= least && value <= most)) throw implausible(path);
    field = value * unit;
  }
  template <class Integer>
  void operator()(const std::string& path, Integer& field) const {
    const auto value = at(path, &ordered_json::is_number_unsigned, "a natural number").template get<std::uint64_t>();
    constexpr std::uint64_t most = std::uint64_t{1} << (8 * sizeof(Integer) - 2);
    if (value < 1 || value > most) throw implausible(path);
    field = static_cast<Integer>(value);
  }
  void operator()(const std::string& path, bool& field) const {
    field = at(path, &ordered_json::is_boolean, "true or false").get<bool>();
  }
  void operator()(const std::string& path, std::string& field) const {
    field = at(path, &ordered_json::is_string, "a text").get<std::string>();
  }

 private:
  static std::runtime_error implausible(const std::string& path) {
    return std::runtime_error(path + " is not a plausible value");
  }
  const ordered_json& at(const std::string& path, bool (ordered_json::*is)() const noexcept, const char* what) const {
    const ordered_json::json_pointer place(path);
    if (!from.contains(place) || !(from.at(place).*is)()) throw std::runtime_error(path + " is not " + what);
    return from.at(place);
  }
};

}  // namespace

const char* name_of(cost_class c) {
  constexpr const char* names[] = {"light", "search", "moments", "wide", "compensated", "exact", "stream"};
  return c <= cost_class::stream ? names[static_cast<std::size_t>(c)] : "?";
}

std::string to_json(const machine_profile& p) {
  const detail::float_environment ieee;
  ordered_json out;
  out[version_key] = format_version;
  visit_fields(p, writer{out});
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

namespace detail {

machine_profile profile_from_json(std::string_view text) {
  const ordered_json from = ordered_json::parse(text, nullptr, false);
  if (!from.is_object() || !from.contains(version_key)) throw std::runtime_error("it is not a profile");
  const ordered_json& version = from[version_key];
  if (version != format_version) {
    const std::string expected =
        "this library reads version " + std::to_string(format_version) + "; run onefold calibrate";
    if (version.is_number_unsigned() && version < format_version)
      throw std::runtime_error("it is an old profile, version " + version.dump() + " of the format; " + expected);
    throw std::runtime_error("it is a profile of another version of the format; " + expected);
  }
  machine_profile p = builtin_profile();
  if (from.contains("device")) p.device.emplace();
  visit_fields(p, reader{from});
  return p;
}

}  // namespace detail
}  // namespace onefold
