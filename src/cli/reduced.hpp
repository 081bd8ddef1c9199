// What onefold reduce found, as text, JSON or an .npy file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "input/load.hpp"
#include "onefold/dynamic.hpp"

namespace onefold::cli {

/// All that there is to say of one array that was read.
struct reduced_input {
  dtype element;
  std::int64_t count;
  std::vector<std::int64_t> shape;  ///< where axes are reduced or kept, or --shape was given
  double read_seconds;              ///< of reading it: opening, parsing, gathering
  std::vector<input_note> files;
  std::optional<std::int64_t> missing = {};  ///< values, where --missing allows them
};

/// The results of one operation over it, in C order.
struct reduced {
  std::string operation;
  dynamic_shaped_plan plan;  ///< made these results: their extents, number and members
  byte_buffer results;
  double seconds = 0;  ///< of the reduction alone

  /// The numbers of one result.
  std::vector<scalar> numbers(std::int64_t i) const {
    return plan.scalars(results.bytes().data() + i * plan.result_size());
  }
  /// Input bytes a second, in GB/s.
  double gigabytes_per_second(const reduced_input& from) const;
};

/// More results than these are shortened on a terminal, as NumPy does.
inline constexpr std::int64_t most_shown_results = 1000;

/// The results of each operation. One result is its number alone, or a line "name number" for each member. Of several,
/// one axis is a number a line, two are a row a line, more are such matrices with a comment above each; results of
/// several numbers are a line each, with their indices. `shortened`: of many only the first and last lines.
std::string as_text(std::span<const reduced> all, const reduced_input& from, bool shortened);

/// Which backend ran each operation, and why; how the files were read.
std::string explained(std::span<const reduced> all, const reduced_input& from);

/// One JSON object on one line for each operation; with `explain` also the inputs and the reason for the choice. Where
/// the results are in a file, its name stands for them.
std::string as_json(std::span<const reduced> all, const reduced_input& from, bool explain,
                    const std::optional<std::string>& file);

/// Writes the results as a whole or not at all into an .npy file: an array of their numbers; where there are several
/// operations, or several numbers in a result, with a field for each. Throws failure as write_file does.
void write_npy(const std::string& path, std::span<const reduced> all);

}  // namespace onefold::cli
