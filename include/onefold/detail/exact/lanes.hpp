// The fast way of an exact sum: plain additions in f64 lanes, and one look at the CPU's inexact flag for many of them.
//
// If no addition since the last look was inexact, the sum is exact. Elements up to f32 are widened and added. An f64 is
// split into a head of 26 bits and the 27 bits of the rest, which are added apart, so that either sum has room for 20
// binades. Windows of biased additions (Demmel & Nguyen 2013) need no flag, but ten operations for three levels where
// this needs four.
#pragma once

#include "onefold/detail/exact/superaccumulator.hpp"
#include "onefold/detail/exception_flag.hpp"
#include "onefold/detail/folds/additive.hpp"
#include "onefold/detail/numbers.hpp"
#include "onefold/detail/pack_shape.hpp"
#include "onefold/detail/unroll.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Adds arrays of T to a superaccumulator. The order is that of the widest registers: an exact sum has every order's
/// value.
template <class T>
class exact_lanes {
  using shape = pack_shape<additive<T, double, plain>, T>;
  using V = typename shape::V;
  using stored = typename shape::stored;
  static constexpr int width = shape::width;
  static constexpr int columns = 4;  ///< packs beside each other hide the latency of additions
  static constexpr bool splits = __is_same(T, double);
  template <class P>
  struct sums {
    P head, rest;
    ONEFOLD_INLINE sums operator+(const sums& b) const { return {head + b.head, splits ? rest + b.rest : rest}; }
    ONEFOLD_INLINE void deposit_to(superaccumulator& total) const {
      detail::add(total, head);
      if constexpr (splits) detail::add(total, rest);
    }
  };

 public:
  /// Adds n elements, or nothing: then it returns false, because a sum was not exact or not finite.
  [[gnu::noinline]] static bool add(superaccumulator& total, const T* data, std::int64_t n) {
    exception_flag<exception::inexact> in_lanes;
    const stored* p = reinterpret_cast<const stored*>(data);
    sums<V> s[columns] = {};
    std::int64_t i = 0;
    ONEFOLD_UNROLL(1)
    for (; i + columns * width <= n; i += columns * width) {
      for (int c = 0; c < columns; ++c) push(s[c], shape::elements(p + i + c * width));
    }
    ONEFOLD_UNROLL(1)
    for (; i + width <= n; i += width) push(s[0], shape::elements(p + i));
    if (i < n)
      push(s[1], shape::element_values(load_first<typename shape::stored_pack>(p + i, static_cast<int>(n - i))));
    sums<V> lanes = (s[0] + s[1]) + (s[2] + s[3]);
    if (in_lanes.raised(lanes)) return false;

    exception_flag<exception::inexact> across_lanes;
    __asm__ volatile("" : "+m"(lanes));  // the additions begin here, not before the flag was cleared
    const sums<double> all = across(lanes);
    const bool inexact = across_lanes.raised(all);
    if (!is_finite(all.head) || !is_finite(all.rest)) return false;
    if (!inexact) {
      all.deposit_to(total);
    } else {
      for (int k = 0; k < width; ++k) sums<double>{lanes.head[k], lanes.rest[k]}.deposit_to(total);
    }
    return true;
  }

 private:
  static ONEFOLD_INLINE void push(sums<V>& s, V x) {
    if constexpr (splits) {
      const V head = bits_as<V>(bits_as<bits_of<V>>(x) & splat<bits_of<V>>(-(std::int64_t{1} << 27)));
      s = {s.head + head, plus(s.rest, x - head)};
    } else {
      s.head = plus(s.head, x);
    }
  }

  /// The sum of a pack's values.
  template <class P>
  static ONEFOLD_INLINE sums<double> across(const sums<P>& x) {
    if constexpr (width_of<P> == 1) {
      return x;
    } else {
      using H = pack<double, width_of<P> / 2>;
      struct halves {
        H low, high;
      };
      const auto head = __builtin_bit_cast(halves, x.head), rest = __builtin_bit_cast(halves, x.rest);
      return across(sums<H>{head.low, rest.low} + sums<H>{head.high, rest.high});
    }
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
