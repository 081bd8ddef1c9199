// The laboratory's findings for programs; lab/plot.py reads this.
#include "json.hpp"
#include "lab/show.hpp"

namespace onefold::cli {
namespace {

using nlohmann::ordered_json;

ordered_json object(const study& s, const finding& f) {
  ordered_json out;
  out["mode"] = f.mode;
  out["backend"] = f.ran ? ordered_json(name_of(f.ran->backend)) : ordered_json();
  if (f.ran) {
    out["isa"] = name_of(f.ran->isa);
    out["threads"] = f.ran->threads;
  }
  out["value"] = json_number(f.value);
  out["bits"] = f.value.hex();
  out["error"] = json_number(f.error);
  out["ulps"] = f.ulps ? json_number(*f.ulps) : ordered_json();
  out["relative"] = json_number(f.relative);
  out["bound"] = f.bound ? json_number(*f.bound) : ordered_json();
  out["within_bound"] = f.bound ? ordered_json(f.within_bound()) : ordered_json();
  out["same_bits"] = f.ran ? ordered_json(f.agrees) : ordered_json();
  out["seconds"] = f.seconds;
  out["gb_per_s"] = s.gigabytes_per_second(f);
  out["waited"] = f.waited;
  out["noisy"] = f.noisy;
  return out;
}

ordered_json object(const study& s) {
  ordered_json out;
  out["data"] = s.what.name;
  out["dtype"] = name_of(s.what.type);
  out["n"] = s.what.count;
  if (s.what.seed) out["seed"] = *s.what.seed;
  if (s.what.asked) out["asked_condition"] = *s.what.asked;
  if (s.what.missing) out["missing"] = *s.what.missing;
  out["exact"] = json_number(s.exact);
  out["exact_bits"] = s.exact.hex();
  out["magnitude"] = json_number(s.magnitude);
  out["condition"] = json_number(s.condition);
  out["findings"] = ordered_json::array();
  for (const finding& f : s.findings) out["findings"].push_back(object(s, f));
  out["left_out"] = ordered_json::array();
  for (const missing& m : s.left_out)
    out["left_out"].push_back({{"mode", m.mode}, {"backend", name_of(*m.backend)}, {"why", m.why}});
  return out;
}

}  // namespace

ordered_json as_objects(const std::vector<study>& studies) {
  ordered_json out = ordered_json::array();
  for (const study& s : studies) out.push_back(object(s));
  return out;
}

std::string as_json(const std::vector<study>& studies, const std::string& operation) {
  ordered_json out;
  out["op"] = operation;
  out["studies"] = as_objects(studies);
  return json_line(out);
}

}  // namespace onefold::cli
