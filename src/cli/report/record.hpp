// All that a report knows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench/axes.hpp"
#include "bench/row.hpp"
#include "lab/laboratory.hpp"

namespace onefold::cli {

/// What is asked of a report.
struct assignment {
  std::string set;                      ///< quick, full, or a preset's name
  int rounds;                           ///< in which every row is measured, one after the other
  double seconds;                       ///< for each row in each round
  std::optional<std::int64_t> largest;  ///< arrays of more elements are left out
};

/// The rows of one chapter.
struct part {
  std::string chapter;  ///< its name
  axes how;             ///< what its rows have in common
  findings found;
};

/// What was measured, on which machine, by which build.
struct record {
  assignment asked;
  std::string date;                                     ///< of its beginning, UTC, ISO 8601
  std::shared_ptr<const nlohmann::ordered_json> facts;  ///< groups of names and values: machine, build, backends
  std::vector<part> parts;
  std::vector<study> studies;                           ///< errors, of the arrays of chapter errors
  std::shared_ptr<const nlohmann::ordered_json> peers;  ///< what scripts/bench-peers found; null: not requested
  bool interrupted = false;

  /// The part of the chapter, or null where it was not asked for.
  const part* find(std::string_view chapter) const;
};

/// report.json: docs/reports.md describes it.
nlohmann::ordered_json as_json(const record& r);

}  // namespace onefold::cli
