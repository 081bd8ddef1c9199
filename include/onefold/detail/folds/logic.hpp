// count, all, any: whether elements are non-zero; bit_and, bit_or, bit_xor: bits of integers.
#pragma once

#include "onefold/catalog/logic.hpp"
#include "onefold/detail/fold_traits.hpp"
#include "onefold/detail/folds/fold_for.hpp"
#include "onefold/detail/folds/sum.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What a lane of count, all and any holds: an integer of the element's size, at least 32 bits, for a page's count.
template <class T>
using truth_value = typename integer_of<(sizeof(T) < 4 ? 4 : sizeof(T)), true>::type;

/// 1 for a non-zero element (a NaN is one), else 0.
template <class V, class T, class Stored>
ONEFOLD_INLINE constexpr V non_zero(Stored x) {
  // Narrow elements are compared as integers of V's width, so that a mask need not be widened.
  const auto one_where = [](auto mask) {
    if constexpr (width_of<V> == 1)
      return static_cast<V>(mask);
    else
      return static_cast<V>(-mask);  // a mask holds -1 or 0
  };
  if constexpr (is_small_float<T>)
    return one_where((convert<V>(x) & 0x7fff) != V{});
  else if constexpr (sizeof(T) < sizeof(value_of<V>))
    return one_where(convert<V>(x) != V{});
  else
    return one_where(x != Stored{});
}

/// A fold of signed integers T that does what F does for unsigned ones: only the bits matter.
template <class T, class F>
struct of_unsigned : F {
  using element = T;
  using kernel = F;
  static constexpr bool of_bits = true;
};
template <class T>
inline constexpr bool is_signed_integer = is_integer<T>&& is_signed<T>;
template <class T>
using unsigned_of = typename integer_of<sizeof(T), false>::type;

/// The number of non-zero elements. A page's count fits into 32 bits.
template <class T>
struct count_fold : additive<T, truth_value<T>, wrapping> {
  static constexpr bool order_free = true, rare = true;
  using total = wrapping<std::uint64_t>;
  using base = additive<T, truth_value<T>, wrapping>;
  using base::combine;
  static constexpr total combine(total a, total b) { return total::merge(a, b); }
  static constexpr total close(wrapping<truth_value<T>> s) { return {static_cast<std::uint64_t>(s.s)}; }
  template <class V, class Stored>
  static ONEFOLD_INLINE constexpr V project(Stored x) {
    return non_zero<V, T>(x);
  }
  template <class R>
  static constexpr R finish(wrapping<std::uint64_t> s, std::int64_t) {
    return static_cast<R>(s.s);
  }
  template <class R>
  static constexpr wrapping<std::uint64_t> start(R init) {
    return {static_cast<std::uint64_t>(init)};
  }
};

template <class T>
requires is_signed_integer<T>
struct count_fold<T> : of_unsigned<T, count_fold<unsigned_of<T>>> {
};

struct bitwise_and {
  static constexpr int identity = -1;
  static ONEFOLD_INLINE constexpr auto apply(auto a, auto b) { return a & b; }
};
struct bitwise_or {
  static constexpr int identity = 0;
  static ONEFOLD_INLINE constexpr auto apply(auto a, auto b) { return a | b; }
};
struct bitwise_xor {
  static constexpr int identity = 0;
  static ONEFOLD_INLINE constexpr auto apply(auto a, auto b) { return a ^ b; }
};

/// A fold by a bitwise function.
template <class T, class Value, class Function>
struct bitwise : library_fold {
  static constexpr bool order_free = true, rare = true;
  using element = T;
  using value = Value;
  template <class V>
  struct state {
    V s;
  };
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> identity() {
    return {splat<V>(static_cast<value_of<V>>(Function::identity))};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> lift(V x) {
    return {x};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> push(state<V> a, V x) {
    return {static_cast<V>(Function::apply(a.s, x))};
  }
  template <class V>
  static ONEFOLD_INLINE constexpr state<V> combine(state<V> a, state<V> b) {
    return push(a, b.s);
  }
  template <class R>
  static constexpr R finish(state<Value> s, std::int64_t) {
    return static_cast<R>(s.s);
  }
  template <class R>
  static constexpr state<Value> start(R init) {
    return {static_cast<Value>(init)};
  }
};

template <class T, class Function>
struct bits_fold : bitwise<T, T, Function> {};
template <class T, class Function>
requires is_signed_integer<T>
struct bits_fold<T, Function> : of_unsigned<T, bits_fold<unsigned_of<T>, Function>> {
};

/// all and any: and, or over 0 and 1. One page can settle the answer.
template <class T, class Function>
struct truth_fold : bitwise<T, truth_value<T>, Function> {
  using lane = typename bitwise<T, truth_value<T>, Function>::template state<truth_value<T>>;
  template <class V, class Stored>
  static ONEFOLD_INLINE constexpr V project(Stored x) {
    return non_zero<V, T>(x);
  }
  template <class R>
  static constexpr R finish(lane s, std::int64_t) {
    return s.s != 0;
  }
  static constexpr bool absorbing(lane s) { return (s.s != 0) != (Function::identity != 0); }
};
template <class T, class Function>
requires is_signed_integer<T>
struct truth_fold<T, Function> : of_unsigned<T, truth_fold<unsigned_of<T>, Function>> {
};

template <class T, accuracy A>
struct fold_for<op::count, T, A> {
  using type = count_fold<T>;
};
template <class T, accuracy A>
struct fold_for<op::all, T, A> {
  using type = truth_fold<T, bitwise_and>;
};
template <class T, accuracy A>
struct fold_for<op::any, T, A> {
  using type = truth_fold<T, bitwise_or>;
};
template <class T, accuracy A>
struct fold_for<op::bit_and, T, A> {
  using type = bits_fold<T, bitwise_and>;
};
template <class T, accuracy A>
struct fold_for<op::bit_or, T, A> {
  using type = bits_fold<T, bitwise_or>;
};
template <class T, accuracy A>
struct fold_for<op::bit_xor, T, A> {
  using type = bits_fold<T, bitwise_xor>;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
