// The functions that the verbs of vectors reduce the values of.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "onefold/catalog.hpp"
#include "onefold/map_request.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {

/// to[i] = xy[i] / sqrt(xx[i] yy[i]) between -1 and 1, rounded once after f64; where xx[i] or yy[i] is zero, 0.
/// Whatever the calling thread's floating-point environment.
ONEFOLD_API void cosines(std::span<const double> xy, std::span<const double> xx, std::span<const double> yy,
                         double* to);
ONEFOLD_API void cosines(std::span<const double> xy, std::span<const double> xx, std::span<const double> yy, float* to);

/// to[i] = sums[i] / by[i], likewise.
ONEFOLD_API void quotients(std::span<const double> sums, std::span<const double> by, double* to);
ONEFOLD_API void quotients(std::span<const double> sums, std::span<const double> by, float* to);

inline namespace ONEFOLD_LEVEL {

/// The type in which elements are multiplied and subtracted: f64 for f64, f32 for other floating-point numbers;
/// integers of 32 bits for those of up to 16, else of 64, with the same sign.
template <class X>
using working_type =
    std::conditional_t<is_float<X>, std::conditional_t<std::is_same_v<X, double>, double, float>,
                       std::conditional_t<sizeof(X) <= 2, std::conditional_t<is_signed<X>, std::int32_t, std::uint32_t>,
                                          std::conditional_t<is_signed<X>, std::int64_t, std::uint64_t>>>;

/// The unsigned integer of the same size; a floating-point number stays.
template <class X>
struct magnitude_of {
  using type = X;
};
template <class X>
requires is_integer<X>
struct magnitude_of<X> : integer_of<sizeof(X), false> {
};
template <class X>
using magnitude_type = typename magnitude_of<X>::type;

/// Says what verbs of vectors do not take.
template <class X>
struct explained_vector {
  static_assert(
      element<X>,
      "onefold: verbs of vectors take floating-point numbers and integers of up to 64 bits, and dot, norm1 and "
      "norm_inf complex numbers in memory, with <onefold/complex_vectors.hpp>; of others reduce what a "
      "function returns: sum(mapped(f, x, y))");
};

/// Says which two arrays verbs of two do not take. A class of its own: one whose assertion failed has no members for
/// clang.
template <class X, class Y>
struct explained_pair {
  static_assert(!element<X> || !element<Y> || std::is_same_v<X, Y> || is_float<X> || is_float<Y>,
                "onefold: this takes floating-point numbers, integers of one type, or an array of each: convert one of "
                "two integer types");
};

/// The working type of two arrays: f64 if either has it, f32 for other floating-point numbers; with integers it is that
/// of the floating-point array, but f64 for integers of more than 16 bits.
template <class X, class Y>
struct common_working {
  static_assert(sizeof(explained_vector<X>) + sizeof(explained_vector<Y>) + sizeof(explained_pair<X, Y>) > 0);
  using type = double;
};
template <element X, element Y>
requires(std::is_same_v<X, Y> || is_float<X> || is_float<Y>) struct common_working<X, Y> {
  template <class E>
  static constexpr bool fits_f32 = std::is_same_v<working_type<E>, float> || (is_integer<E> && sizeof(E) <= 2);
  using type = std::conditional_t<std::is_same_v<X, Y>, working_type<X>,
                                  std::conditional_t<fits_f32<X> && fits_f32<Y>, float, double>>;
};

/// x as a V: exactly, but for integers beyond 2^53.
template <class V, class X>
ONEFOLD_INLINE constexpr V widened([[maybe_unused]] X x) {
  if constexpr (!element<X>)
    return {};  // what is refused
  else if constexpr (is_small_float<X>)
    return static_cast<V>(static_cast<float>(x));
  else
    return static_cast<V>(x);
}

/// x as a V.
template <class V>
struct number_as {
  static constexpr known_function known = known_function::itself;
  template <class X>
  constexpr V operator()(X x) const {
    return widened<V>(x);
  }
};

/// x y in V, rounded once; of integers it wraps.
template <class V>
struct product_as {
  static constexpr known_function known = known_function::product;
  template <class X, class Y>
  constexpr V operator()(X x, Y y) const {
    using U = magnitude_type<V>;
    return static_cast<V>(static_cast<U>(widened<V>(x)) * static_cast<U>(widened<V>(y)));
  }
};

/// x - y in V, rounded once, without its sign: of integers exactly. Floating-point numbers take no branch, which
/// compilers keep, and which is mispredicted half of the time.
template <class V>
struct distance_as {
  static constexpr known_function known = known_function::distance;
  template <class X, class Y>
  constexpr magnitude_type<V> operator()(X x, Y y) const {
    using U = magnitude_type<V>;
    const V a = widened<V>(x), b = widened<V>(y);
    if constexpr (std::is_same_v<V, float>)
      return __builtin_fabsf(a - b);
    else if constexpr (is_float<V>)
      return __builtin_fabs(a - b);
    else
      return a < b ? static_cast<U>(b) - static_cast<U>(a) : static_cast<U>(a) - static_cast<U>(b);
  }
};

/// The same of integers, rounded to f64.
template <class V>
struct real_distance_as {
  static constexpr known_function known = known_function::distance;
  template <class X>
  constexpr double operator()(X x, X y) const {
    return static_cast<double>(distance_as<V>{}(x, y));
  }
};

/// x itself.
struct same_value {
  static constexpr known_function known = known_function::itself;
  template <class X>
  constexpr auto operator()(X x) const {
    if constexpr (element<X>)
      return x;
    else
      return static_cast<double>(sizeof x);  // what is refused has a stand-in
  }
};

/// |x|, in the type of x, of integers in the unsigned one.
struct absolute_value {
  static constexpr known_function known = known_function::magnitude;
  template <class Given>
  constexpr auto operator()(Given given) const {
    using X = std::conditional_t<element<Given>, canonical_t<Given>, float>;  // what is refused has a stand-in
    X x{};
    if constexpr (element<Given>) x = __builtin_bit_cast(X, given);
    if constexpr (is_integer<X>) {
      using U = magnitude_type<X>;
      if constexpr (is_signed<X>)
        return x < 0 ? static_cast<U>(U{0} - static_cast<U>(x)) : static_cast<U>(x);
      else
        return U{x};
    } else {
      using U = typename integer_of<sizeof(X), false>::type;
      using Result = std::conditional_t<element<Given>, Given, X>;
      return __builtin_bit_cast(Result, static_cast<U>(__builtin_bit_cast(U, x) & static_cast<U>(U(~U{0}) >> 1)));
    }
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
