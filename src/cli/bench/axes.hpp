// The axes of the benchmark: what the command line lists of each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "bench/row.hpp"
#include "input/load.hpp"
#include "measure/arena.hpp"
#include "onefold/dynamic.hpp"

namespace onefold::cli {

/// Every combination that is supported is a row. Only `reduced`, and `counts` or `shapes`, may be empty.
struct axes {
  std::vector<int> operations;  ///< places in the catalog
  std::vector<dtype> elements;
  std::vector<std::int64_t> counts;
  std::vector<std::vector<std::int64_t>> shapes;  ///< arrays in C order, besides those of `counts`
  std::vector<int> reduced;                       ///< the axes of all shapes that are reduced; empty: all
  std::vector<left_out> without;                  ///< shapes that do not have those axes
  std::vector<std::optional<int>> data;           ///< places of data sets; nothing: what suits the type, or the file
  std::shared_ptr<const loaded_array> file;       ///< null: data sets
  std::optional<std::int64_t> missing;            ///< values of the files, where --missing allows them
  std::vector<backend> backends;                  ///< the base among them
  std::vector<accuracy> accuracies;
  std::vector<kernel> kernels;  ///< of backend cuda
  std::vector<int> threads;     ///< of CPU backends with threads; 0: the backend's own rule
  std::vector<measure::location> locations;
  backend base;
  std::uint64_t seed;
  double seconds;  ///< for each row
  bool warm;       ///< the same array each time, so that caches may hold it
};

/// The word of --seconds, the time for a row. Throws failure (wrong usage).
double chosen_seconds(const std::string& word);

/// Reads the options, and the files where there are some. Throws failure (wrong usage) for words that mean nothing, and
/// error (backend_unavailable) where a backend that they name cannot run; of all backends the others are measured.
/// Throws failure for files that cannot be read too.
axes chosen_axes(const arguments& given);

}  // namespace onefold::cli
