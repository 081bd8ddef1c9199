// Results for programs: numbers that JSON has no word for (inf, nan) are strings.
#include "json.hpp"
#include "onefold/profile.hpp"
#include "reduced.hpp"

namespace onefold::cli {
namespace {

using nlohmann::ordered_json;

/// What `field` says of a member of the results: as it is where there is one, several as an object by their names.
template <class Field>
ordered_json each_member(const reduced& r, Field field) {
  const auto members = r.layout.members();
  if (members.size() == 1) return field(0);
  ordered_json by_name = ordered_json::object();
  for (std::size_t m = 0; m < members.size(); ++m) by_name[members[m].name] = field(m);
  return by_name;
}

// An empty result of more empty lists than this is written as [], beside its extents.
constexpr std::int64_t most_empty_lists = 1 << 20;

/// Whether an empty result has too many empty lists to be worth writing out.
bool is_endless(const reduced& r) {
  std::int64_t lists = 1;
  for (const std::int64_t extent : r.extents) {
    if (extent == 0) return false;
    if (__builtin_mul_overflow(lists, extent, &lists) || lists > most_empty_lists) return r.size == 0;
  }
  return false;
}

/// One member of all results as lists in lists, as NumPy's tolist() has them, from `first` on and along the axes from
/// `depth` on; a single result stands alone.
template <class Field>
ordered_json nested(const reduced& r, std::size_t member, Field field, std::size_t depth, std::int64_t& first) {
  const extents& e = r.extents;
  if (depth == e.size()) return field(r.numbers(first++)[member]);
  ordered_json list = ordered_json::array();
  for (std::int64_t i = 0; i < e[depth]; ++i) list.push_back(nested(r, member, field, depth + 1, first));
  return list;
}

template <class Field>
ordered_json each_result(const reduced& r, Field field) {
  return each_member(r, [&](std::size_t member) {
    if (is_endless(r)) return ordered_json::array();
    std::int64_t first = 0;
    return nested(r, member, field, 0, first);
  });
}

void add_reasons(ordered_json& out, const run_report& ran, const reduced_input& from) {
  out["why"] = ran.why;
  out["estimates"] = ordered_json::array();
  for (const estimate& e : ran.estimates)
    out["estimates"].push_back({{"backend", name_of(e.backend)},
                                {"threads", e.threads},
                                {"seconds", e.seconds},
                                {"seconds_after_pause", e.after_pause}});
  out["figures"] = ran.figures;
  const used_profile used = ran.figures.empty() ? used_profile{} : profile();
  out["figures_age"] = used.age;
  out["figures_warning"] = used.warning;
  out["inputs"] = ordered_json::array();
  for (const input_note& i : from.files)
    out["inputs"].push_back({{"file", i.name},
                             {"format", input_format_names[static_cast<std::size_t>(i.format)]},
                             {"n", i.count},
                             {"how", i.how}});
}

}  // namespace

std::string as_json(std::span<const reduced> all, const reduced_input& from, bool explain,
                    const std::optional<std::string>& file) {
  std::string lines;
  ordered_json keys = ordered_json::array();
  for (std::size_t k = 0; from.by && !file && k < from.keys->size(); ++k) keys.push_back((*from.keys)[k]);
  for (const reduced& r : all) {
    ordered_json out;
    out["op"] = r.operation;
    if (from.scanned) out["scan"] = from.scanned == scan_kind::exclusive ? "exclusive" : "inclusive";
    if (from.along) out["axis"] = *from.along;
    out["dtype"] = name_of(from.element);
    if (from.is_table()) out["column"] = from.columns[r.column];
    out["n"] = r.count;
    if (!from.shape.empty()) {
      const extents& e = r.extents;
      out["shape"] = from.shape;
      out["extents"] = std::vector<std::int64_t>(e.begin(), e.end());
    }
    if (from.missing) out["missing"] = *from.missing;
    if (from.by) out["by"] = *from.by;
    if (file) {
      out["output"] = *file;
    } else {
      if (from.by) out["keys"] = keys;
      out["value"] = each_result(r, [](const scalar& v) { return json_number(v); });
      out["bits"] = each_result(r, [](const scalar& s) { return ordered_json(s.hex()); });
    }
    out["result_dtype"] =
        each_member(r, [&](std::size_t m) { return ordered_json(name_of(r.layout.members()[m].type)); });
    const run_report& ran = r.ran;
    out["backend"] = name_of(ran.backend);
    out["isa"] = name_of(ran.isa);
    out["accuracy"] = name_of(ran.accuracy);
    out["threads"] = ran.threads;
    if (is_accelerator(ran.backend)) {
      out["kernel"] = name_of(ran.kernel);
      out["device"] = ran.device;
      if (!ran.devices.empty()) out["devices"] = ran.devices;
    }
    out["seconds"] = r.seconds;
    out["gb_per_s"] = r.gigabytes_per_second(from.element);
    out["read_seconds"] = from.read_seconds;
    out["declined"] = ordered_json::array();
    for (const decline& d : ran.declined) out["declined"].push_back({{"backend", name_of(d.backend)}, {"why", d.why}});
    if (explain) add_reasons(out, ran, from);
    lines += json_line(out);
  }
  return lines;
}

}  // namespace onefold::cli
