// Element types of the language and of CUDA that the catalog reduces as its type with the same bits: bool, std::byte
// and other enumerations, _Float16, __half and __nv_bfloat16.
#pragma once

#include <cstdint>
#include <type_traits>

#include "onefold/catalog.hpp"
#include "onefold/types.hpp"

/// @cond
// NOLINTNEXTLINE(bugprone-reserved-identifier): CUDA's name, in cuda_fp16.h
struct __half;
// NOLINTNEXTLINE(bugprone-reserved-identifier): CUDA's name, in cuda_bf16.h
struct __nv_bfloat16;
/// @endcond

namespace onefold::detail {

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

/// Whether elements of type T are floating-point numbers.
template <class T>
inline constexpr bool is_float_element = is_float<canonical_t<T>>;

/// The run-time name of the type as which elements T are reduced.
template <class T>
inline constexpr dtype element_dtype = dtype_of<canonical_t<T>>;

/// Whether Op over T is in the catalog. Not bit operations on bool: bits that are all set are not a bool.
template <class Op, class T>
concept cataloged_element = cataloged<Op, T> &&(!std::is_same_v<T, bool> || Op::template accepts<float>);

/// Results that are elements have the elements' type: min of an enumeration is one of its values. (Integers have that
/// of their size and sign.)
template <class T, class Op>
struct result_of_elements {
  using as_canonical = element_result<Op, T>;
  using of_any = typename Op::template result<T>;  // T itself, or what holds it, where results are elements
  static constexpr bool keeps = (!is_integer<T> || __is_enum(T)) && !std::is_same_v<T, canonical_t<T>> &&
                                (std::is_same_v<of_any, T> || std::is_same_v<of_any, minmax_result<T>>);
  using type = std::conditional_t<keeps, of_any, as_canonical>;
};

}  // namespace onefold::detail
