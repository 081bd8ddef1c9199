// Exact sums on the CPU, to which whole arrays are added, in any order.
#pragma once

#include <new>

#include "onefold/detail/exact/power_adder.hpp"
#include "onefold/detail/runs.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Folds whose state is an exact sum, or several, to which whole arrays are added.
template <class F>
concept adds_exactly = of_library<F> && requires {
  F::exact;
};

/// What adds arrays of T to exact sums S.
template <class S, class T>
using adder_of = std::conditional_t<__is_same(S, power_sums), power_adder<T>, exact_adder<T>>;

/// Whether that is too large for the stack.
template <class S, class T>
inline constexpr bool adds_apart = sizeof(adder_of<S, T>) > 10 << 10;

/// total = the exact sums S of the pages [first, last). Where adds_apart, `room` has the adder's size.
template <class S, class T>
[[gnu::noinline]] void add_run(const T* data, std::int64_t n, std::int64_t first, std::int64_t last,
                               [[maybe_unused]] void* room, S& total) {
  constexpr std::int64_t page = page_elements(sizeof(T));
  const std::int64_t end = last * page < n ? last * page : n;
  total = S{};
  const auto add_all = [&](auto& adder) {
    adder.add(data + first * page, end - first * page);
    adder.finish();
  };
  if constexpr (adds_apart<S, T>) {
    add_all(*new (room) adder_of<S, T>(total));
  } else {
    adder_of<S, T> adder(total);
    add_all(adder);
  }
}

/// The exact sums of the pages.
template <class F, class T>
struct exact_runs {
  using S = tree_state<F, T>;
  static constexpr std::uint32_t room_size = adds_apart<S, T> ? sizeof(adder_of<S, T>) : 0;
  static constexpr std::size_t align = alignof(S);
  static constexpr bool states_apart = false, folds_many = false;

  ONEFOLD_INLINE static void fold(const void*, const slice& of, std::int64_t from, std::int64_t to, void* room,
                                  S* out) {
    add_run<S>(static_cast<const T*>(of.data), of.n, from, to, room, *out);
  }
  ONEFOLD_INLINE static void merge(const void*, S* s, std::int64_t count, void*) {
    for (std::int64_t i = 1; i < count; ++i) detail::merge(s[0], s[i]);
  }
  ONEFOLD_INLINE static S small(const F&, const T* p, std::int64_t n) {
    S s;
    add_run<S>(p, n, 0, pages_of(n, sizeof(T)), nullptr, s);
    return s;
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
