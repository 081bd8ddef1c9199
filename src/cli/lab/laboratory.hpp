// The laboratory: an array reduced by every backend in every accuracy mode, and judged by the exact result.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "input/progress_counter.hpp"
#include "lab/reference.hpp"
#include "lab/specimen.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/error.hpp"

namespace onefold::cli {

/// What is asked of each array.
struct experiment {
  int operation = 0;                 ///< one of the referenced ones; or a row_operation
  std::vector<backend> backends;     ///< at least one
  std::vector<accuracy> accuracies;  ///< modes
  bool strict = false;               ///< a mode that a backend does not have is an error, and not left out
  options how;                       ///< threads and instruction set
};

/// One way to the result, and how good it is.
struct finding {
  std::string mode;               ///< an accuracy, or "left fold"
  std::optional<run_report> ran;  ///< nothing for the left fold
  scalar value;
  double error;                 ///< exact result - value
  std::optional<double> ulps;   ///< |error| in units in the last place of the exact result; nothing where that is 0
  double relative;              ///< |error| over |exact result|; infinite where that is 0 and the error is not
  std::optional<double> bound;  ///< of |error|, as docs/accuracy.md promises; nothing for the left fold
  bool agrees = true;           ///< has the bits of the mode's first backend
  double seconds = 0;           ///< median of several calls
  double waited = 0;            ///< share of their time in which threads waited for a processor
  bool noisy = false;           ///< something disturbed them: measure/noise.hpp

  bool within_bound() const;
};

/// A mode that a backend, or none, has for an array.
struct missing {
  std::string mode;
  std::optional<onefold::backend> backend;  ///< nothing where none has it
  std::string why;
  error_code code;
};

/// A way's value, judged by the exact result; nothing is known of its time.
finding judged(std::string mode, const scalar& value, const exact_reference& exact);

/// The same at an accuracy, by what ran.
finding judged(accuracy a, const scalar& value, const run_report& ran, const exact_reference& exact);

/// Whether an error says that the result is unsupported or undefined, not that something broke.
bool is_missing(error_code code);

/// The error where no mode could run: what the first one lacks is the answer.
error no_mode(const missing& first);

/// All that was found out about one array.
struct study {
  specimen what;
  scalar exact;      ///< correctly rounded
  double magnitude;  ///< the sum of |x|, or of the squares
  double condition;
  std::vector<finding> findings;
  std::vector<missing> left_out;

  /// Adds a finding at an accuracy, and whether it agrees with the first one there.
  void add(finding f);
  double gigabytes_per_second(const finding& f) const;
};

/// Runs the experiment on an array. The left fold comes first. Throws as reduce does.
study examine(const specimen& what, std::span<const std::byte> elements, const experiment& how,
              progress_counter& counted);

/// Passes over an array's elements that one examination takes, for the progress line.
int passes(const experiment& how);

}  // namespace onefold::cli
