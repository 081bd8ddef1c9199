// Tables with a line for each contender, the library first, and a column for each length or shape.
#include "report/peers.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "cells.hpp"
#include "input/failure.hpp"
#include "input/source.hpp"
#include "json.hpp"
#include "onefold/options.hpp"

namespace onefold::cli {
namespace {

using nlohmann::ordered_json;

constexpr const char* expected = "peers.json of scripts/bench-peers";

/// One of those who were compared: the library, a limit (reading or copying alone), or a peer.
struct contender {
  int rank;          ///< the library 0, limits 1, peers 2
  std::string name;  ///< with what sets its flags apart
  bool operator<(const contender& c) const { return std::tie(rank, name) < std::tie(c.rank, c.name); }
};

/// The rows of one table.
struct group {
  std::string name;
  std::vector<std::string> columns;                                     ///< lengths, ascending, or shapes
  std::map<contender, std::map<std::string, const ordered_json*>> all;  ///< rows
};

contender contender_of(const ordered_json& row) {
  std::string who = row.at("who").get<std::string>();
  const int rank = who.starts_with("onefold")                                             ? 0
                   : who.starts_with("reading alone") || who.starts_with("copying alone") ? 1
                                                                                          : 2;
  if (row.at("flags").get<std::string>().find("-ffast-math") != std::string::npos) who += ", fast-math";
  return {rank, std::move(who)};
}

/// Whether a row is over an axis: "512x512 axis 0".
bool names_a_shape(const ordered_json& row) { return row.contains("shape"); }

/// What the rows are of, and where it is computed if they say so.
std::string name_of(const ordered_json& row) {
  const std::string name = fmt::format("{} of {}{}", row.at("op").get<std::string>(),
                                       row.at("dtype").get<std::string>(), names_a_shape(row) ? " over an axis" : "");
  return row.contains("where") ? name + ", " + row["where"].get<std::string>() : name;
}

/// What no measurement exceeds.
constexpr std::int64_t most_runs = 1'000'000, most_threads = 1 << 20;

std::int64_t length_in(const ordered_json& row) { return count_in(row, "n", 1, most_reported_elements); }

std::vector<group> grouped(const ordered_json& rows) {
  std::vector<const ordered_json*> sorted;  // by length; shapes as they come
  for (const ordered_json& row : rows) sorted.push_back(&row);
  std::ranges::stable_sort(sorted, {},
                           [](const ordered_json* row) { return names_a_shape(*row) ? 0 : length_in(*row); });
  std::vector<group> groups;
  for (const ordered_json& row : rows)
    if (std::string name = name_of(row); std::ranges::find(groups, name, &group::name) == groups.end())
      groups.push_back({std::move(name), {}, {}});
  for (const ordered_json* row : sorted) {
    group& g = *std::ranges::find(groups, name_of(*row), &group::name);
    const std::string column = names_a_shape(*row) ? row->at("shape").get<std::string>() : count_text(length_in(*row));
    if (std::ranges::find(g.columns, column) == g.columns.end()) g.columns.push_back(column);
    g.all[contender_of(*row)][column] = row;
  }
  return groups;
}

/// How many times as fast the library is as the contender of the row.
double lead_in(const ordered_json& row) { return number_in(row, "onefold_speed", 1e-9, 1e9); }

double rate_in(const ordered_json& row) {
  const std::string type = row.at("dtype").get<std::string>();
  const std::optional<dtype> element = parse_dtype(type);
  if (!element) throw ordered_json::other_error::create(501, "unknown element type " + type, &row);
  return static_cast<double>(length_in(row)) * size_of(*element) / number_in(row, "ns", 1e-3, 1e15);
}

/// Which is the faster side in this column, the library or the fastest peer; empty where no peer was measured.
std::string winner_of(const group& g, const std::string& column) {
  const contender* best = nullptr;
  double lead = 0;
  for (const auto& [who, rows] : g.all)
    if (const auto row = rows.find(column); who.rank == 2 && row != rows.end())
      if (const double its = lead_in(*row->second); !best || its < lead) {
        best = &who;
        lead = its;
      }
  if (!best) return "";
  return lead >= 1 ? fmt::format("onefold, {:.2f} x {}", lead, best->name)
                   : fmt::format("{}, {:.2f} x onefold", best->name, 1 / lead);
}

table speeds_of(const group& g) {
  table t;
  t.caption = g.name + ": GB/s, and how many times as fast onefold is";
  t.names = {names_a_shape(*g.all.begin()->second.begin()->second) ? "shape" : "n"};
  std::ranges::copy(g.columns, std::back_inserter(t.names));
  for (const auto& [who, rows] : g.all) {
    std::vector<std::string> line{who.name};
    for (const std::string& column : g.columns) {
      const auto row = rows.find(column);
      std::string cell = row == rows.end() ? "-" : rate_text(rate_in(*row->second));
      if (row != rows.end() && who.name != "onefold") cell += fmt::format(" ({:.2f})", lead_in(*row->second));
      line.push_back(std::move(cell));
    }
    t.lines.push_back(std::move(line));
  }
  return t;
}

table winners_of(const std::vector<group>& groups) {
  table t{"Fastest contender", {"what", "n or shape", "fastest"}, {}, true};
  for (const group& g : groups)
    for (const std::string& column : g.columns)
      if (std::string winner = winner_of(g, column); !winner.empty())
        t.lines.push_back({g.name, column, std::move(winner)});
  return t;
}

std::string threads_text(const ordered_json& row) {
  const ordered_json& threads = row.at("threads");
  if (!threads.is_array()) throw ordered_json::other_error::create(501, "threads: expected a list", &row);
  if (threads.empty()) return "-";
  const std::int64_t first = count_of("threads", threads.front(), 1, most_threads);
  const std::int64_t last = count_of("threads", threads.back(), 1, most_threads);
  return threads.size() == 1 ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
}

table answers_of(const group& g) {
  table t;
  t.caption = g.name + ": different answers in the runs of one number of threads, in all runs; error in ulps";
  t.names = {"n", "threads"};
  std::ranges::copy(g.columns, std::back_inserter(t.names));
  for (const auto& [who, rows] : g.all) {
    std::vector<std::string> line{who.name, threads_text(*rows.begin()->second)};
    for (const std::string& column : g.columns) {
      const auto row = rows.find(column);
      line.push_back(row == rows.end()
                         ? "-"
                         : fmt::format("{}, {}; {:.3g}", count_in(*row->second, "answers_in_runs", 1, most_runs),
                                       count_in(*row->second, "answers_over_threads", 1, most_runs),
                                       number_in(*row->second, "ulps", 0, 1e300)));
    }
    t.lines.push_back(std::move(line));
  }
  return t;
}

/// Of how many comparisons with a peer the library is the faster side, and by how much.
std::string score_of(const ordered_json& speeds, const ordered_json& by_shape) {
  int faster = 0, all = 0;
  double logarithms = 0;
  for (const ordered_json* rows : {&speeds, &by_shape})
    for (const ordered_json& row : *rows) {
      if (contender_of(row).rank < 2) continue;
      ++all;
      faster += lead_in(row) >= 1;
      logarithms += std::log(lead_in(row));
    }
  return all == 0 ? "No peer's time was measured."
                  : fmt::format(
                        "onefold is the faster side of {} of {} comparisons; {:.2f} times as fast by their "
                        "geometric mean.",
                        faster, all, std::exp(logarithms / all));
}

}  // namespace

bool is_peers(const std::string& name, const std::string& text) {
  const ordered_json found = read_json(name, text, "report.json of onefold report");
  return found.is_object() && found.contains("speeds");
}

ordered_json read_peers(const std::string& name, const std::string& text) {
  return checked_peers(shown_name(name), read_json(name, text, expected));
}

ordered_json checked_peers(const std::string& place, ordered_json peers) {
  const bool has_all = peers.is_object() && peers.contains("context") && peers.contains("speeds") &&
                       peers.contains("answers") && peers["context"].is_object() && peers["speeds"].is_array() &&
                       peers["answers"].is_array() && (!peers.contains("shapes") || peers["shapes"].is_array());
  if (!has_all) throw bad_data(place, expected, "JSON of something else");
  try {
    peers_page(peers);
  } catch (const ordered_json::exception& e) {
    throw bad_data(place, expected, reason_of(e));
  }
  return peers;
}

section peers_page(const ordered_json& peers) {
  const ordered_json none = ordered_json::array();
  const ordered_json &speeds = peers.at("speeds"), &by_shape = peers.contains("shapes") ? peers["shapes"] : none;
  section s{"peers", "Peers", {}, {}, {}, false};
  s.paragraphs = {
      score_of(speeds, by_shape),
      "Every call reduces another copy of the same array, which no cache holds; but scans, row operations and sums "
      "over an axis of up to 2 MB work on one array, in the caches if it fits. Times are medians. Answers are those of "
      "all runs with every number of threads, and the "
      "error is that of the worst, in units in the last place of the exact one."};
  table context{"Where and with what", {"what", "which"}, {}, true};
  for (const auto& [what, which] : peers.at("context").items())
    context.lines.push_back({what, which.is_string() ? which.get<std::string>() : which.dump()});
  s.tables.push_back(std::move(context));
  std::vector<group> groups = grouped(speeds);
  std::ranges::move(grouped(by_shape), std::back_inserter(groups));
  s.tables.push_back(winners_of(groups));
  for (const group& g : groups) s.tables.push_back(speeds_of(g));
  for (const group& g : grouped(peers.at("answers"))) s.tables.push_back(answers_of(g));
  return s;
}

document peers_document(const ordered_json& peers) { return {"onefold and its peers", "", {peers_page(peers)}}; }

}  // namespace onefold::cli
