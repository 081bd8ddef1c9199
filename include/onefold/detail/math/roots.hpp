// The reciprocal of the square root: a quotient, corrected by what it and the root were rounded by.
#pragma once

#include "onefold/detail/math/arithmetic.hpp"

namespace onefold::detail::math {
inline namespace ONEFOLD_LEVEL {

template <class V>
ONEFOLD_INLINE constexpr V rsqrt_of(V x) {
  using T = value_of<V>;
  constexpr bool single = sizeof(T) == 4;
  // Small numbers are scaled, so that the parts of their products are no subnormal numbers.
  const auto small = x < splat<V>(static_cast<T>(single ? 0x1p-100 : 0x1p-960));
  x = small ? times(x, splat<V>(static_cast<T>(single ? 0x1p52 : 0x1p110))) : x;
  const V one = splat<V>(1), s = square_root(x), y = quotient(one, s);
  // x - s^2 and 1 - y s, exactly: the factors are split (Dekker 1971).
  const V s_upper = upper_half(s), s_lower = s - s_upper, y_upper = upper_half(y), y_lower = y - y_upper;
  const V of_root = ((x - times(s_upper, s_upper)) - times(s_upper + s_upper, s_lower)) - times(s_lower, s_lower);
  const V of_quotient =
      (((one - times(y_upper, s_upper)) - times(y_upper, s_lower)) - times(y_lower, s_upper)) - times(y_lower, s_lower);
  const V half = splat<V>(static_cast<T>(0.5));
  const V correction = of_quotient - times(times(half, y), times(of_root, y));
  // At 0 and infinity, where y is exact, the correction is NaN.
  const V z = correction == correction ? y + times(y, correction) : y;
  return canonical_nan(small ? times(z, splat<V>(static_cast<T>(single ? 0x1p26 : 0x1p55))) : z);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail::math
