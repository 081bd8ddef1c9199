// Two reports, row by row: what got slower or faster by more than noise, and where bits differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace onefold::cli {

/// What became of a time; noisy: one of the two reports cannot tell.
enum class verdict : unsigned char { alike, faster, slower, noisy };

/// The name of a verdict.
const char* name_of(verdict v);

/// One time of a row that both reports have.
struct change {
  std::string row;       ///< the part, and the row's place on each axis
  std::string what;      ///< "a call", or "on the device"
  double before, after;  ///< medians, in seconds
  verdict is;
};

/// How fast a backend reads.
struct rate {
  std::string backend;  ///< of the CPU; empty: an accelerator's
  double gb_per_s = 0;
};

/// The fastest way of one kind at the longest array of chapter bandwidth that both reports have.
struct rate_change {
  std::string what;  ///< "Best CPU backend"
  std::int64_t n;
  rate before, after;
};

/// What two reports say.
struct comparison {
  std::vector<change> changes;          ///< of all rows that both have, in the order of the second
  std::vector<std::string> other_bits;  ///< rows whose results differ, though both have the canonical order
  std::vector<std::string> only_before, only_after;
  std::vector<rate_change> rates;
  std::vector<std::string> other_facts;  ///< of machine and build: what is not the same in both
};

/// Compares two texts of report.json; the names are for errors. A time has changed where its middle halves lie apart by
/// more than `tolerance` (0.05: one twentieth), and its fastest samples do too. Throws failure (bad data) for what is
/// no report, and where no row is in both.
comparison compared(const std::string& before_name, const std::string& before, const std::string& after_name,
                    const std::string& after, double tolerance);

/// All of it in a line: how many times changed and by how much at most, and the rates at the longest array.
std::string headline_of(const comparison& c);

/// What changed, for people: the headline first.
std::string as_text(const comparison& c);

/// All of it, as one JSON object on one line.
std::string as_json(const comparison& c);

}  // namespace onefold::cli
