// exp, log, exp2, log2, expm1, log1p, tanh, sqrt, rsqrt and exp_nonpositive, for operations of your own: the same bits
// on every machine.
#pragma once

#include "onefold/detail/math/arithmetic.hpp"
#include "onefold/detail/math/exponentials.hpp"
#include "onefold/detail/math/logarithms.hpp"
#include "onefold/detail/math/roots.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// float, double, or a pack of them.
template <class V>
concept floating = __is_same(detail::value_of<V>, float) || __is_same(detail::value_of<V>, double);

/// e^x.
template <floating V>
ONEFOLD_INLINE constexpr V exp(V x) {
  return detail::math::exp_of(x);
}

/// e^x for x <= 0, and 1 for other numbers; softmax is computed with it. For f32 it is faster than exp where there are
/// fused multiply-adds, as on GPUs and from AVX2 on, and slower elsewhere. For f64 it has the bits of exp(min(x, 0)).
template <floating V>
ONEFOLD_INLINE constexpr V exp_nonpositive(V x) {
  return detail::math::exp_nonpositive_of(x);
}

/// 2^x.
template <floating V>
ONEFOLD_INLINE constexpr V exp2(V x) {
  return detail::math::exp2_of(x);
}

/// e^x - 1, without cancellation near 0.
template <floating V>
ONEFOLD_INLINE constexpr V expm1(V x) {
  return detail::math::expm1_of(x);
}

/// The natural logarithm.
template <floating V>
ONEFOLD_INLINE constexpr V log(V x) {
  return detail::math::log_of(x);
}

/// The logarithm to base 2.
template <floating V>
ONEFOLD_INLINE constexpr V log2(V x) {
  return detail::math::log2_of(x);
}

/// log(1 + x), without cancellation near 0.
template <floating V>
ONEFOLD_INLINE constexpr V log1p(V x) {
  return detail::math::log1p_of(x);
}

/// The hyperbolic tangent.
template <floating V>
ONEFOLD_INLINE constexpr V tanh(V x) {
  return detail::math::tanh_of(x);
}

/// The square root, correctly rounded.
template <floating V>
ONEFOLD_INLINE constexpr V sqrt(V x) {
  return detail::math::canonical_nan(detail::math::square_root(x));
}

/// 1 / sqrt(x).
template <floating V>
ONEFOLD_INLINE constexpr V rsqrt(V x) {
  return detail::math::rsqrt_of(x);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
