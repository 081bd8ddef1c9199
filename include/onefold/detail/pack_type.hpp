// The types of packs: the compiler's own SIMD vectors, and what they are made of.
#pragma once

#include <utility>

#include "onefold/detail/level.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Bytes of this level's vector registers.
#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

template <class A, int W>
struct pack_type {
  typedef A type __attribute__((vector_size(W * sizeof(A))));
};
template <class A>
struct pack_type<A, 1> {
  using type = A;
};
/// W values of type A; A itself for W = 1.
template <class A, int W>
using pack = typename pack_type<A, W>::type;

template <class V>
struct pack_traits {
  using value = V;
  static constexpr int width = 1;
};
template <class V>
requires requires(V v) { v[0]; }
struct pack_traits<V> {
  using value = std::remove_cvref_t<decltype(std::declval<V>()[0])>;
  static constexpr int width = sizeof(V) / sizeof(value);
};
/// The type of one value of V.
template <class V>
using value_of = typename pack_traits<V>::value;
/// How many values V has.
template <class V>
inline constexpr int width_of = pack_traits<V>::width;

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
