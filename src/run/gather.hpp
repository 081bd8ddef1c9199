// Copies elements that lie apart into neighboring places, so that a fold sees a contiguous array, and results back.
#pragma once

#include <cstdint>

#include "onefold/problem.hpp"

namespace onefold::detail {

/// The distance of a tile's lines of n elements, in elements: one cache line more than their length, since lines a
/// power of two apart share the same few cache sets. Sums of f32 along axis 0 of 1024 x 1024 take 0.1 of the time (EPYC
/// with AVX-512).
constexpr std::int64_t pitch_of(std::int64_t n, std::int64_t size) { return n + (size < 64 ? 64 / size : 1); }

/// Some elements of some neighboring outputs.
struct scattered {
  std::int64_t outputs;
  std::int64_t across;   ///< from one output to the next, in elements
  const problem* shape;  ///< whose reduced axes say where the elements of an output lie
  std::int64_t first;    ///< the number of the first one to copy
  std::int64_t n;        ///< how many of each output
  /// From one output to the next among the neighbors, in elements; 0: they follow each other.
  std::int64_t pitch = 0;
};

/// Copies them, output by output, to `to`; `data` is the first output's first element of all.
void gather(const void* data, const scattered& which, std::int64_t element_size, void* to);

/// Copies them back from there.
void scatter(const void* from, const scattered& which, std::int64_t element_size, void* data);

/// Numbers of elements, in the bits of words that a mask selects.
struct numbers {
  const std::uint64_t* words;
  std::uint64_t mask;
  std::int64_t n;  ///< how many
};

/// Copies the elements with these numbers.
void gather(const void* data, const numbers& which, std::int64_t element_size, void* to);

}  // namespace onefold::detail
