// product.
#pragma once

#include "onefold/catalog/sums.hpp"
#include "onefold/detail/exact/products.hpp"
#include "onefold/detail/folds/fold_for.hpp"
#include "onefold/detail/folds/sum.hpp"
#include "onefold/detail/numbers.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A factor of a native product.
template <class V>
struct plain_factor : plain<V> {
  static ONEFOLD_INLINE constexpr plain_factor identity() { return from(splat<V>(1)); }
  static ONEFOLD_INLINE constexpr plain_factor from(V x) { return {{x}}; }
  static ONEFOLD_INLINE constexpr plain_factor add(plain_factor a, V x) { return from(a.s * x); }
  static ONEFOLD_INLINE constexpr plain_factor merge(plain_factor a, plain_factor b) { return from(a.s * b.s); }
};

/// p + e == a * b without an fma, so that every machine and SIMD level has the same bits: Dekker 1971,
/// Veltkamp's split by masking. e is 0 where the product or a partial product leaves the normal range.
ONEFOLD_INLINE constexpr auto two_product_error(auto a, auto b, auto p) {
  using V = decltype(a);
  using I = bits_of<V>;
  const I mask = splat<I>(~((std::int64_t{1} << 27) - 1));
  const V ah = bits_as<V>(bits_as<I>(a) & mask), al = a - ah;
  const V bh = bits_as<V>(bits_as<I>(b) & mask), bl = b - bh;
  const V e = (((ah * bh - p) + ah * bl) + al * bh) + al * bl;
  return e - e == V{} ? e : V{};
}

/// A factor of a wide product of f64: hi + lo. Joldes, Muller & Popescu 2017, algorithms 9 and 11.
template <class V>
struct double_double_factor : double_double<V> {
  using double_double<V>::hi;
  using double_double<V>::lo;
  static ONEFOLD_INLINE constexpr double_double_factor identity() { return from(splat<V>(1)); }
  static ONEFOLD_INLINE constexpr double_double_factor from(V x) { return {{x, V{}}}; }
  static ONEFOLD_INLINE constexpr double_double_factor add(double_double_factor a, V x) {
    const V p = a.hi * x;
    return normalized(p, two_product_error(a.hi, x, p) + a.lo * x);
  }
  static ONEFOLD_INLINE constexpr double_double_factor merge(double_double_factor a, double_double_factor b) {
    const V p = a.hi * b.hi;
    return normalized(p, two_product_error(a.hi, b.hi, p) + (a.hi * b.lo + a.lo * b.hi));
  }
  // A factor is normalized after each element.
  static ONEFOLD_INLINE constexpr double_double_factor end_strip(double_double_factor a) { return a; }
  /// Where the product is infinite, its error term means nothing and may have the opposite sign.
  static ONEFOLD_INLINE constexpr double_double_factor normalized(V p, V lo) {
    return {double_double<V>::renormalized(p, p - p == V{} ? lo : V{})};
  }
};

/// Integers: a factor that wraps.
template <class V>
struct wrapping_factor {
  V s;
  static ONEFOLD_INLINE constexpr wrapping_factor identity() { return {splat<V>(1)}; }
  static ONEFOLD_INLINE constexpr wrapping_factor from(V x) { return {x}; }
  static ONEFOLD_INLINE constexpr wrapping_factor add(wrapping_factor a, V x) { return {a.s * x}; }
  static ONEFOLD_INLINE constexpr wrapping_factor merge(wrapping_factor a, wrapping_factor b) { return {a.s * b.s}; }
};

template <class T, accuracy A>
struct product_base : additive<T, typename accumulator<T>::type, plain_factor> {};
template <class T>
struct product_base<T, accuracy::wide> : additive<T, double, plain_factor> {};
template <>
struct product_base<double, accuracy::wide> : additive<double, double, double_double_factor> {};

template <class T, accuracy A>
struct product_fold : product_base<T, A> {
  static constexpr bool rare = true;
  using number = typename product_base<T, A>::template state<typename product_base<T, A>::value>;
  template <class R>
  static constexpr R finish(number s, std::int64_t) {
    return s.value().template round<R>();
  }
  template <class R>
  static constexpr R finish(number s, std::int64_t, R init) {
    const double_double_factor<double> factor{{s.value().hi, s.value().lo}};
    return double_double_factor<double>::add(factor, as_double(init)).value().template round<R>();
  }
  template <class R, class V>
  static ONEFOLD_INLINE constexpr auto finish_pack(typename product_base<T, A>::template state<V> s) requires(
      !is_small_float<R>) {
    return round_pack<R>(s.rounded());
  }
};

template <class T, accuracy A>
requires(is_integer<T>) struct product_fold<T, A> : additive<T, std::uint64_t, wrapping_factor> {
  static constexpr bool rare = true;
  template <class R>
  static constexpr R finish(wrapping_factor<std::uint64_t> s, std::int64_t) {
    return static_cast<R>(static_cast<wide_integer<T>>(s.s));
  }
  /// As of a sum: an initial value wraps, or is multiplied exactly before the one rounding.
  template <class R>
  static constexpr R finish(wrapping_factor<std::uint64_t> s, std::int64_t n, R init) {
    if constexpr (is_integer<R>)
      return finish<R>(wrapping_factor<std::uint64_t>::merge(s, {static_cast<std::uint64_t>(init)}), n);
    else
      return round_product(static_cast<wide_integer<T>>(s.s), init);
  }
};

template <class T, accuracy A>
struct fold_for<op::product, T, A> {
  using type = product_fold<T, is_integer<T> ? accuracy::native : A>;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
