// The part of a reduction of computed elements that knows no type: where the arrays of a function lie, and what
// computes its values.
#pragma once

#include <cstdint>
#include <span>

#include "onefold/array_view.hpp"
#include "onefold/detail/engine.hpp"
#include "onefold/problem.hpp"

namespace onefold::detail {

/// The most arrays whose elements a function takes.
inline constexpr int most_mapped_arrays = 3;

/// Lines of elements that are computed at once. Places of elements count from the first one of their array.
struct mapped_lines {
  std::int64_t lines;
  std::int64_t n;                           ///< elements of each
  std::int64_t distance;                    ///< from where one line is written to the next, in elements
  std::int64_t first[most_mapped_arrays];   ///< of each array: the place of the first element,
  std::int64_t along[most_mapped_arrays];   ///< from an element of a line to its next,
  std::int64_t across[most_mapped_arrays];  ///< from a line to the next
};

/// How the arrays of a function lie: the same axes, each with its own strides.
struct mapping {
  int arrays = 0;
  problem of[most_mapped_arrays];
};

/// An array of a function.
struct mapped_array {
  const void* data = nullptr;     ///< its first element
  std::int64_t element_size = 0;  ///< bytes; 0: the elements are not in memory that is known
};

/// What computes elements. Any thread may call it, and several at once.
struct mapped_source {
  const void* context = nullptr;
  void (*compute)(const void* context, const mapped_lines& which, void* to) noexcept = nullptr;
  std::int64_t element_size = 0;  ///< bytes of what is computed
  mapped_array arrays[most_mapped_arrays];
};

/// The axes of an array of a function.
struct mapped_axes {
  std::size_t rank = 0;
  axis axes[most_axes] = {};
  friend bool operator==(const mapped_axes&, const mapped_axes&) = default;
};

/// Throws invalid_argument for arrays whose extents differ.
ONEFOLD_API void check_mapped_axes(std::span<const mapped_axes> arrays);

/// As make_problem, for all arrays.
ONEFOLD_API extents make_mapping(std::span<const mapped_axes> arrays, const over& along, mapping* made);

/// Chooses and reduces once: outputs of the request's mapping into `results`, which has room for `capacity` of them.
/// `op` and `init` are as in the recipe. `ran` is null, or gets what ran.
ONEFOLD_API void run_mapped_once(const request& what, const options& how, const void* op, const mapped_source& from,
                                 const void* init, void* results, std::int64_t capacity, run_report* ran);

}  // namespace onefold::detail
