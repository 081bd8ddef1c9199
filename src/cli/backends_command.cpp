// onefold backends: which backends can run on this machine, which instruction sets it has, and by which figures the
// automatic choice goes.
#include <fmt/format.h>

#include "commands.hpp"
#include "json.hpp"
#include "onefold/profile.hpp"
#include "onefold/report.hpp"
#include "output.hpp"

namespace onefold::cli {
namespace {

std::string backends_as_text(const std::vector<backend_info>& known, const std::vector<isa>& levels) {
  std::string text = fmt::format("{:<12} {:<10} {:>7}  {}\n", "backend", "available", "threads", "detail");
  for (const backend_info& b : known) {
    text +=
        fmt::format("{:<12} {:<10} {:>7}  {}\n", name_of(b.backend), b.available ? "yes" : "no", b.threads, b.detail);
    for (const std::string& device : b.devices) text += fmt::format("{:<32}{}\n", "", device);
  }
  text += "isa:";
  for (const isa level : levels) text += fmt::format(" {}", name_of(level));
  const used_profile& used = profile();
  text += fmt::format("\nfigures: {}\n", used.source);
  if (!used.age.empty()) text += used.age + "\n";
  if (!used.warning.empty()) text += fmt::format("warning: {}\n", used.warning);
  return text;
}

std::string backends_as_json(const std::vector<backend_info>& known, const std::vector<isa>& levels) {
  nlohmann::ordered_json out;
  out["backends"] = nlohmann::ordered_json::array();
  for (const backend_info& b : known)
    out["backends"].push_back({{"backend", name_of(b.backend)},
                               {"available", b.available},
                               {"threads", b.threads},
                               {"detail", b.detail},
                               {"devices", b.devices}});
  out["isa"] = nlohmann::ordered_json::array();
  for (const isa level : levels) out["isa"].push_back(name_of(level));
  const used_profile& used = profile();
  out["figures"] = used.source;
  out["figures_age"] = used.age;
  out["figures_warning"] = used.warning;
  return json_line(out);
}

}  // namespace

void run_backends(const arguments& given) {
  const std::vector<backend_info> known = backends();
  write_output(given.format == output_format::json ? backends_as_json(known, isas()) : backends_as_text(known, isas()));
}

}  // namespace onefold::cli
