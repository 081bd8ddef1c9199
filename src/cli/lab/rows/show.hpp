// What the laboratory of row operations found, as text, JSON or CSV.
#pragma once

#include <string>
#include <vector>

#include "lab/rows/laboratory.hpp"

namespace onefold::cli {

/// A table for people for each array.
std::string rows_as_text(const std::vector<row_study>& studies, const std::string& operation);

/// One JSON object on one line.
std::string rows_as_json(const std::vector<row_study>& studies, const std::string& operation);

/// One line for each finding, below a line of names.
std::string rows_as_csv(const std::vector<row_study>& studies, const std::string& operation);

}  // namespace onefold::cli
