// The built-in data sets: arrays by name, seed, length and type, with the same bits on every machine.
//
// docs/accuracy-lab.md says what each of them shows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "onefold/types.hpp"

namespace onefold::data {

/// One data set.
struct set_info {
  std::string_view name;
  std::string_view summary;
  bool takes_condition;  ///< whether a condition number can be asked for
};

/// All data sets.
std::span<const set_info> sets();

/// The place of the set with this name, or nothing.
std::optional<int> find_set(std::string_view name);

/// What is to be made.
struct request {
  int set = 0;  ///< place in sets()
  dtype type = dtype::f64;
  std::int64_t n = 0;
  std::uint64_t seed = 1;
  double condition = 1e8;  ///< of the sum, for sets that take it; at least 1
};

/// Throws onefold::error where fill would: the types are f32, f64, f16 and bf16, and a type's exponents and few
/// elements limit the condition number.
void check(const request& what);

/// Makes the elements at `elements`, aligned for the type. Throws onefold::error for what is not supported.
void fill(const request& what, void* elements);

}  // namespace onefold::data
