// Drawing what the laboratory found, by Python and matplotlib.
#pragma once

#include <string>

namespace onefold::cli {

/// lab/plot.py: reads what as_json writes from standard input and draws it into the file that its argument names.
extern const char* const plot_script;

/// Throws failure where `path` has no ending that can be drawn (wrong usage), or Python or matplotlib is missing.
void check_plot(const std::string& path);

/// Draws the findings (JSON) into the file. Throws failure with Python's last word if that fails.
void draw_plot(const std::string& path, const std::string& findings);

}  // namespace onefold::cli
