// Sums over an axis of an array as contenders: which arrays, and what a contender of one is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "contender.hpp"
#include "onefold/options.hpp"

namespace bench {

/// An array in C order, and the axis that is summed: the last of two, or the first.
struct shape {
  std::vector<std::int64_t> extents;
  int axis;

  std::int64_t elements() const;
  std::int64_t rows() const { return extents[0]; }
  std::int64_t columns() const { return elements() / rows(); }  ///< further axes are one
  std::int64_t results() const { return axis == 0 ? columns() : rows(); }
  /// How its row of the benchmark is called: sum-4096x4096-axis1.
  std::string row() const;
};

/// The arrays: rows of 8 to 4096 elements, and first axes; a megabyte of f32, and 64.
std::vector<shape> shapes();

/// Sums one array of a shape into results of the elements' type.
using shape_reduction = std::function<void(const void* data, void* results)>;

/// A contender for one shape; `prepare` makes its reduction for a number of threads.
contender shape_contender(const shape& s, const char* type, const std::string& name, const std::string& flavor,
                          runtime needs, const std::function<shape_reduction(int threads)>& prepare);

/// This library's plans for each shape and, for rows on one thread, a loop that calls it for each of them.
void add_onefold_shapes(std::vector<contender>& list, runtime used, const onefold::options& how);

}  // namespace bench
