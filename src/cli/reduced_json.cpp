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
void write_nested(output_pieces& out, const reduced& r, std::size_t member, Field field, std::size_t depth,
                  std::int64_t& first) {
  const extents& e = r.extents;
  if (depth == e.size()) {
    out << json_value(field(r.numbers(first++)[member]));
    return;
  }
  out << "[";
  for (std::int64_t i = 0; i < e[depth]; ++i) {
    if (i > 0) out << ",";
    write_nested(out, r, member, field, depth + 1, first);
  }
  out << "]";
}

/// An object that is written member by member: not all results are there as JSON at once.
class written_object {
 public:
  explicit written_object(output_pieces& out) : out_(out) {}

  void add(std::string_view key, const ordered_json& value) { begin(key) << json_value(value); }
  /// What `field` says of each number, of several members as each_member does.
  template <class Field>
  void add_results(std::string_view key, const reduced& r, Field field) {
    begin(key);
    const auto members = r.layout.members();
    written_object by_name(out_);
    for (std::size_t m = 0; m < members.size(); ++m) {
      if (members.size() > 1) by_name.begin(members[m].name);
      std::int64_t first = 0;
      if (is_endless(r))
        out_ << "[]";
      else
        write_nested(out_, r, m, field, 0, first);
    }
    if (members.size() > 1) by_name.end();
  }
  void add_keys(std::string_view key, const key_table& keys) {
    begin(key) << "[";
    for (std::size_t k = 0; k < keys.size(); ++k) out_ << (k > 0 ? "," : "") << json_value(keys[k]);
    out_ << "]";
  }
  void end() { out_ << "}"; }

 private:
  output_pieces& begin(std::string_view key) {
    out_ << (empty_ ? "{" : ",") << json_value(key) << ":";
    empty_ = false;
    return out_;
  }

  output_pieces& out_;
  bool empty_ = true;
};

void add_reasons(written_object& o, const run_report& ran, const reduced_input& from) {
  o.add("why", ran.why);
  ordered_json estimates = ordered_json::array(), inputs = ordered_json::array();
  for (const estimate& e : ran.estimates)
    estimates.push_back({{"backend", name_of(e.backend)},
                         {"threads", e.threads},
                         {"seconds", e.seconds},
                         {"seconds_after_pause", e.after_pause}});
  o.add("estimates", estimates);
  o.add("figures", ran.figures);
  const used_profile used = ran.figures.empty() ? used_profile{} : profile();
  o.add("figures_age", used.age);
  o.add("figures_warning", used.warning);
  for (const input_note& i : from.files)
    inputs.push_back({{"file", i.name},
                      {"format", input_format_names[static_cast<std::size_t>(i.format)]},
                      {"n", i.count},
                      {"how", i.how}});
  o.add("inputs", inputs);
}

}  // namespace

void write_json(output_pieces& out, std::span<const reduced> all, const reduced_input& from, bool explain,
                const std::optional<std::string>& file) {
  for (const reduced& r : all) {
    written_object o(out);
    o.add("op", r.operation);
    if (from.scanned) o.add("scan", from.scanned == scan_kind::exclusive ? "exclusive" : "inclusive");
    if (from.along) o.add("axis", *from.along);
    o.add("dtype", name_of(from.element));
    if (from.is_table()) o.add("column", from.columns[r.column]);
    o.add("n", r.count);
    if (!from.shape.empty()) {
      const extents& e = r.extents;
      o.add("shape", from.shape);
      o.add("extents", std::vector<std::int64_t>(e.begin(), e.end()));
    }
    if (from.missing) o.add("missing", *from.missing);
    if (r.outside)
      o.add("outside", {{"below", r.outside->below}, {"above", r.outside->above}, {"nan", r.outside->nan}});
    if (from.by) o.add("by", *from.by);
    if (file) {
      o.add("output", *file);
    } else {
      if (from.by) o.add_keys("keys", *from.keys);
      o.add_results("value", r, [](const scalar& v) { return json_number(v); });
      o.add_results("bits", r, [](const scalar& s) { return ordered_json(s.hex()); });
    }
    o.add("result_dtype",
          each_member(r, [&](std::size_t m) { return ordered_json(name_of(r.layout.members()[m].type)); }));
    const run_report& ran = r.ran;
    o.add("backend", name_of(ran.backend));
    o.add("isa", name_of(ran.isa));
    o.add("accuracy", name_of(ran.accuracy));
    o.add("threads", ran.threads);
    if (is_accelerator(ran.backend)) {
      o.add("kernel", name_of(ran.kernel));
      o.add("device", ran.device);
      if (!ran.devices.empty()) o.add("devices", ran.devices);
    }
    o.add("seconds", r.seconds);
    o.add("gb_per_s", r.gigabytes_per_second(from.element));
    o.add("read_seconds", from.read_seconds);
    ordered_json declined = ordered_json::array();
    for (const decline& d : ran.declined) declined.push_back({{"backend", name_of(d.backend)}, {"why", d.why}});
    o.add("declined", declined);
    if (explain) add_reasons(o, ran, from);
    o.end();
    out << "\n";
  }
}

}  // namespace onefold::cli
