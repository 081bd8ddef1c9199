// Drawing what the laboratory found, by Python and matplotlib.
#pragma once

#include <string>

namespace onefold::cli {

/// lab/plot.py: reads what as_json writes from standard input and writes it to standard output, drawn as its argument
/// says: svg or png.
extern const char* const plot_script;

/// Throws failure where `path` has another ending than .svg and .png (wrong usage), or cannot be written, or Python or
/// matplotlib is missing.
void check_plot(const std::string& path);

/// Draws the findings (JSON) into the file. Throws failure with Python's last line if that fails.
void draw_plot(const std::string& path, const std::string& findings);

}  // namespace onefold::cli
