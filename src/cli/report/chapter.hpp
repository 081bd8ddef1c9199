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

extern const chapter bandwidth, speedup, crossover, latency, shapes, shapes_cached, modes, modes_cached, errors, ladder,
    notebook, ladder_1m, harris_4m;

/// From `faster` on, `n` elements and more, one way is faster than another at every length that was measured.
struct crossing {
  std::string reduction;
  std::string faster, than;
  std::optional<std::int64_t> n;  ///< nothing: not even at the largest
  int lengths;                    ///< at which both have rows that are not noisy
};

/// Where threads beat one thread and the GPU beats the CPU, from the rows of chapter bandwidth.
std::vector<crossing> crossings(const record& r);

/// How fast a backend reduces one shape.
struct shape_share {
  std::string series;
  std::optional<double> of_whole;  ///< of the speed of its sum of the whole array; nothing: one of the rows is noisy
  bool operator==(const shape_share&) const = default;
};

/// One shape on every backend.
struct shape_line {
  std::string chapter;                 ///< its name
  std::string reduction;               ///< without shape and length: "sum f32"
  std::int64_t n;                      ///< elements in all
  std::vector<std::int64_t> shape;     ///< empty: the whole array
  std::vector<int> reduced;            ///< the axes of the shape
  std::string what;                    ///< "rows of 32"
  std::optional<std::string> fastest;  ///< of the backends that begin with data on the host; nothing: all are noisy
  std::vector<shape_share> shares;
};

/// The shapes of a chapter, shapes or shapes_cached, in its order.
std::vector<shape_line> shape_lines(const record& r, const chapter& c);

/// From which share of the whole array's speed to which shapes run, in a sentence; empty where none was measured.
/// Of the backend of the CPU whose quiet sum of the whole array is the fastest, and of data on a device.
std::string shapes_in_short(const record& r);

}  // namespace onefold::cli
