// The element types: 16-bit floating-point storage types and the run-time names of all types.
#pragma once

#if defined(__cplusplus) && __cplusplus < 202002L
#error "onefold needs C++20: compile with -std=c++20 or newer (g++ 12, clang 14 or nvcc 12.8 at least)"
#endif

#include <cstdint>
#include <type_traits>

/// Marks a function that must leave no symbol of its own: it is used in files that are compiled for
/// several instruction sets, and a shared weak symbol could carry the wrong one's instructions.
#define ONEFOLD_INLINE __attribute__((always_inline)) inline

/// Before a loop that runs once at the end of much work: a device need not have its code several times.
#ifdef __CUDA_ARCH__
#define ONEFOLD_ROLLED _Pragma("unroll 1")
#else
#define ONEFOLD_ROLLED
#endif

/// Marks what the library exports.
#define ONEFOLD_API __attribute__((visibility("default")))

/// @cond
// NOLINTNEXTLINE(bugprone-reserved-identifier): CUDA's name, in cuda_fp16.h
struct __half;
// NOLINTNEXTLINE(bugprone-reserved-identifier): CUDA's name, in cuda_bf16.h
struct __nv_bfloat16;
/// @endcond

namespace onefold {

namespace detail {

/// Rounds a binary32 value to the nearest bfloat16, ties to even; NaN becomes the canonical quiet NaN.
ONEFOLD_INLINE constexpr std::uint16_t bf16_from_float(float x) {
  const std::uint32_t b = __builtin_bit_cast(std::uint32_t, x);
  if ((b & 0x7fffffffu) > 0x7f800000u) return 0x7fc0u;
  return static_cast<std::uint16_t>((b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
}

ONEFOLD_INLINE constexpr float float_from_bf16(std::uint16_t h) {
  return __builtin_bit_cast(float, static_cast<std::uint32_t>(h) << 16);
}

/// The same number as f64, from its bits: a thread that takes subnormals to be zero gets it too.
ONEFOLD_INLINE constexpr double double_from_float(float x) {
  const std::uint32_t b = __builtin_bit_cast(std::uint32_t, x);
  const std::uint64_t sign = std::uint64_t{b >> 31} << 63;
  const std::uint32_t magnitude = b & 0x7fffffffu;
  std::uint64_t wide = std::uint64_t{magnitude} << 29;
  if (magnitude >= 0x7f800000u)
    wide |= 0x7ff0000000000000u;
  else if (magnitude >= 0x00800000u)
    wide += std::uint64_t{1023 - 127} << 52;
  else  // an integer times a power of two, both of which f64 has as normal numbers
    wide = __builtin_bit_cast(std::uint64_t, static_cast<double>(magnitude) * 0x1p-149);
  return __builtin_bit_cast(double, sign | wide);
}

ONEFOLD_INLINE constexpr std::uint16_t f16_from_float(float x) {
  const std::uint32_t b = __builtin_bit_cast(std::uint32_t, x);
  const std::uint32_t sign = (b >> 16) & 0x8000u;
  const std::uint32_t magnitude = b & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7e00u;
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude >= 0x38800000u) {  // normal: rebias 127 to 15, round the 13 dropped bits to even
    const std::uint32_t r = magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u);
    return static_cast<std::uint16_t>(sign | (r >> 13));
  }
  if (magnitude < 0x33000000u) return static_cast<std::uint16_t>(sign);  // below half the smallest subnormal
  const int shift = 126 - static_cast<int>(magnitude >> 23);             // subnormal: units of 2^-24
  const std::uint32_t m = (magnitude & 0x7fffffu) | 0x800000u;
  const std::uint32_t q = m >> shift;
  const std::uint32_t rest = m & ((1u << shift) - 1u);
  const std::uint32_t half = 1u << (shift - 1);
  return static_cast<std::uint16_t>(sign | (q + ((rest > half || (rest == half && (q & 1u))) ? 1u : 0u)));
}

ONEFOLD_INLINE constexpr float float_from_f16(std::uint16_t h) {
  const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000u) << 16;
  const std::uint32_t magnitude = h & 0x7fffu;
  if (magnitude >= 0x7c00u) return __builtin_bit_cast(float, sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
  // Integers below 2^11 times a power of two: exact, also for subnormals.
  const std::uint32_t exponent = magnitude >> 10;
  const std::uint32_t significand = (magnitude & 0x3ffu) | (exponent ? 0x400u : 0u);
  const float scale = __builtin_bit_cast(float, (127u - 25u + (exponent ? exponent : 1u)) << 23);
  const float value = static_cast<float>(significand) * scale;
  return __builtin_bit_cast(float, sign | __builtin_bit_cast(std::uint32_t, value));
}

}  // namespace detail

/// IEEE 754 binary16 storage. Conversion from float rounds to nearest-even (overflow to infinity, NaN to
/// the canonical NaN 0x7e00); conversion to float is exact.
struct f16 {
  std::uint16_t bits = 0;  ///< the value's
  /// Zero.
  ONEFOLD_INLINE constexpr f16() = default;
  /// Rounds x.
  ONEFOLD_INLINE constexpr explicit f16(float x) : bits(detail::f16_from_float(x)) {}
  /// The same value as binary32.
  ONEFOLD_INLINE constexpr explicit operator float() const { return detail::float_from_f16(bits); }
  /// The value with these bits.
  static constexpr f16 from_bits(std::uint16_t b) {
    f16 x;
    x.bits = b;
    return x;
  }
};

/// bfloat16 storage: the upper half of a binary32. Conversions as for f16; the canonical NaN is 0x7fc0.
struct bf16 {
  std::uint16_t bits = 0;  ///< the value's
  /// Zero.
  ONEFOLD_INLINE constexpr bf16() = default;
  /// Rounds x.
  ONEFOLD_INLINE constexpr explicit bf16(float x) : bits(detail::bf16_from_float(x)) {}
  /// The same value as binary32.
  ONEFOLD_INLINE constexpr explicit operator float() const { return detail::float_from_bf16(bits); }
  /// The value with these bits.
  static constexpr bf16 from_bits(std::uint16_t b) {
    bf16 x;
    x.bits = b;
    return x;
  }
};

/// A type list.
template <class... Ts>
struct type_list {
  static constexpr int size = sizeof...(Ts);  ///< how many types
};

/// The element types of the catalog, in the order of `dtype`. This list is the only one: the library's
/// instances, the tests, the benchmark and the program iterate it.
using element_types = type_list<float, double, f16, bf16, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                                std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;

/// A type's name at run time: the element types in the order of `element_types`, then types that only
/// results have, then `other` for a user-defined element type.
enum class dtype : std::uint8_t { f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64, boolean, other };

namespace detail {

template <class T, class List>
struct index_in;
template <class T, class... Ts>
struct index_in<T, type_list<T, Ts...>> {
  static constexpr int value = 0;
};
template <class T>
struct index_in<T, type_list<>> {
  static constexpr int value = 0;
};
template <class T, class U, class... Ts>
struct index_in<T, type_list<U, Ts...>> {
  static constexpr int value = 1 + index_in<T, type_list<Ts...>>::value;
};

template <class T>
inline constexpr bool is_integer = requires(T x) {
  x % x;
};
template <>
inline constexpr bool is_integer<bool> = false;
template <class T>
inline constexpr bool is_small_float = false;
template <>
inline constexpr bool is_small_float<f16> = true;
template <>
inline constexpr bool is_small_float<bf16> = true;
template <class T>
inline constexpr bool is_float = is_small_float<T>;
template <>
inline constexpr bool is_float<float> = true;
template <>
inline constexpr bool is_float<double> = true;
template <class T>
inline constexpr bool is_signed = is_float<T> || static_cast<T>(-1) < static_cast<T>(0);
template <>
inline constexpr bool is_signed<f16> = true;
template <>
inline constexpr bool is_signed<bf16> = true;

template <int Size, bool Signed>
struct integer_of;
template <>
struct integer_of<1, true> {
  using type = std::int8_t;
};
template <>
struct integer_of<2, true> {
  using type = std::int16_t;
};
template <>
struct integer_of<4, true> {
  using type = std::int32_t;
};
template <>
struct integer_of<8, true> {
  using type = std::int64_t;
};
template <>
struct integer_of<1, false> {
  using type = std::uint8_t;
};
template <>
struct integer_of<2, false> {
  using type = std::uint16_t;
};
template <>
struct integer_of<4, false> {
  using type = std::uint32_t;
};
template <>
struct integer_of<8, false> {
  using type = std::uint64_t;
};

template <class T>
struct canonical {
  using type = T;
};
template <class T>
requires(is_integer<T>) struct canonical<T> : integer_of<sizeof(T), is_signed<T>> {
};
template <>
struct canonical<bool> {
  using type = std::uint8_t;
};
// An unscoped enumeration is taken for an integer already.
template <class E>
requires(__is_enum(E) && !is_integer<E>) struct canonical<E> : integer_of<sizeof(E), is_signed<E>> {
};
#ifdef __FLT16_MANT_DIG__
template <>
struct canonical<_Float16> {
  using type = f16;
};
#endif
template <>
struct canonical<::__half> {
  using type = f16;
};
template <>
struct canonical<::__nv_bfloat16> {
  using type = bf16;
};

}  // namespace detail

/// The type of the catalog as which elements T are reduced: `long long`, `char` and enumerations (std::byte is one)
/// become the fixed-width integer of their size and sign, bool becomes u8, _Float16 and __half f16, __nv_bfloat16 bf16.
/// Every other type stays.
template <class T>
using canonical_t = typename detail::canonical<T>::type;

/// T is an element type of the catalog, or one that is reduced as such (canonical_t).
template <class T>
concept element = detail::index_in<canonical_t<T>, element_types>::value < element_types::size;

/// T's run-time name; `dtype::boolean` for bool, `dtype::other` for a type outside the catalog.
template <class T>
inline constexpr dtype dtype_of = element<T>
                                      ? static_cast<dtype>(detail::index_in<canonical_t<T>, element_types>::value)
                                      : dtype::other;
/// That of a truth value.
template <>
inline constexpr dtype dtype_of<bool> = dtype::boolean;

/// Bytes of one value of the type; 0 for `dtype::other` and for a value outside the enumeration.
constexpr int size_of(dtype t) {
  constexpr int sizes[] = {4, 8, 2, 2, 1, 2, 4, 8, 1, 2, 4, 8, 1, 0};
  return t <= dtype::other ? sizes[static_cast<int>(t)] : 0;
}

/// The type's name as the program spells it: "f32", "i64", "bool", ...; "?" for a value outside the enumeration.
constexpr const char* name_of(dtype t) {
  constexpr const char* names[] = {"f32", "f64", "f16", "bf16", "i8",  "i16",  "i32",
                                   "i64", "u8",  "u16", "u32",  "u64", "bool", "other"};
  return t <= dtype::other ? names[static_cast<int>(t)] : "?";
}

/// An enumeration of the library whose values have names.
template <class E>
concept named_enumeration = __is_enum(E) && requires(E e, const char*& name) {
  name = name_of(e);
};

/// Values of named enumerations print as their names: on output streams, and by fmt and std::format
/// (onefold/format.hpp).
template <class Stream, named_enumeration E>
requires requires(Stream& out, const char* text) {
  typename Stream::traits_type;  // of a standard stream; other classes with << have templates of their own
  out << text;
}
Stream& operator<<(Stream& out, E value) {
  out << name_of(value);
  return out;
}

}  // namespace onefold
