// sum and mean at accuracy exact: the value is that of the exact sum, rounded once. Order-independent.
#pragma once

#include "onefold/catalog/facts.hpp"
#include "onefold/detail/exact/rounding.hpp"
#include "onefold/detail/exact/superaccumulator.hpp"
#include "onefold/detail/fold_traits.hpp"
#include "onefold/detail/folds/additive.hpp"
#include "onefold/detail/numbers.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

// ---- floating-point elements -------------------------------------------------------------------------------

/// The additive functions of exact sums. Arrays are added by exact_adder instead, which is faster.
struct exact_additive : library_fold {
  using value = double;
  using state = superaccumulator;
  static constexpr bool exact = true;

  static constexpr state identity() { return {}; }
  static constexpr state lift(double x) { return push({}, x); }
  static constexpr state push(state s, double x) {
    add(s, x);
    return s;
  }
  static constexpr state combine(state a, const state& b) {
    merge(a, b);
    return a;
  }
};

template <class T>
struct exact_sum_fold : exact_additive {
  using element = T;
  using kernel = exact_additive;
  static constexpr bool is_mean = false;  ///< for folds that round by other means than finish
  template <class R>
  static constexpr R finish(const state& s, std::int64_t) {
    return round<R>(s).value;
  }
  /// Without elements the sign of a zero does not count: the result is init.
  template <class R>
  static constexpr R finish(state s, std::int64_t n, R init) {
    if (n == 0) return init;
    add(s, init);
    return round<R>(s).value;
  }
};

template <class T>
struct exact_mean_fold : exact_additive {
  using element = T;
  using kernel = exact_additive;
  static constexpr bool is_mean = true;
  template <class R>
  static constexpr R finish(const state& s, std::int64_t n) {
    return round_mean<R>(s, n).value;
  }
};

// ---- integers ----------------------------------------------------------------------------------------------

/// 128 bits of two's complement: no count of 64-bit elements overflows them. (What was read from bytes may; it wraps.)
struct integer_total {
  std::uint64_t low;
  std::int64_t high;

  static ONEFOLD_INLINE constexpr integer_total from(std::int64_t x) {
    return {static_cast<std::uint64_t>(x), x >> 63};
  }
  static ONEFOLD_INLINE constexpr integer_total from(std::uint64_t x) { return {x, 0}; }
  friend ONEFOLD_INLINE constexpr integer_total operator+(integer_total a, integer_total b) {
    const std::uint64_t sum = a.low + b.low;
    return {sum, static_cast<std::int64_t>(static_cast<std::uint64_t>(a.high) + static_cast<std::uint64_t>(b.high) +
                                           (sum < a.low ? 1U : 0U))};
  }
  /// Whether I, a 64-bit type, has the value.
  template <class I>
  constexpr bool fits() const {
    return is_signed<I> ? high == static_cast<std::int64_t>(low) >> 63 : high == 0;
  }
  constexpr superaccumulator accumulator() const {
    constexpr int one = -superaccumulator::low_bit;
    superaccumulator a{};
    deposit(a, static_cast<std::int64_t>(low & low_word), one);
    deposit(a, static_cast<std::int64_t>(low >> 32), one + 32);
    deposit(a, high, one + 64);
    return a;
  }
};

/// An integer sum of n elements and an initial value, rounded once. Without elements the sign of a zero
/// does not count: the result is init.
template <class R>
constexpr R round_with(integer_total s, std::int64_t n, R init) {
  if (n == 0) return init;
  superaccumulator a = s.accumulator();
  add(a, init);
  return round<R>(a).value;
}

/// 64-bit elements in two halves, which a page's sums do not overflow.
template <class V>
struct integer_halves {
  V low, high;
  static ONEFOLD_INLINE constexpr integer_halves identity() { return {V{}, V{}}; }
  static ONEFOLD_INLINE constexpr integer_halves from(V x) { return {x & splat<V>(0xffffffff), x >> 32}; }
  static ONEFOLD_INLINE constexpr integer_halves add(integer_halves a, V x) { return merge(a, from(x)); }
  static ONEFOLD_INLINE constexpr integer_halves merge(integer_halves a, integer_halves b) {
    return {a.low + b.low, a.high + b.high};
  }
};

template <class T>
struct exact_integers : additive<T, typename page_accumulator<T>::type, wrapping> {
  using base = additive<T, typename page_accumulator<T>::type, wrapping>;
  using page_sum = wrapping<typename base::value>;
  static constexpr integer_total page_total(page_sum s) {
    return integer_total::from(static_cast<wide_integer<T>>(s.s));
  }
};
template <class T>
requires(sizeof(T) == 8) struct exact_integers<T> : additive<T, T, integer_halves> {
  using base = additive<T, T, integer_halves>;
  using page_sum = integer_halves<T>;
  static constexpr integer_total page_total(page_sum s) {
    const auto high = integer_total::from(s.high);
    return integer_total::from(s.low) +
           integer_total{high.low << 32, high.high << 32 | static_cast<std::int64_t>(high.low >> 32)};
  }
};

/// A page of elements, and the tree above it in 128 bits.
template <class T>
struct exact_integer_additive : exact_integers<T> {
  static constexpr bool rare = true;
  using typename exact_integers<T>::page_sum;
  using total = integer_total;
  using exact_integers<T>::base::combine;
  static constexpr total combine(total a, total b) { return a + b; }
  static constexpr total close(page_sum s) { return exact_integers<T>::page_total(s); }
};

template <class T>
requires(is_integer<T>) struct exact_sum_fold<T> : exact_integer_additive<T> {
  using kernel = exact_integer_additive<T>;
  template <class R>
  static constexpr R finish(integer_total s, std::int64_t) {
    if constexpr (is_integer<R>)
      return static_cast<R>(s.low);
    else
      return round<R>(s.accumulator()).value;
  }
  template <class R>
  static constexpr R finish(integer_total s, std::int64_t n, R init) {
    if constexpr (is_integer<R>)
      return finish<R>(s + integer_total::from(init), n);
    else
      return round_with(s, n, init);
  }
  /// Why there is no result R, or null.
  template <class R>
  static constexpr const char* why_no_result(integer_total s, const R* init) {
    if constexpr (is_integer<R>) {
      if (!(init ? s + integer_total::from(*init) : s).template fits<R>())
        return is_signed<R> ? "the exact sum is beyond the range of i64" : "the exact sum is beyond the range of u64";
    }
    return nullptr;
  }
};

template <class T>
requires(is_integer<T>) struct exact_mean_fold<T> : exact_integer_additive<T> {
  using kernel = exact_integer_additive<T>;
  template <class R>
  static constexpr R finish(integer_total s, std::int64_t n) {
    return round_mean<R>(s.accumulator(), n).value;
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
