// count, all, any: whether elements are non-zero; bit_and, bit_or, bit_xor: bits of integers.
#pragma once

#include "onefold/catalog/facts.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {
namespace op {

/// The number of non-zero elements; a NaN counts. Empty: 0.
struct count : common_facts {
  static constexpr const char* name = "count";
  static constexpr const char* summary = "number of non-zero elements";
  static constexpr operation_family family = operation_family::tally;
  static constexpr bool empty_allowed = true;
  static constexpr bool takes_init = true;
  static constexpr bool rounded = false;
  template <class T>
  using result = std::int64_t;
};

/// What all and any share.
struct truth : common_facts {
  static constexpr operation_family family = operation_family::tally;
  static constexpr bool empty_allowed = true;
  static constexpr bool takes_init = true;
  static constexpr bool rounded = false;
  template <class T>
  using result = bool;
};

/// Whether all elements are non-zero. Empty: true.
struct all : truth {
  static constexpr const char* name = "all";
  static constexpr const char* summary = "whether all elements are non-zero";
};
/// Whether any element is non-zero. Empty: false.
struct any : truth {
  static constexpr const char* name = "any";
  static constexpr const char* summary = "whether any element is non-zero";
};

/// What the bit operations share: integers only.
struct bits : common_facts {
  static constexpr operation_family family = operation_family::bits;
  static constexpr bool empty_allowed = true;
  static constexpr bool takes_init = true;
  static constexpr bool rounded = false;
  template <class T>
  static constexpr bool accepts = detail::is_integer<T>;
  static constexpr const char* accepts_only = "it takes integer elements only";
  template <class T>
  using result = T;
};

/// Bitwise and of integers. Empty: all bits set.
struct bit_and : bits {
  static constexpr const char* name = "bit_and";
  static constexpr const char* summary = "bitwise and of integers";
};
/// Bitwise or of integers. Empty: 0.
struct bit_or : bits {
  static constexpr const char* name = "bit_or";
  static constexpr const char* summary = "bitwise or of integers";
};
/// Bitwise exclusive or of integers. Empty: 0.
struct bit_xor : bits {
  static constexpr const char* name = "bit_xor";
  static constexpr const char* summary = "bitwise exclusive or of integers";
};

}  // namespace op
}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
