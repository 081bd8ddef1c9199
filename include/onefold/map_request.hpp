// The records of computed elements that cross a library border: the arrays of a function, and what computes its values
// on the CPU and on a device.
#pragma once

#include <cstdint>

#include "onefold/device.hpp"
#include "onefold/options.hpp"
#include "onefold/problem.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// The most arrays whose elements a function takes.
inline constexpr int most_mapped_arrays = 3;

/// How the arrays of a function lie: the same axes, each with its own strides.
struct mapping {
  int arrays = 0;                  ///< how many
  problem of[most_mapped_arrays];  ///< of each
};

/// An array of a function.
struct mapped_array {
  const void* data = nullptr;      ///< its first element
  std::int64_t element_size = 0;   ///< bytes; 0: the elements are not in memory that is known
  std::int32_t element_align = 1;  ///< what a device needs the address of an element to be a multiple of, in bytes
  dtype element = dtype::other;    ///< the type of the catalog that an element is reduced as
};

/// Lines of elements that are computed at once, on the CPU. Places of elements count from the first one of their array.
struct mapped_lines {
  std::int64_t lines;                       ///< how many
  std::int64_t n;                           ///< elements of each
  std::int64_t distance;                    ///< from where one line is written to the next, in elements
  std::int64_t first[most_mapped_arrays];   ///< of each array: the place of the first element,
  std::int64_t along[most_mapped_arrays];   ///< from an element of a line to its next,
  std::int64_t across[most_mapped_arrays];  ///< from a line to the next
};

/// Neighboring numbers of elements along some axes of a function's arrays, in C order.
struct mapped_range {
  std::int64_t first;                                  ///< the first number
  std::int64_t count;                                  ///< how many
  std::int32_t axes;                                   ///< how many
  std::int64_t extent[most_axes];                      ///< outermost first
  std::int64_t stride[most_mapped_arrays][most_axes];  ///< of each array, in elements
};

/// Elements that a device computes: for each number of `outer` and each of `inner`, from the elements that are as far
/// from the first one of their array as the two say together. Those of one number of `outer` lie one after another.
struct map_launch {
  const void* function;                    ///< the function object, in host memory
  const void* arrays[most_mapped_arrays];  ///< the first element of each array, for the device to read
  mapped_range outer;                      ///< numbers of it
  mapped_range inner;                      ///< and of it: with fewer than 2^31 elements in all, and at least one
  void* to;                                ///< device memory for them
  CUstream_st* stream;                     ///< to launch on
  bool follows;                            ///< as in device_launch
};

/// An operation's fold that computes its elements by itself, compiled for the device. Elements of an output, those of
/// one number of `outer`, are next to each other in each array; `to` is ignored. Functions return a cudaError_t.
struct mapped_fold {
  /// As device_fold::launch, over how.n elements of one output.
  int (*launch)(const device_launch& how, const map_launch& from);

  /// As device_fold::launch_shape, over an output for each number of `outer`, which begin at multiples of 16 bytes.
  /// Null: it folds one output alone.
  int (*launch_outputs)(const device_launch& how, const map_launch& from, std::int32_t distance);
};

/// A function compiled for the device.
struct device_map {
  std::uint32_t size;  ///< sizeof(device_map) where it was filled in: a border check

  /// Launches; returns a cudaError_t.
  int (*launch)(const map_launch& how);

  /// Finds the fold of an operation of the catalog, by its place there, at an accuracy: null where it was not compiled
  /// with the function. Null: none was.
  const mapped_fold* (*fold_of)(int operation, accuracy mode);
};

/// The library's own functions, which an accelerator's module has compiled for the element types of their arrays and
/// the types that they return.
enum class known_function : std::uint8_t {
  none,             ///< not one of them
  product,          ///< x y in the type that is returned, rounded once
  distance,         ///< |x - y|: integers exactly, and then as the type that is returned
  magnitude,        ///< |x|
  itself,           ///< x, as the type that is returned
  rounded_product,  ///< of f64: as detail::rounded_product
  lost_product,     ///< of f64: as detail::lost_product
  band_of_product,  ///< of f64: as detail::band_of_product
  part_of_product,  ///< of f64: as detail::part_of_product, which the function object is
};

/// How a device computes elements. With neither a record nor a known function it cannot.
struct mapped_device {
  const void* function = nullptr;               ///< the function object, in host memory,
  const device_map* map = nullptr;              ///< and its record, where a .cu file compiled it; else null
  known_function known = known_function::none;  ///< which function of the library's it is
  dtype result = dtype::other;                  ///< what it returns
  /// Whether it can.
  constexpr bool exists() const { return map || known != known_function::none; }
};

/// What computes elements. Any thread may call it, and several at once.
struct mapped_source {
  const void* context = nullptr;  ///< what `compute` is called with
  /// Computes lines on the CPU.
  void (*compute)(const void* context, const mapped_lines& which, void* to) noexcept = nullptr;
  std::int64_t element_size = 0;                 ///< bytes of what is computed
  mapped_array arrays[most_mapped_arrays] = {};  ///< of the function
  mapped_device device = {};                     ///< what a device does instead
};

}  // namespace onefold
