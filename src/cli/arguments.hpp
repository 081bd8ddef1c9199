// The command line as data.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace onefold::cli {

/// How results are written.
enum class output_format : unsigned char { text, json, csv };

/// What the command line says, in its own words; each command turns them into choices.
struct arguments {
  std::string command;
  std::string operation;  ///< or several, with commas between them
  std::vector<std::string> files;
  std::vector<std::string> axes;     ///< the words of --axis
  std::vector<std::string> options;  ///< those that were given, each with its values: the line without OP and FILE
  std::optional<std::string> backend, accuracy, threads, isa, kernel, device, devices, dtype, result, init, column,
      input;
  std::optional<std::string> separator, missing, integers, shape, by;
  std::optional<std::string> eps, weight, bias;
  std::optional<std::string> at, method, bins, range, edges;
  std::optional<std::string> op, data, counts, line, seed, condition, plot, location, base, seconds;
  std::optional<std::string> partial, save_partial, begin;
  std::optional<std::string> preset, output, largest, tolerance, peers, from, color;
  std::vector<std::string> compare;  ///< two files, or none
  bool quick = false, full = false;
  bool header = false;
  bool keep = false;
  bool skip_nan = false;
  bool exclusive = false;
  bool warm = false;
  bool check = false;
  bool force = false;
  output_format format = output_format::text;
  bool explain = false;
  std::string shell;
};

/// Reads the command line. Nothing if it asked for help or the version, which are then on standard output. Operations
/// in place of the command mean reduce: "onefold sum x" is "onefold reduce sum x".
/// Throws failure (wrong usage) with one line.
std::optional<arguments> read_arguments(int count, const char* const* words);

}  // namespace onefold::cli
