// Findings about rows for programs; lab/plot.py reads this.
#include "json.hpp"
#include "lab/rows/show.hpp"

namespace onefold::cli {
namespace {

nlohmann::ordered_json object(const row_finding& f) {
  nlohmann::ordered_json out;
  out["mode"] = f.mode;
  out["backend"] = f.ran ? nlohmann::ordered_json(name_of(f.ran->backend)) : nlohmann::ordered_json();
  if (f.ran) {
    out["isa"] = name_of(f.ran->isa);
    out["threads"] = f.ran->threads;
  }
  out["ulps"] = json_number(f.errors.ulps);
  out["mean_ulps"] = json_number(f.errors.mean_ulps);
  out["line"] = f.errors.line;
  out["place"] = f.errors.place;
  out["relative"] = json_number(f.errors.relative);
  out["absolute"] = json_number(f.errors.absolute);
  if (f.errors.off_1) out["off_1"] = *f.errors.off_1;
  out["same_bits"] = f.ran ? nlohmann::ordered_json(f.agrees) : nlohmann::ordered_json();
  return out;
}

nlohmann::ordered_json object(const row_study& s) {
  nlohmann::ordered_json out;
  out["data"] = s.what.name;
  out["dtype"] = name_of(s.what.type);
  out["n"] = s.what.count;
  out["length"] = s.line;
  if (s.what.seed) out["seed"] = *s.what.seed;
  if (s.what.asked) out["asked_condition"] = *s.what.asked;
  if (s.what.missing) out["missing"] = *s.what.missing;
  out["findings"] = nlohmann::ordered_json::array();
  for (const row_finding& f : s.findings) out["findings"].push_back(object(f));
  out["left_out"] = nlohmann::ordered_json::array();
  for (const missing& m : s.left_out) {
    const nlohmann::ordered_json who = m.backend ? nlohmann::ordered_json(name_of(*m.backend)) : nullptr;
    out["left_out"].push_back({{"mode", m.mode}, {"backend", who}, {"why", m.why}});
  }
  return out;
}

}  // namespace

std::string rows_as_json(const std::vector<row_study>& studies, const std::string& operation) {
  nlohmann::ordered_json out;
  out["op"] = operation;
  out["studies"] = nlohmann::ordered_json::array();
  for (const row_study& s : studies) out["studies"].push_back(object(s));
  return json_line(out);
}

}  // namespace onefold::cli
