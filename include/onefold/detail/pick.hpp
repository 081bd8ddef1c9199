// The more extreme of two values, packs or scalars, with the rules for NaN and the sign of zero.
#pragma once

#include "onefold/detail/pack.hpp"
#include "onefold/operation.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

enum class side { low, high };

template <class T>
struct comparison_value {
  using type = T;
};
template <>
struct comparison_value<f16> {
  using type = float;
};
template <>
struct comparison_value<bf16> {
  using type = float;
};

/// The lowest and highest values: infinities, or the integer type's ends.
template <class V, side Side>
ONEFOLD_INLINE constexpr V extreme_identity() {
  using A = value_of<V>;
  if constexpr (is_float<A>) {
    return splat<V>(static_cast<A>(Side == side::low ? __builtin_huge_val() : -__builtin_huge_val()));
  } else {
    constexpr A high =
        is_signed<A> ? static_cast<A>((std::uint64_t{1} << (8 * sizeof(A) - 1)) - 1) : static_cast<A>(-1);
    constexpr A low = is_signed<A> ? static_cast<A>(-high - 1) : A{0};
    return splat<V>(Side == side::low ? high : low);
  }
}

/// The more extreme one; the first where they compare equal or a NaN takes part.
template <side Side, class V>
ONEFOLD_INLINE constexpr V pick(V a, V x) {
  if constexpr (Side == side::low)
    return x < a ? x : a;
  else
    return x > a ? x : a;
}

/// As pick, and -0 < +0: values that compare equal and are not zero have equal bits, so or/and change nothing.
template <side Side, class V>
ONEFOLD_INLINE constexpr V pick_signed(V a, V x) {
  const V r = pick<Side>(a, x);
  if constexpr (is_float<value_of<V>>) {
    using I = bits_of<V>;
    const I ai = bits_as<I>(a), xi = bits_as<I>(x);
    return x == a ? bits_as<V>(Side == side::low ? ai | xi : ai & xi) : r;
  } else {
    return r;
  }
}

#ifdef __CUDA_ARCH__
/// The device's own minimum and maximum: -0 < +0; a NaN wins, or loses.
///
/// Not by inline assembly (max.NaN), though that is one instruction: it keeps the compiler from moving the loads of a
/// strip together, and cost 7 % at 2^28 elements.
template <side Side, bool NanWins, class V>
__device__ inline V device_pick(V a, V x) {
  const V r = Side == side::low ? fmin(a, x) : fmax(a, x);
  if constexpr (NanWins) {
    return (a != a) | (x != x) ? static_cast<V>(__builtin_nanf("")) : r;
  } else {
    return r;
  }
}
#endif

/// A NaN of either argument wins.
template <side Side, class V>
ONEFOLD_INLINE constexpr V pick_nan(V a, V x) {
#ifdef __CUDA_ARCH__
  if constexpr (__is_same(V, float) || __is_same(V, double)) return device_pick<Side, true>(a, x);
#endif
  const V r = pick_signed<Side>(a, x);
  if constexpr (is_float<value_of<V>>)
    return x == x ? r : x;  // with a NaN in a, pick returned a
  else
    return r;
}

/// A NaN loses.
template <side Side, class V>
ONEFOLD_INLINE constexpr V pick_number(V a, V x) {
#ifdef __CUDA_ARCH__
  if constexpr (__is_same(V, float) || __is_same(V, double)) return device_pick<Side, false>(a, x);
#endif
  const V r = pick_signed<Side>(a, x);
  if constexpr (is_float<value_of<V>>)
    return a == a ? r : x;
  else
    return r;
}

/// The result of a selection in the element type: the canonical NaN for NaN, else exact.
template <class R, class A>
ONEFOLD_INLINE constexpr R selected(A x) {
  if constexpr (__is_same(R, A) && is_float<A>)
    return x == x ? x : round_to<R>(static_cast<double>(__builtin_nanf("")));
  else if constexpr (is_float<A>)
    return round_to<R>(static_cast<double>(x));
  else
    return static_cast<R>(x);
}

template <class T>
constexpr typename comparison_value<T>::type comparable(T x) {
  return static_cast<typename comparison_value<T>::type>(x);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
