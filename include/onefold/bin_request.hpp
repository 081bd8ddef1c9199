// The record of a histogram that crosses a library border: elements, and the bins that they are counted in.
#pragma once

#include <cstdint>

#include "onefold/types.hpp"

namespace onefold {

/// How a multiplication tells the bin of most elements where bins have equal widths. With
/// place = (x - low) * per_unit - 1/2, rounded at each step or once, in f32 or f64, element x is in bin i if i is
/// within 1/2 - margin of place; what is nearer to an edge has to be searched for. A margin of 1/2 or more tells
/// nothing.
struct bin_guess {
  double low;         ///< the lower edge of the first bin
  double per_unit;    ///< how many bins a unit has
  double margin_f32;  ///< of a place that is computed in f32, low and per_unit rounded to f32; elements up to 32 bits
  double margin_f64;  ///< of a place that is computed in f64
};

/// Elements, and bins that do not overlap. A *key* is an element's bits as an unsigned integer, so turned that keys
/// ascend with elements: with the sign bit inverted, and of negative floating-point numbers all other bits, too. Keys
/// of NaN are beyond those of both infinities. An element is in the last bin whose limit is not above its key, unless
/// its key is below the first limit or above `last`.
struct bin_request {
  std::uint32_t size;           ///< sizeof(bin_request)
  dtype element;                ///< of the data
  const void* data;             ///< the elements, in memory of any kind
  std::int64_t n;               ///< how many, at least one
  const std::uint64_t* limits;  ///< the key of each bin's first element, in host memory; they do not descend
  std::uint64_t last;           ///< the key of the last element of the last bin, not below the first limit
  std::int64_t bins;            ///< how many, at least one
  bin_guess guess;              ///< for bins of equal widths
  int device;                   ///< -1: the current one
};

}  // namespace onefold
