// A function of two values as an operation: what reduce(range, init, combine) reduces with.
#pragma once

#include <type_traits>

#include "onefold/operation.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Says why elements X cannot be reduced to a T with a function of two of these.
template <class T, class X>
struct explained_combining {
  static constexpr bool converts = requires(const X& x) { static_cast<T>(x); };
  static constexpr bool complete = converts && std::is_default_constructible_v<T>;
  static_assert(converts,
                "onefold: the elements do not convert to the type of the initial value: reduce a member of them, or "
                "what a function returns, reduce(mapped(&order::price, orders), 0.0, f)");
  static_assert(!converts || complete,
                "onefold: results need a default constructor, which the type of the initial value does not have");
};

/// combine(init, x[0] o x[1] o ...) of an associative function, which need not commute; init of no elements.
template <class T, class Combine>
struct combining {
  struct traits : fold_traits {
    static constexpr bool commutative = false;
  };
  struct state {
    bool any;
    T value;
  };

  T init;
  Combine combine_values;

  constexpr state identity() const { return {false, init}; }
  template <class X>
  constexpr state lift(const X& x) const {
    return {true, static_cast<T>(x)};
  }
  constexpr state combine(const state& a, const state& b) const {
    if (!a.any) return b;
    if (!b.any) return a;
    return {true, static_cast<T>(combine_values(a.value, b.value))};
  }
  constexpr T finish(const state& s) const { return s.any ? static_cast<T>(combine_values(init, s.value)) : init; }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
