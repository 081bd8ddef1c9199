// Reads elements that a function of the caller's computes, into a tile.
#pragma once

#include <cstdint>

#include "onefold/detail/mapping.hpp"

namespace onefold::detail {

/// Some elements of neighboring outputs of one line.
struct computed {
  std::int64_t output;  ///< the first output's number
  std::int64_t count;   ///< of outputs
  std::int64_t first;   ///< the number of the first element of each
  std::int64_t n;       ///< how many of each
};

/// Walks the arrays of a function.
class mapped_reader {
 public:
  explicit mapped_reader(const mapping& m);

  /// Whether neighboring outputs are neighbors in memory, so that they are better computed element by element.
  bool prefers_columns() const;

  /// Whether the elements of an output are neighbors in all arrays.
  bool reads_lines() const;

  /// Where an output's first element is in an array, in elements.
  std::int64_t place_of(int array, std::int64_t output) const;

  /// Writes these elements to `to`, those of an output one after the other; `columns`: those of one number for all
  /// outputs one after the other, which is for one reduced axis.
  void read(const mapped_source& from, const computed& which, bool columns, void* to) const;

 private:
  mapping m_;
  axis inner_[most_mapped_arrays];  ///< the kept axis along which outputs are neighbors
};

}  // namespace onefold::detail
