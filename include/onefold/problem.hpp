// How the elements of a reduction lie in memory: which outputs there are, and which elements belong to each.
#pragma once

#include <cstdint>

#include "onefold/types.hpp"

namespace onefold {

/// The most axes that a view can have.
inline constexpr int most_axes = 8;

/// One axis of an array.
struct axis {
  std::int64_t extent;  ///< how many elements
  std::int64_t stride;  ///< from one to the next, in elements: any sign, and 0 for an axis that repeats
  /// Whether extents and strides are equal.
  friend bool operator==(const axis&, const axis&) = default;
};

/// A reduction over some axes of an array. Its outputs lie one after another, in C order of the kept axes; the
/// elements of each are counted in C order of the reduced ones. Neighboring axes that are one are merged, and those of
/// one element left out, so that few are left.
struct problem {
  std::uint32_t size;         ///< sizeof(problem)
  std::int32_t kept_axes;     ///< how many are kept
  std::int32_t reduced_axes;  ///< how many are reduced
  axis kept[most_axes];       ///< outermost first
  axis reduced[most_axes];    ///< likewise
  std::int64_t outputs;       ///< how many, the product of the kept axes
  std::int64_t n;             ///< elements of each, the product of the reduced axes
};

/// How far a problem's elements reach from the first one, in bytes: to the beginning of the lowest, at most 0, and to
/// the end of the highest.
struct element_reach {
  std::int64_t first;  ///< the beginning
  std::int64_t end;    ///< the end
};
/// The reach of a problem.
constexpr element_reach reach_of(const problem& p, std::int64_t element_size) {
  element_reach r{0, 0};
  if (p.outputs == 0 || p.n == 0) return r;
  const auto extend = [&](const axis* axes, std::int32_t count) {
    for (std::int32_t i = 0; i < count; ++i) {
      const std::int64_t far = (axes[i].extent - 1) * axes[i].stride * element_size;
      (far < 0 ? r.first : r.end) += far;
    }
  };
  extend(p.kept, p.kept_axes);
  extend(p.reduced, p.reduced_axes);
  r.end += element_size;
  return r;
}

/// The segments of an array: segment i has the elements from offsets[i] to offsets[i + 1]. Offsets do not decrease.
struct device_segments {
  std::int64_t elements;                       ///< of the array; what offsets say beyond its end is left out
  std::int64_t total;                          ///< at most this many elements are in segments
  const void* offsets;                         ///< one more than segments
  std::int64_t count;                          ///< of segments, at least 1
  bool wide;                                   ///< offsets of 8 bytes, else of 4
  const std::int64_t* device_count = nullptr;  ///< null, or device memory that holds how many; `count` is then the most
};

}  // namespace onefold
