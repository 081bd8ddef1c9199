// What the laboratory found, as text, JSON or CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "lab/laboratory.hpp"

namespace onefold::cli {

/// Ulps: thousandths up to a million.
std::string ulps_text(const std::optional<double>& ulps);

/// A relative error, short.
std::string relative_text(double x);

/// A finding's bound over the size of the study's exact result.
std::string bound_text(const study& s, const finding& f);

/// A table for people for each array.
std::string as_text(const std::vector<study>& studies, const std::string& operation);

/// An object for each array.
nlohmann::ordered_json as_objects(const std::vector<study>& studies);

/// One JSON object on one line.
std::string as_json(const std::vector<study>& studies, const std::string& operation);

/// One line for each finding, below a line of names.
std::string as_csv(const std::vector<study>& studies, const std::string& operation);

}  // namespace onefold::cli
