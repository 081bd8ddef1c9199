#include "report/draw.hpp"

#include <fmt/format.h>

#include "json.hpp"
#include "python.hpp"

namespace onefold::cli {

drawing drawn(const nlohmann::ordered_json& report) {
  if (const std::string why = why_no_drawing(); !why.empty()) return {{}, why};
  const child_result done = run_script(report_plots_script, {}, json_line(report));
  if (done.status != 0) return {{}, fmt::format("the script that draws failed: {}", done.last_line())};
  return {nlohmann::json::parse(done.output).get<plots>(), ""};
}

}  // namespace onefold::cli
