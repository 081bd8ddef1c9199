// The version as lines of text or as JSON; both from the same record.
#include "version_text.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "input/gzip.hpp"
#include "input/zip.hpp"
#include "json.hpp"
#include "onefold/report.hpp"
#include "onefold/version.hpp"
#include "report/facts.hpp"

namespace onefold::cli {
namespace {

using nlohmann::ordered_json;

std::string dotted(int major, int minor, int patch) { return fmt::format("{}.{}.{}", major, minor, patch); }

ordered_json libraries() {
  ordered_json all = {
      {"CLI11", CLI11_VERSION},
      {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"nlohmann-json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)}};
  if (const std::string version = version_of_zlib(); !version.empty()) all["zlib"] = version;
  if (const std::string version = version_of_libzip(); !version.empty()) all["libzip"] = version;
  return all;
}

ordered_json version_record() {
  ordered_json r = {{"version", ONEFOLD_VERSION}, {"date", ONEFOLD_VERSION_DATE}};
  r["compiler"] = this_build.compiler;
  r["flags"] = this_build.flags;
  if (*this_build.cuda_compiler) r["cuda_compiler"] = this_build.cuda_compiler;
  r["libraries"] = libraries();
  r["isa"] = ordered_json::array();
  for (const isa level : isas()) r["isa"].push_back(name_of(level));
  r["backends"] = ordered_json::object();
  for (const backend_info& b : backends())
    r["backends"][name_of(b.backend)] = b.available ? b.detail : "cannot run: " + b.detail;
  r["license"] = "MIT";
  return r;
}

/// What stands beside a member's name: its text, or its elements.
std::string value_text(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string text;
  for (const auto& [key, element] : value.items())
    text += fmt::format("{}{}{}",
                        text.empty()        ? ""
                        : value.is_object() ? ", "
                                            : " ",
                        value.is_object() ? key + " " : "", element.get<std::string>());
  return text;
}

}  // namespace

std::string version_text(output_format format) {
  const ordered_json r = version_record();
  if (format == output_format::json) return json_line(r);
  std::string text = fmt::format("onefold {}\n", ONEFOLD_VERSION);
  for (const auto& [name, value] : r.items()) {
    if (name == "version") continue;
    if (name != "backends")
      text += fmt::format("{:<14}{}\n", name == "cuda_compiler" ? "CUDA compiler" : name, value_text(value));
    else
      for (const auto& [backend, detail] : value.items())
        text += fmt::format("{:<14}{}\n", backend, detail.get<std::string>());
  }
  return text;
}

}  // namespace onefold::cli
