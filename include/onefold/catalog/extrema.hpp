// Selections, exact at every accuracy: min, max, fmin, fmax, minmax, argmin, argmax.
//
// The order is total: -0 < +0. In min and max a NaN wins; in fmin and fmax it is ignored (IEEE 754-2019,
// minimum/maximum and minimumNumber/maximumNumber).
#pragma once

#include "onefold/catalog/facts.hpp"

namespace onefold {

/// The result of minmax.
template <class T>
struct minmax_result {
  T min;  ///< as op::min has it
  T max;  ///< as op::max has it
  // Not defaulted: clang 14 refuses that for types whose == is not constexpr, such as CUDA's __half.
  /// Whether both are equal.
  friend constexpr bool operator==(const minmax_result& a, const minmax_result& b) {
    return a.min == b.min && a.max == b.max;
  }
};

inline namespace ONEFOLD_LEVEL {
namespace op {

/// What min, max, fmin and fmax share.
struct extreme : common_facts {
  static constexpr operation_family family = operation_family::extreme;
  static constexpr bool empty_allowed = false;
  static constexpr bool takes_init = true;
  static constexpr bool rounded = false;
  template <class T>
  using result = T;
};

/// The smallest element; NaN if there is one; -0 < +0. Empty: an error.
struct min : extreme {
  static constexpr const char* name = "min";
  static constexpr bool has_scan_verb = true;
  static constexpr const char* summary = "smallest element; NaN if there is one";
};
/// The largest element; NaN if there is one; -0 < +0. Empty: an error.
struct max : extreme {
  static constexpr const char* name = "max";
  static constexpr bool has_scan_verb = true;
  static constexpr const char* summary = "largest element; NaN if there is one";
};
/// The smallest element that is not a NaN; NaN if all are. Empty: an error.
struct fmin : extreme {
  static constexpr const char* name = "fmin";
  static constexpr const char* summary = "smallest element, NaN ignored";
};
/// The largest element that is not a NaN; NaN if all are. Empty: an error.
struct fmax : extreme {
  static constexpr const char* name = "fmax";
  static constexpr const char* summary = "largest element, NaN ignored";
};

/// Smallest and largest element in one pass, as min and max.
struct minmax : common_facts {
  static constexpr const char* name = "minmax";
  static constexpr const char* summary = "smallest and largest element";
  static constexpr operation_family family = operation_family::extreme;
  static constexpr bool empty_allowed = false;
  static constexpr bool takes_init = false;
  static constexpr bool rounded = false;
  template <class T>
  using result = minmax_result<T>;
};

/// What argmin and argmax share.
struct arg_extreme : common_facts {
  static constexpr operation_family family = operation_family::search;
  static constexpr bool empty_allowed = false;
  static constexpr bool takes_init = false;
  static constexpr bool rounded = false;
  static constexpr bool gives_index = true;
  template <class T>
  using result = std::int64_t;
};

/// The index of the first smallest element, or of the first NaN; -0 < +0. Empty: an error.
struct argmin : arg_extreme {
  static constexpr const char* name = "argmin";
  static constexpr const char* summary = "index of the first smallest element";
};
/// The index of the first largest element, or of the first NaN; -0 < +0. Empty: an error.
struct argmax : arg_extreme {
  static constexpr const char* name = "argmax";
  static constexpr const char* summary = "index of the first largest element";
};

}  // namespace op
}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
