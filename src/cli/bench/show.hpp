// What the benchmark found, as text, JSON lines or CSV.
#pragma once

#include <string>

#include "bench/axes.hpp"
#include "bench/row.hpp"

namespace onefold::cli {

/// A table for people. What all rows have in common stands above it.
std::string as_text(const findings& found, const axes& a);

/// One JSON object on one line for each row, then for each reason why rows were left out.
std::string as_json_lines(const findings& found, const axes& a);

/// One line for each row, and for each reason, below a line of names.
std::string as_csv(const findings& found, const axes& a);

}  // namespace onefold::cli
