// The laboratory of row operations: the lines of an array, worked on by every backend in every accuracy mode, by a
// plain loop and by Python's packages, and judged by results far beyond f64.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/inquiry.hpp"
#include "lab/laboratory.hpp"
#include "lab/rows/errors.hpp"
#include "onefold/row_request.hpp"

namespace onefold::cli {

/// One way to the results, and how good they are.
struct row_finding {
  std::string mode;               ///< an accuracy, "plain loop", or a package of Python with its version
  std::optional<run_report> ran;  ///< nothing but for backends
  row_errors errors;
  bool agrees = true;  ///< has the bits of backend sequential in this mode
};

/// All that was found out about the lines of one array.
struct row_study {
  specimen what;
  std::int64_t line;  ///< elements of each
  std::vector<row_finding> findings;
  std::vector<missing> left_out;  ///< modes that no backend, or one, has, and packages without results
};

/// A row operation, with its default eps and without weight and bias.
class row_inquiry final : public inquiry {
 public:
  /// `lines`: the lengths that arrays are cut into; none: lines lie along the last axis.
  row_inquiry(experiment how, std::vector<std::int64_t> lines);

  std::string operation() const override;
  bool needs_c_order() const override { return true; }
  int passes(const specimen& what) const override;
  void examine(const specimen& what, std::span<const std::byte> elements, progress_counter& counted) override;
  void require_findings() const override;
  void complain() const override;
  std::string as_text() const override;
  std::string as_json() const override;
  std::string as_csv() const override;

 private:
  row_operation asked() const { return static_cast<row_operation>(how_.operation); }
  std::vector<std::int64_t> lines_of(const specimen& what) const;

  experiment how_;
  std::vector<std::int64_t> lines_;
  double eps_;
  std::vector<row_study> studies_;
};

}  // namespace onefold::cli
