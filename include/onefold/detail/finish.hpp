// The result of a state: finished with an initial value in front of it, or without.
#pragma once

#include <cstdint>

#include "onefold/detail/fold_traits.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What a user-defined operation returns: a NaN as the canonical one, since processors differ in its bits.
template <class R>
ONEFOLD_INLINE constexpr R with_canonical_nan(const R& x) {
  if constexpr (__is_same(R, float))
    return x == x ? x : __builtin_bit_cast(float, std::uint32_t{0x7fc00000});
  else if constexpr (__is_same(R, double))
    return x == x ? x : __builtin_bit_cast(double, std::uint64_t{0x7ff8000000000000});
  else
    return x;
}

/// What a fold's finish returns: R for a fold that is asked for R, else its own type.
template <class F, class T, class R>
ONEFOLD_INLINE constexpr R finish_as(const F& f, const tree_state<F, T>& s, std::int64_t n) {
  if constexpr (requires { f.template finish<R>(s, n); })
    return f.template finish<R>(s, n);
  else if constexpr (requires { f.finish(s, n); })
    return with_canonical_nan<R>(f.finish(s, n));
  else
    return with_canonical_nan<R>(f.finish(s));
}

/// The result of a user-defined operation.
template <class F, class S>
constexpr auto finished(const F& f, const S& s) {
  if constexpr (requires { f.finish(s, std::int64_t{}); })
    return f.finish(s, std::int64_t{});
  else
    return f.finish(s);
}

/// A fold whose result can be wider than its state: the initial value joins at the end.
template <class F, class T, class R>
inline constexpr bool finishes_from = requires(const F& f, const tree_state<F, T>& s, R init) {
  f.template finish<R>(s, std::int64_t{}, init);
};

template <class F, class T, class R>
inline constexpr bool can_start = requires(const F& f, R init) {
  { f.start(init) } -> returns_as<tree_state<F, T>>;
};

/// The result of a state and, where `init` is not null, of an initial value in front of it.
template <class F, class T, class R>
ONEFOLD_INLINE constexpr R finish_from(const F& f, const tree_state<F, T>& s, std::int64_t n,
                                       [[maybe_unused]] const R* init) {
  if constexpr (finishes_from<F, T, R>) {
    if (init) [[unlikely]]
      return f.template finish<R>(s, n, *init);
  } else if constexpr (can_start<F, T, R>) {
    if (init) return finish_as<F, T, R>(f, f.combine(f.start(*init), s), n);
  }
  return finish_as<F, T, R>(f, s, n);
}

/// The object of a recipe's op; the catalog's have no members, and may be null.
template <class F>
const F& object_of_recipe(const void* op) {
  if constexpr (std::is_empty_v<F> && std::is_trivially_default_constructible_v<F>) {
    static constexpr F none{};
    return op ? *static_cast<const F*>(op) : none;
  } else {
    return *static_cast<const F*>(op);
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
