// What follows from an element type being reduced as another one with the same bits: bool, std::byte and other
// enumerations, _Float16, __half and __nv_bfloat16.
#pragma once

#include <type_traits>

#include "onefold/catalog.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {

// Integers of 128 bits are outside the catalog.
__extension__ using int128_element = __int128;
__extension__ using uint128_element = unsigned __int128;
template <>
struct canonical<int128_element> {
  using type = int128_element;
};
template <>
struct canonical<uint128_element> {
  using type = uint128_element;
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
