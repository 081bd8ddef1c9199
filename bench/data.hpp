// The arrays that the benchmarks reduce: pseudo-random numbers, with their sum and maximum as a check.
#pragma once

#include <cstdint>
#include <string>

namespace bench {

/// Bytes of an element of the type of that name.
std::int64_t element_size(const std::string& type);

/// What the elements are: see sample_of.
enum class values { usual, hostile, positive };

/// An array and what a reduction of it must give.
struct sample {
  const void* data;  ///< 64-byte aligned, in the pages that the system gives by default
  double sum;
  double magnitude;  ///< the sum of |x|: what errors of a sum are measured by
  double max;
};

/// The array of `bytes` bytes with elements of the type of that name; floating-point elements lie in (-1, 1),
/// integers have all their bits, but i32 29 and i64 33 of them, so that no peer overflows. Hostile floating-point
/// elements have any finite bits; positive ones are the magnitudes of the usual ones. Only the last array asked for is
/// kept.
const sample& sample_of(const std::string& type, std::int64_t bytes, values kind = values::usual);

}  // namespace bench
