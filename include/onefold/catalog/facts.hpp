// What the descriptors of operations share. A descriptor is an empty type of namespace op with these members:
//
//   name, summary     as in lists and messages
//   family            what it does with an element, for the planner's model of time
//   empty_allowed     whether no elements give a result without an initial value
//   takes_init        whether a caller may give an initial value
//   rounded           whether the result is a rounded number, for which another type may be asked
//   gives_index       whether the result is the index of an element
//   has_scan_verb     whether its scans have a verb (cumsum, ...), and so matter enough to be compiled for every level
//   accepts<T>        whether it is defined over elements T; where not for all, accepts_only says for which
//   result<T>         the type of its result over elements T
//   declines<T>(a)    null, or why it does not have an accuracy over elements T
//
// T is a type of element_types. How an operation is computed stands elsewhere: detail/folds has its folds.
#pragma once

#include <cstdint>

#include "onefold/detail/level.hpp"
#include "onefold/options.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// What an operation does with an element: those of a family take the same time, by element type and accuracy.
enum class operation_family : std::uint8_t {
  sum,      ///< adds or multiplies in the type of the sum
  mean,     ///< adds in floating point
  squares,  ///< multiplies by itself and adds, in f64
  extreme,  ///< compares
  search,   ///< compares, and remembers where
  moments,  ///< adds distances and their squares
  tally,    ///< compares with zero and counts
  bits,     ///< one bit operation
};

inline namespace ONEFOLD_LEVEL {

/// What most descriptors say; each redefines what differs.
struct common_facts {
  static constexpr bool gives_index = false;    ///< whether the result is the index of an element
  static constexpr bool has_scan_verb = false;  ///< whether its scans have a verb
  /// Whether it is defined over elements T.
  template <class T>
  static constexpr bool accepts = true;
  /// Null, or why it does not have an accuracy over elements T.
  template <class T>
  static constexpr const char* declines(accuracy) {
    return nullptr;
  }
};

}  // namespace ONEFOLD_LEVEL

namespace detail {

/// The native accumulator of a floating-point sum; integers only where a sum of them is rounded (mean).
template <class T>
struct accumulator {
  using type = double;
};
template <>
struct accumulator<float> {
  using type = float;
};
template <>
struct accumulator<f16> {
  using type = float;
};
template <>
struct accumulator<bf16> {
  using type = float;
};

/// i64 for signed integers, u64 for unsigned ones.
template <class T>
using wide_integer = typename integer_of<8, is_signed<T>>::type;

/// The result of adding or multiplying elements of type T.
template <class T>
struct arithmetic_result : accumulator<T> {};
template <class T>
requires is_integer<T>
struct arithmetic_result<T> {
  using type = wide_integer<T>;
};

}  // namespace detail
}  // namespace onefold
