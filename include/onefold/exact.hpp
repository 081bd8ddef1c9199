// exact_sum: a sum without rounding that can be built piece by piece, merged in any order, stored, and rounded once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "onefold/detail/exact/rounding.hpp"
#include "onefold/detail/exact/serialized.hpp"
#include "onefold/reduce.hpp"

namespace onefold {

namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The count of n more elements. Throws overflow where there are more than an i64 counts, which only merging reaches.
inline std::int64_t add_to_count(std::int64_t count, std::int64_t n) {
  std::int64_t total = 0;
  if (__builtin_add_overflow(count, n, &total))
    throw error(error_code::overflow, "the exact sums together have more than 2^63 - 1 elements");
  return total;
}

/// The state of a fold of Op over a chunk, at accuracy exact.
template <class T, class Op, class State>
State exact_state(std::span<const T> chunk, const options& how) {
  if (!std::holds_alternative<std::monostate>(how.init.value()))
    throw error(error_code::invalid_argument, "exact_sum takes no initial value: push it");
  require_valid(how);
  State part{};
  if (chunk.empty()) return part;
  options exactly = how;
  exactly.accuracy = accuracy::exact;
  const auto n = static_cast<std::int64_t>(chunk.size());
  fold_once(request_for<T, Op, default_result<T, Op>>(n, false), exactly, chunk.data(), &part, sizeof part);
  return part;
}
}  // namespace ONEFOLD_LEVEL
}  // namespace detail

inline namespace ONEFOLD_LEVEL {

/// The exact sum of any number of f16, bf16, f32 or f64 elements (Kulisch's long accumulator: docs/accuracy.md). Pushed
/// element by element, in chunks or merged from other sums, in whatever grouping and order: the value and the bytes are
/// the same. One thread at a time may use it; sums of several threads are merged. 576 bytes, no memory besides.
template <class T>
class exact_sum {
  static_assert(detail::is_float<T>, "onefold: exact_sum is for f16, bf16, f32 and f64 elements");

 public:
  /// The bytes of the serialized form.
  static constexpr std::size_t serialized_size = detail::serialized_size;

  /// The sum of no elements.
  constexpr exact_sum() = default;

  /// Adds one element. Throws overflow, as all that adds elements does, where there would be more than 2^63 - 1 of
  /// them; the sum is then as before.
  void push(T x) {
    count_ = detail::add_to_count(count_, 1);
    detail::add(sum_, x);
  }

  /// Adds all elements of a chunk, at the speed of reduce with accuracy exact. `how` chooses what computes it (backend,
  /// threads, isa, device), not its accuracy. Throws as reduce does, and invalid_argument for an initial value.
  void push(std::span<const T> chunk, const options& how = {}) {
    const std::int64_t count = detail::add_to_count(count_, static_cast<std::int64_t>(chunk.size()));
    const auto part = detail::exact_state<T, op::sum, detail::superaccumulator>(chunk, how);
    detail::merge(sum_, part);
    count_ = count;
  }

  /// Adds another sum, as if its elements had been pushed here.
  void merge(const exact_sum& other) {
    const exact_sum copy = other;  // it may be this one
    count_ = detail::add_to_count(count_, copy.count_);
    detail::merge(sum_, copy.sum_);
  }

  /// How many elements it is the sum of.
  std::int64_t count() const { return count_; }

  /// The sum, rounded once to R: to nearest, ties to even. Overflow is infinite only here; infinities and NaN among the
  /// elements count as in IEEE addition, with the canonical NaN; a zero is +0.
  template <class R = default_result<T, op::sum>>
  R value() const {
    return detail::round<R>(sum_).value;
  }
  /// Whether value<R>() is the sum itself: nothing was rounded away.
  template <class R = default_result<T, op::sum>>
  bool is_exact() const {
    return !detail::round<R>(sum_).inexact;
  }

  /// The sum divided by the count, rounded once to R. Throws empty_input for no elements.
  template <class R = default_result<T, op::mean>>
  R mean() const {
    return rounded_mean<R>().value;
  }
  /// Whether mean<R>() is the mean itself. Throws empty_input for no elements.
  template <class R = default_result<T, op::mean>>
  bool mean_is_exact() const {
    return !rounded_mean<R>().inexact;
  }

  /// The sum as bytes, the same on every machine and for every way that led to it; docs/accuracy.md has the format.
  std::array<std::byte, serialized_size> serialize() const { return detail::serialize({sum_, count_, dtype_of<T>}); }

  /// The sum that serialize() wrote. Throws invalid_argument, with the reason, for anything else: bytes that have
  /// changed (a check sum tells any five flipped bits), another format version, a sum of another element type, and a
  /// sum that no such elements have.
  static exact_sum deserialize(std::span<const std::byte> bytes) {
    detail::stored_sum stored;
    std::string wrong = detail::deserialize(bytes.data(), bytes.size(), stored);
    if (wrong.empty() && stored.element != dtype_of<T>)
      wrong =
          std::string("they hold a sum of ") + name_of(stored.element) + " elements, expected " + name_of(dtype_of<T>);
    if (!wrong.empty()) throw error(error_code::invalid_argument, "these bytes are not an exact_sum: " + wrong);
    exact_sum s;
    s.sum_ = stored.sum;
    s.count_ = stored.count;
    return s;
  }

 private:
  template <class R>
  detail::rounded<R> rounded_mean() const {
    if (count_ == 0)
      throw error(error_code::empty_input, "the mean of no elements has no value: the exact_sum is empty");
    return detail::round_mean<R>(sum_, count_);
  }

  detail::superaccumulator sum_{};
  std::int64_t count_ = 0;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
