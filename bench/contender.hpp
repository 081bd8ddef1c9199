// What is measured: one reduction by one contender, and how its row and name are written.
//
// A benchmark's name has six parts: row/type/bytes/threads/contender/flavor, as sum/f32/1048576/1/Eigen/fast.
// The contenders of one row are measured in turns over the same array, and compared with each other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "onefold/types.hpp"

namespace bench {

/// The threads that a contender starts. OpenMP's spin between two calls and slow TBB's down, so that contenders
/// with several threads share a process with their own kind only.
enum class runtime { none, openmp, tbb };

/// Element types, as in the names.
template <class T>
inline constexpr const char* type_name = nullptr;
template <>
inline constexpr const char* type_name<float> = "f32";
template <>
inline constexpr const char* type_name<double> = "f64";
template <>
inline constexpr const char* type_name<onefold::f16> = "f16";
template <>
inline constexpr const char* type_name<onefold::bf16> = "bf16";
template <>
inline constexpr const char* type_name<std::int8_t> = "i8";
template <>
inline constexpr const char* type_name<std::int16_t> = "i16";
template <>
inline constexpr const char* type_name<std::int32_t> = "i32";
template <>
inline constexpr const char* type_name<std::int64_t> = "i64";

/// One contender of a row, for arrays of any size of one type.
struct contender {
  std::string row;  ///< "sum", "max": everyone, and the value is checked; "modes", "levels": onefold alone; "exact",
                    ///< and "hostile" with exponents over the whole range: its exact sum beside its plain one
  std::string type;
  std::string name;
  std::string flavor;  ///< a peer's compiler flags; of onefold what ran, or the instruction set
  runtime needs;       ///< what it starts when there are two threads or more
  /// Makes the function that reduces n elements with that many threads; it is called once for a benchmark.
  std::function<std::function<double(const void*)>(std::int64_t n, int threads)> prepare;
  /// Of a shape (shapes.hpp) or of lines (lines.hpp): its elements, and whether the results for an array are right, of
  /// which the function above says nothing.
  std::int64_t elements = 0;
  std::function<bool(const void* data, int threads)> is_right = {};
  std::int64_t most_bytes = std::int64_t{1} << 40;  ///< of an array, for what is slow
};

/// The loops that only read: the limit of what a reduction can reach.
void add_limits(std::vector<contender>& list);

/// This library: sum, max, sums over axes, scans and row operations beside the peers, the accuracies and other
/// operations, the instruction sets.
void add_onefold(std::vector<contender>& list, runtime used, int threads);

/// Its verbs of vectors and order statistics (operations.hpp).
void add_onefold_operations(std::vector<contender>& list, runtime used);

/// The plain loop over a superaccumulator, for the rows "exact" and "hostile".
void add_superaccumulator(std::vector<contender>& list);

/// The peers, of arrays, shapes and lines, each with plain -O3 and with -O3 -march=native -ffast-math.
void add_peers(std::vector<contender>& list);

/// Registers the calls of a plan for a few elements, with the allocations that they make.
void register_calls();

/// Registers a backend (openmp or tbb) against sequential over a range of sizes: in a loop, and after 10 ms in
/// which its threads had nothing to do.
void register_thresholds(runtime used, int threads);

}  // namespace bench
