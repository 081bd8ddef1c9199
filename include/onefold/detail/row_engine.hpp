// The part of a row operation that knows no element type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "onefold/axes.hpp"
#include "onefold/detail/mapping.hpp"
#include "onefold/detail/selection.hpp"
#include "onefold/options.hpp"
#include "onefold/report.hpp"
#include "onefold/row_problem.hpp"

struct CUstream_st;  // what cudaStream_t points to

namespace onefold::detail {

/// How many values there are of what a caller gives along with the data; 0: none are given.
struct row_sizes {
  std::size_t weight, bias, mean, rstd;
  /// Whether both are equal.
  friend bool operator==(const row_sizes&, const row_sizes&) = default;
};

/// The extents of the results: those of the array, for logsumexp without the axis. Throws invalid_argument for an axis
/// that the array does not have.
ONEFOLD_API extents row_extents(std::span<const axis> from, int along, row_operation operation);

/// How lines lie: an array, which a checked mask may select from; or the arrays, with equal extents, of a function that
/// computes the elements.
struct row_layout {
  std::span<const axis> axes;
  mask_view mask = {};
  std::span<const mapped_axes> arrays = {};
};

/// An operation on lines along an axis, with results that have the axes `to`. Throws invalid_argument where they do not
/// have the extents, where sizes are not those of a line or not as many as there are lines, and for what the operation
/// does not take.
ONEFOLD_API row_problem make_rows(row_operation operation, dtype element, const row_layout& lines,
                                  std::span<const axis> to, int along, std::optional<double> eps,
                                  const row_sizes& sizes);

/// Throws invalid_argument where parameters do not have the sizes that a plan was made with.
ONEFOLD_API void require_sizes(const row_sizes& planned, const row_sizes& given);

/// The same where the data, its mask or the arrays do not lie as those do.
ONEFOLD_API void require_alike(const row_layout& planned, const row_layout& given);

/// A chosen backend with its scratch, which works on rows.
class ONEFOLD_API row_engine {
 public:
  /// Chooses. Throws onefold::error where the request cannot be met.
  row_engine(const row_problem& what, const options& how);
  /// The same for data that is there: backends that cannot read it are not opened.
  row_engine(const row_problem& what, const options& how, const row_memory& memory, const row_extras& extras);
  row_engine(row_engine&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
  row_engine& operator=(row_engine&& other) noexcept {
    row_engine taken(std::move(other));
    std::swap(impl_, taken.impl_);
    return *this;
  }
  ~row_engine();

  /// Works on the lines.
  void run(const row_memory& memory, const row_extras& extras);

  /// Enqueues the same on a stream, with everything in device memory, and does not wait.
  void enqueue(const row_memory& memory, const row_extras& extras, CUstream_st* stream);

  /// What runs, and why.
  run_report report() const;

 private:
  struct impl;
  impl* impl_;
};

}  // namespace onefold::detail
