// A report for programs; report/plots.py and --compare read this.
#include "bench/columns.hpp"
#include "json.hpp"
#include "lab/show.hpp"
#include "report/chapter.hpp"
#include "report/record.hpp"
#include "report/stored.hpp"

namespace onefold::cli {
namespace {

using nlohmann::ordered_json;

ordered_json object(const part& p) {
  ordered_json out = {{"rows", ordered_json::array()}, {"left_out", ordered_json::array()}};
  for (const measurement& m : p.found.rows) {
    ordered_json row;
    for (auto& [name, value] : fields_of(m, p.how)) row[name] = std::move(value);
    out["rows"].push_back(std::move(row));
  }
  for (const left_out& l : p.found.without)
    out["left_out"].push_back({{"what", l.what}, {"why", l.why}, {"code", name_of(l.code)}});
  return out;
}

ordered_json object(const shape_line& line) {
  ordered_json shares = ordered_json::object();
  for (const shape_share& s : line.shares) shares[s.series] = s.of_whole ? ordered_json(*s.of_whole) : ordered_json();
  return {{"part", line.chapter},
          {"reduction", line.reduction},
          {"n", line.n},
          {"shape", shape_field(line.shape)},
          {"axes", axes_field(line.reduced)},
          {"what", line.what},
          {"fastest", line.fastest ? ordered_json(*line.fastest) : ordered_json()},
          {"share_of_whole", shares}};
}

}  // namespace

ordered_json as_json(const record& r) {
  ordered_json out = {{"onefold_report", report_version}, {"set", r.asked.set}, {"rounds", r.asked.rounds},
                      {"seconds", r.asked.seconds},       {"date", r.date},     {"interrupted", r.interrupted}};
  for (const auto& [name, facts] : r.facts->items()) out[name] = facts;
  out["parts"] = ordered_json::object();
  for (const part& p : r.parts) out["parts"][p.chapter] = object(p);
  out["crossover"] = ordered_json::array();
  for (const crossing& c : crossings(r))
    out["crossover"].push_back({{"reduction", c.reduction},
                                {"faster", c.faster},
                                {"than", c.than},
                                {"n", c.n ? ordered_json(*c.n) : ordered_json()},
                                {"lengths", c.lengths}});
  out["shapes"] = ordered_json::array();
  for (const chapter* c : {&shapes, &shapes_cached})
    for (const shape_line& line : shape_lines(r, *c)) out["shapes"].push_back(object(line));
  out["studies"] = as_objects(r.studies);
  if (r.peers) out["peers"] = *r.peers;
  return out;
}

}  // namespace onefold::cli
