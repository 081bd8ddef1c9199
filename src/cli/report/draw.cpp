#include "report/draw.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "json.hpp"
#include "python.hpp"

namespace onefold::cli {

drawing drawn(const nlohmann::ordered_json& report) try {
  if (const std::string why = why_no_drawing(); !why.empty()) return {{}, why};
  const child_result done = run_script(report_plots_script, {}, json_line(report));
  if (done.status != 0) return {{}, fmt::format("the plotting script failed: {}", why_script_failed(done))};
  const nlohmann::json written = nlohmann::json::parse(done.output, nullptr, false);
  if (!written.is_object() || !std::ranges::all_of(written, [](const auto& plot) { return plot.is_string(); }))
    return {{}, "the plotting script wrote something other than plots"};
  return {written.get<plots>(), ""};
} catch (const failure& f) {  // of starting Python: the report does without
  return {{}, f.what()};
}

}  // namespace onefold::cli
