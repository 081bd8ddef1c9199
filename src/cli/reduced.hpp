// What onefold reduce, onefold quantile, onefold statistic, onefold histogram, onefold scan or onefold rows found, as
// text, JSON or an .npy file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "input/load.hpp"
#include "onefold/dynamic.hpp"
#include "output.hpp"

namespace onefold::cli {

/// All that there is to say of what was read.
struct reduced_input {
  dtype element;
  std::vector<std::int64_t> shape;  ///< where axes are reduced or kept, or --shape was given
  double read_seconds;              ///< of reading it: opening, parsing, gathering
  std::vector<input_note> files;
  std::optional<std::int64_t> missing = {};  ///< values and keys, where --missing allows them
  std::vector<std::string> columns = {};     ///< of a table: what the command line calls those that were reduced
  std::optional<std::string> by = {};        ///< and the one with the keys
  const key_table* keys = nullptr;           ///< where there is one
  std::optional<scan_kind> scanned = {};     ///< of a scan
  std::optional<int> along = {};             ///< of a scan or rows, the axis; without one all elements are one line

  /// Whether the results are rows of a table: of each key, or of each column.
  bool is_table() const { return by || columns.size() > 1; }
};

/// An operation and what each of its results looks like: known as soon as the types are.
struct operation_results {
  std::string operation;
  dynamic_results layout;

  /// What a number of the results is called where there are several operations: by the operation, and by its own name
  /// where it is one of several.
  std::string name_of_member(std::size_t m) const {
    return layout.members().size() == 1 ? operation : operation + "_" + layout.members()[m].name;
  }
};

/// How many elements are in no bin of a histogram.
struct outside_bins {
  std::int64_t below, above, nan;
};

/// The results of one operation over an array or a column of a table, in C order, or in the order of the keys.
struct reduced : operation_results {
  onefold::extents extents;
  std::int64_t size;  ///< how many results there are
  std::size_t column = 0;
  std::int64_t count = 0;                    ///< of elements
  std::optional<outside_bins> outside = {};  ///< of a histogram
  byte_buffer results = {};
  double seconds = 0;  ///< of the computation alone
  run_report ran = {};

  /// The numbers of one result.
  std::vector<scalar> numbers(std::int64_t i) const {
    return layout.scalars(results.bytes().data() + i * layout.result_size());
  }
  /// Input bytes a second, in GB/s.
  double gigabytes_per_second(dtype element) const;
};

/// More results than these are shortened on a terminal, as NumPy does.
inline constexpr std::int64_t most_shown_results = 1000;

/// Of shortened results, this many are shown at each end of the lines, and of each line.
inline constexpr std::int64_t shown_at_an_end = 3;

/// Writes the results of each operation. One result is its number alone, or a line "name number" for each member. Of
/// several, one axis is a number a line, two are a row a line, more are such matrices with a comment above each;
/// results of several numbers are a line each, with their indices. Of a table: result_table's text. Below a histogram a
/// comment says how many elements are in no bin. `shortened`: of many only the first and last lines.
void write_text(output_pieces& out, std::span<const reduced> all, const reduced_input& from, bool shortened);

/// Which backend ran each operation, and why; how the files were read.
std::string explained(std::span<const reduced> all, const reduced_input& from);

/// Writes one JSON object on one line for each operation, of a table for each column and operation; with `explain` also
/// the inputs and the reason for the choice. Where keys and results are in a file, its name stands for them.
void write_json(output_pieces& out, std::span<const reduced> all, const reduced_input& from, bool explain,
                const std::optional<std::string>& file);

/// Writes the results as a whole or not at all into an .npy file: an array of their numbers; where there are several
/// operations, or several numbers in a result, with a field for each; of a table, with the names of its rows in the
/// first one, whose names differ (require_different_names). Throws failure as write_file does, and where the memory
/// does not hold all records.
void write_npy(const std::string& path, std::span<const reduced> all, const reduced_input& from);

}  // namespace onefold::cli
