// The part of partials and accumulators that knows no type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "onefold/detail/engine.hpp"
#include "onefold/options.hpp"
#include "onefold/recipe.hpp"
#include "onefold/report.hpp"

namespace onefold::detail {

/// What a partial is of.
struct partial_kind {
  int operation = -1;              ///< place in the catalog, or -1 for a user-defined operation
  const recipe* own = nullptr;     ///< the user-defined operation
  const char* identity = nullptr;  ///< of a user-defined operation: what its types and its compiler are called
  dtype element = dtype::other;
  accuracy mode = accuracy::native;
};

/// A partial: what is known of count() elements from position begin() on. `op` is the operation object, as in the
/// recipe. Of one that was moved from, all but assignment and destruction throw invalid_argument.
class ONEFOLD_API partial_core {
 public:
  struct impl;
  /// Owns what the library has made.
  explicit partial_core(impl* made) : impl_(made) {}
  /// For no elements. Throws unsupported where the catalog does not have the entry, invalid_argument for a negative
  /// position.
  partial_core(const partial_kind& what, std::int64_t begin);
  partial_core(const partial_core& other);
  partial_core(partial_core&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
  partial_core& operator=(partial_core other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
  }
  ~partial_core();

  const partial_kind& kind() const;
  std::int64_t begin() const;
  std::int64_t count() const;
  /// Whether the position of its elements does not matter.
  bool order_independent() const;

  /// Takes the elements of its neighbor, which come after its own. Throws invalid_argument where they do not, and
  /// where the other one is of another kind; it is then as before.
  void append(const void* op, const partial_core& right);

  /// The result, as reduce has it. Throws as reduce does, and invalid_argument where elements before its own are
  /// missing that the result needs.
  void result(const void* op, const request& to, const void* init, void* result) const;

  /// The partial as bytes.
  std::vector<std::byte> save() const;
  /// What save wrote of an operation of the catalog. Throws invalid_argument for all else.
  static partial_core load(std::span<const std::byte> bytes);
  /// The same, which must be of this operation and element type, of whatever accuracy.
  static partial_core load(std::span<const std::byte> bytes, const partial_kind& expected);

  /// What the library has made.
  impl& made() const;

 private:
  impl* impl_;
};

/// A partial that elements are pushed into, and what folds them.
class ONEFOLD_API accumulator_core {
 public:
  /// Goes on from a partial, to such results. Throws as a plan's constructor does, and unsupported for an accelerator.
  accumulator_core(const partial_core& from, const options& how, const request& results);
  accumulator_core(accumulator_core&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
  accumulator_core& operator=(accumulator_core&& other) noexcept {
    accumulator_core taken(std::move(other));
    std::swap(impl_, taken.impl_);
    return *this;
  }
  ~accumulator_core();

  /// Takes the next n elements.
  void push(const void* op, const void* data, std::int64_t n);

  std::int64_t count() const;
  const partial_kind& kind() const;

  /// What is known of all elements so far.
  partial_core partial(const void* op) const;

  /// As partial(op).result.
  void result(const void* op, const request& to, const void* init, void* result) const;

  /// What runs the longest push so far, and why.
  run_report report() const;

 private:
  struct impl;
  impl& made() const;
  impl* impl_;
};

/// "a sum of f32", "a sum of f32 at accuracy wide", "a user-defined operation".
ONEFOLD_API std::string describe(const partial_kind& what, bool accuracy_too);

/// A part of an array, in memory of its own.
struct array_part {
  const void* data;
  std::int64_t n;
};

/// Reduces an array that consists of parts, each folded where it is, those of different devices at once. `what` has the
/// operation, `to` the result, as for partial_core::result.
ONEFOLD_API void reduce_parts(const partial_kind& what, const options& how, const request& to, const void* op,
                              std::span<const array_part> parts, const void* init, void* result);

/// Borders of `ranks` parts of n elements, ranks + 1 of them: pages are not split, and parts have equally many, or one
/// more. Throws invalid_argument for a negative n and less than one rank.
ONEFOLD_API std::vector<std::int64_t> page_borders(std::int64_t n, int ranks, std::int64_t element_size);

}  // namespace onefold::detail
