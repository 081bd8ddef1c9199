// The sum of bytes, four by four.
#pragma once

#include "onefold/detail/folds/sum.hpp"
#include "onefold/detail/level.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The sum of bytes as one of words of four: integers may be added in any order, and one instruction adds four. The
/// up to three bytes after the last word join the outcome.
template <class T>
struct sum_of_words : library_fold {
  using stands_for = sum_fold<T, accuracy::native>;
  using element = T;
  using value = std::int32_t;
  using total = wrapping<std::uint64_t>;
  template <class V>
  using state = wrapping<V>;
  const T* tail;
  int tail_count;

  template <class V>
  __device__ static wrapping<V> identity() {
    return {0};
  }
  template <class V>
  __device__ static wrapping<V> lift(V x) {
    return push(wrapping<V>{0}, x);
  }
  template <class V>
  __device__ static wrapping<V> push(wrapping<V> a, V x) {
    if constexpr (is_signed<T>)
      return {__dp4a(x, 0x01010101, a.s)};
    else
      return {static_cast<V>(__dp4a(static_cast<unsigned>(x), 0x01010101u, static_cast<unsigned>(a.s)))};
  }
  template <class V>
  __device__ static wrapping<V> combine(wrapping<V> a, wrapping<V> b) {
    return {a.s + b.s};
  }
  __device__ static total close(wrapping<value> s) { return stands_for::close({typed(s.s)}); }
  __device__ total with_tail(total s) const {
    for (int i = 0; i < tail_count; ++i) s.s += static_cast<std::uint64_t>(static_cast<wide_integer<T>>(tail[i]));
    return s;
  }

 private:
  __device__ static auto typed(value s) { return static_cast<typename page_accumulator<T>::type>(s); }
};

/// The fold over words that stands for one over elements of a byte, or void.
template <class F>
struct fold_of_words {
  using type = void;
};
template <class T>
requires(sizeof(T) == 1) struct fold_of_words<sum_fold<T, accuracy::native>> {
  using type = sum_of_words<T>;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
