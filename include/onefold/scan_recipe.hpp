// The record of a scan that crosses a library border, besides the recipe of its operation: sizes and functions.
#pragma once

#include <cstdint>

#include "onefold/recipe.hpp"
#include "onefold/types.hpp"

namespace onefold {

struct device_scan;

/// Whether a prefix ends with the element that its result belongs to, or before it.
enum class scan_kind {
  inclusive,  ///< result i is of elements 0 to i
  exclusive,  ///< result i is of the elements before i: the first one of none, or of the initial value
};

/// Neighboring elements of a line, whose prefixes are reduced, and where the results go.
struct scan_part {
  const void* data;    ///< the first element
  std::int64_t n;      ///< how many, at least 1
  std::int64_t index;  ///< of data[0] in its line: a multiple of the page
  void* nodes;         ///< states of the aligned nodes that make up the line before data[0], from its beginning on, in
                       ///< memory for scan_nodes of them; `scan` leaves those before the next part there, if this
                       ///< one ends with a page
  std::int32_t node_count;   ///< how many there are
  bool exclusive;            ///< whether a result leaves out its own element
  bool from_memory;          ///< whether elements come from memory, and are asked for ahead
  bool to_memory;            ///< whether the results are too many for the caches, and may go past them
  dtype result_type;         ///< as for recipe::finish
  std::int32_t result_size;  ///< bytes of a result
  const void* init;          ///< null, or a value of the result type that is in front of the line
  void* results;             ///< of data[0]; where elements and results have one size, it may be data
};

/// The most nodes before an element of a line, one that is not combined yet included.
inline constexpr int scan_nodes = 49;

/// Writes `count` results of `size` bytes, those of states of n, n + 1, ... elements; init, result_type and what is
/// returned are as for recipe::finish.
using write_results = const char* (*)(const void* op, const void* states, int count, std::int64_t n, const void* init,
                                      dtype result_type, std::int32_t size, void* results);

/// How to scan with the operation of a recipe.
struct scan_recipe {
  std::uint32_t size;       ///< sizeof(scan_recipe) where it was filled in: a border check
  std::uint32_t room_size;  ///< bytes that `scan` works in, at 64 bytes and at the recipe's state_align
  write_results write;      ///< what `scan` is given to write with

  /// The same scan for a device, where it was compiled for one with this record: a user-defined operation in a .cu
  /// file; else null.
  const device_scan* device;

  /// Writes the results of a part: of each element, or of those before it, with all of the line before the part. Each
  /// has the bits of a reduction of that prefix alone. Returns null, or why one of them has no result.
  const char* (*scan)(const void* op, scan_part& part, write_results write, void* room);
};

}  // namespace onefold
