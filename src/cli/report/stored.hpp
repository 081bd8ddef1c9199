// A stored report, report.json, as it was when it was written.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "measure/statistics.hpp"
#include "report/record.hpp"

namespace onefold::cli {

/// The version of report.json that this program writes and reads.
inline constexpr int report_version = 1;

/// The JSON of such a file; `name` is for errors. Throws failure (bad data) for what is not a report, and for one of
/// another version.
nlohmann::ordered_json read_report(const std::string& name, const std::string& text);

/// What such a report shows: composed() makes of it the document that it made of the measurements. Throws failure (bad
/// data) that names the place of a value that no report has.
record stored_record(const std::string& name, const nlohmann::ordered_json& report);

/// The times of a row, whose names begin with `prefix`. Throws nlohmann's exceptions for those that no run can have
/// measured: a comparison with them would say that all is well.
measure::summary time_in(const nlohmann::ordered_json& row, const std::string& prefix);

}  // namespace onefold::cli
