// Folds of full pages of elements that the library's own functions compute: each value is folded as soon as it is
// there, instead of being written to a buffer first.
#pragma once

#include <cstdint>

namespace onefold::detail {

/// The folds over one element type T, f32 or f64, at one instruction-set level.
struct computed_pages {
  /// Folds a page whose first element is computed of *x and *y to `state`, a state of the catalog's operation at
  /// accuracy native. `bytes`: how many are read in the same call.
  using fold = void (*)(const void* x, const void* y, std::int64_t bytes, void* state);

  fold sum_of_products;         ///< of two arrays of T
  fold sum_of_products_of_f32;  ///< products in T
  fold sum_of_distances;        ///< |x - y|
  fold norm2_of_distances;
  fold sum_of_magnitudes;  ///< of one array, *x
};

}  // namespace onefold::detail
