// The records of a row operation that cross a library border besides its request: a mask that selects elements,
// functions that compute them or take results, and what a device does with the latter.
#pragma once

#include <cstdint>

#include "onefold/map_request.hpp"
#include "onefold/row_request.hpp"
#include "onefold/selection.hpp"

struct CUstream_st;  // what cudaStream_t points to

namespace onefold {

/// Where a result belongs: to a line, numbered in C order of the lines, and to a position along it; 0 where there is
/// one result a line.
struct row_position {
  std::int64_t line;      ///< which line
  std::int64_t position;  ///< which element of it
};

/// Results of neighboring lines that a device hands to a function.
struct store_launch {
  const void* function;  ///< the function object, in host memory
  const void* results;   ///< the results, for the device to read
  std::int64_t first;    ///< the number of the first line
  std::int64_t lines;    ///< how many lines, at least one,
  std::int64_t n;        ///< with so many results each, at least one
  bool in_columns;       ///< whether results of one position lie one after another; else those of a line do
  CUstream_st* stream;   ///< to launch on
  bool follows;          ///< as in device_launch
};

/// A function that takes results, compiled for the device.
struct device_store {
  std::uint32_t size;  ///< sizeof(device_store) where it was filled in: a border check

  /// Launches; returns a cudaError_t.
  int (*launch)(const store_launch& how);
};

/// A function that takes results. Any thread may call it, and several at once.
struct row_store {
  const void* context = nullptr;  ///< the function object
  /// Takes the n results of a line, on the CPU.
  void (*take)(const void* context, const void* results, std::int64_t line, std::int64_t n) noexcept = nullptr;
  const device_store* device = nullptr;  ///< its record, where a .cu file compiled it; else a device cannot call it
};

/// What is done to which lines, and to which of their elements.
struct row_problem {
  row_request what;              ///< the operation and the lines
  selection selects;             ///< kind all: all elements are selected
  mapping maps;                  ///< arrays of the function that computes the elements; none: they are in memory
  bool stores = false;           ///< whether a function takes the results; then `what.to` has C order and no memory
  bool maps_on_device = true;    ///< whether the function that computes was compiled for a device, too
  bool stores_on_device = true;  ///< the same of the function that takes results
};

/// What a run is given besides its memory.
struct row_extras {
  const void* mask = nullptr;  ///< of the selection; null without one in memory
  mapped_source from = {};     ///< what computes the elements, where a function does
  row_store store = {};        ///< where the problem stores
};

}  // namespace onefold
