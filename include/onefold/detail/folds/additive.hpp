// What sums of every accuracy are made of: additions of numbers, and of integers that wrap.
#pragma once

#include "onefold/detail/fold_traits.hpp"
#include "onefold/detail/numbers.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The additive functions of a fold over numbers `Number<V>` of elements T.
template <class T, class Value, template <class> class Number>
struct additive : library_fold {
  using element = T;
  using value = Value;
  template <class V>
  using state = Number<V>;

  template <class V>
  static ONEFOLD_INLINE constexpr state<V> identity() {
    return Number<V>::identity();
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> lift(V x) {
    return Number<V>::from(x);
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> push(state<V> a, V x) {
    return Number<V>::add(a, x);
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> combine(state<V> a, state<V> b) {
    return Number<V>::merge(a, b);
  }
  static ONEFOLD_INLINE constexpr auto end_strip(auto a) requires requires { decltype(a)::end_strip(a); }
  { return decltype(a)::end_strip(a); }
};

/// Integers: a state that wraps.
template <class V>
struct wrapping {
  V s;
  static ONEFOLD_INLINE constexpr wrapping identity() { return {V{}}; }
  static ONEFOLD_INLINE constexpr wrapping from(V x) { return {x}; }
  static ONEFOLD_INLINE constexpr wrapping add(wrapping a, V x) { return {a.s + x}; }
  static ONEFOLD_INLINE constexpr wrapping merge(wrapping a, wrapping b) { return {a.s + b.s}; }
};

/// What a lane of integers adds up in: 32 bits hold a page of 8- or 16-bit elements; unsigned, so that
/// 64 bits wrap. Above the page all add in u64, where a sign-extended value is the value modulo 2^64.
template <class T>
struct page_accumulator {
  using type = std::uint64_t;
};
template <>
struct page_accumulator<std::int8_t> {
  using type = std::int32_t;
};
template <>
struct page_accumulator<std::int16_t> {
  using type = std::int32_t;
};
template <>
struct page_accumulator<std::uint8_t> {
  using type = std::uint32_t;
};
template <>
struct page_accumulator<std::uint16_t> {
  using type = std::uint32_t;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
