// The chapters of a report: what each measures, and how it is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/document.hpp"
#include "report/record.hpp"

namespace onefold::cli {

/// One question, and its answer.
struct chapter {
  const char* name;  ///< in report.json; of a preset also on the command line
  const char* title;
  bool preset;  ///< a classic table: in a report by its name, and in a full one

  /// The rows that are measured for it, in several lists; none where it shows those of another chapter.
  std::vector<axes> (*measured)(const assignment& asked);
  /// Paragraphs and tables; the caller adds name and title, and why rows are missing.
  section (*shown)(const record& r);
};

/// All chapters in their order. Each is defined in a file of its own in report/chapters/.
std::span<const chapter* const> chapters();

/// The names of the presets.
std::vector<std::string_view> preset_names();

/// Whether the set has it.
bool is_in(const chapter& c, const assignment& asked);

extern const chapter bandwidth, speedup, crossover, latency, modes, modes_cached, errors, ladder, notebook, ladder_1m,
    harris_4m;

/// From `faster` on, `n` elements and more, one way is faster than another at every length that was measured.
struct crossing {
  std::string reduction;
  std::string faster, than;
  std::optional<std::int64_t> n;  ///< nothing: not even at the largest
  int lengths;                    ///< at which both have rows that are not noisy
};

/// Where threads beat one thread and the GPU beats the CPU, from the rows of chapter bandwidth.
std::vector<crossing> crossings(const record& r);

}  // namespace onefold::cli
