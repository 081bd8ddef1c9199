// The plots of a report, by Python and matplotlib.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/document.hpp"

namespace onefold::cli {

/// report/plots.py: reads report.json from standard input and writes an object of SVG by chapter.
extern const char* const report_plots_script;

/// Plots, or why there are none.
struct drawing {
  plots seen;
  std::string why_not;
};

/// Draws what the report (report.json) has.
drawing drawn(const nlohmann::ordered_json& report);

}  // namespace onefold::cli
