// A result for programs: numbers that JSON has no word for (inf, nan) are strings.
#include "json.hpp"
#include "onefold/profile.hpp"
#include "reduced.hpp"

namespace onefold::cli {
namespace {

using nlohmann::ordered_json;

/// One number as it is; several as an object by their names.
template <class Field>
ordered_json each(const std::vector<scalar>& values, Field field) {
  if (values.size() == 1) return field(values[0]);
  ordered_json members = ordered_json::object();
  for (const scalar& s : values) members[s.name] = field(s);
  return members;
}

}  // namespace

std::string as_json(const reduced& r, bool explain) {
  ordered_json out;
  out["op"] = r.operation;
  out["dtype"] = name_of(r.element);
  out["n"] = r.count;
  if (r.missing) out["missing"] = *r.missing;
  out["value"] = each(r.result.values, [](const scalar& v) { return json_number(v); });
  out["bits"] = each(r.result.values, [](const scalar& s) { return ordered_json(s.hex()); });
  out["result_dtype"] = each(r.result.values, [](const scalar& s) { return ordered_json(name_of(s.type)); });
  out["backend"] = name_of(r.result.ran.backend);
  out["isa"] = name_of(r.result.ran.isa);
  out["accuracy"] = name_of(r.result.ran.accuracy);
  out["threads"] = r.result.ran.threads;
  if (is_accelerator(r.result.ran.backend)) {
    out["kernel"] = name_of(r.result.ran.kernel);
    out["device"] = r.result.ran.device;
  }
  out["seconds"] = r.seconds;
  out["gb_per_s"] = r.gigabytes_per_second();
  out["read_seconds"] = r.read_seconds;
  out["declined"] = ordered_json::array();
  for (const decline& d : r.result.ran.declined)
    out["declined"].push_back({{"backend", name_of(d.who)}, {"why", d.why}});
  if (explain) {
    out["why"] = r.result.ran.why;
    out["estimates"] = ordered_json::array();
    for (const estimate& e : r.result.ran.estimates)
      out["estimates"].push_back({{"backend", name_of(e.backend)},
                                  {"threads", e.threads},
                                  {"seconds", e.seconds},
                                  {"seconds_after_pause", e.after_pause}});
    out["figures"] = r.result.ran.figures;
    const used_profile used = r.result.ran.figures.empty() ? used_profile{} : profile();
    out["figures_age"] = used.age;
    out["figures_warning"] = used.warning;
    out["inputs"] = ordered_json::array();
    for (const input_note& i : r.inputs)
      out["inputs"].push_back({{"file", i.name},
                               {"format", input_format_names[static_cast<std::size_t>(i.format)]},
                               {"n", i.count},
                               {"how", i.how}});
  }
  return json_line(out);
}

}  // namespace onefold::cli
