// Searches on the CPU: the extreme first, then where it is.
#pragma once

#include "onefold/detail/folds/extrema.hpp"
#include "onefold/detail/runs.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Folds that look for an element (argmin, argmax): their `extreme` fold runs over the pages, and only the first page
/// that holds the best element is searched.
template <class F>
concept searches = of_library<F> && requires {
  typename F::extreme;
};

/// The index of the first element that is the same as v; there is one.
template <class F, class T>
std::int64_t first_index(const T* p, int count, lane_value<typename F::extreme, T> v) {
  using shape = pack_shape<typename F::extreme, T>;
  const auto* stored = reinterpret_cast<const storage_t<T>*>(p);
  std::int64_t row = 0;
  for (; (row + 1) * shape::lanes <= count; ++row) {
    auto found = F::same(shape::elements(stored + row * shape::lanes), splat<typename shape::V>(v));
    for (int c = 1; c < shape::columns; ++c)
      found |= F::same(shape::elements(stored + row * shape::lanes + c * shape::width), splat<typename shape::V>(v));
    if (any_of(found)) break;
  }
  const auto at = [stored](std::int64_t i) {
    T x;  // copied, since p need not be aligned
    __builtin_memcpy(static_cast<void*>(&x), stored + i, sizeof x);
    return comparable(x);
  };
  std::int64_t i = row * shape::lanes;
  while (!F::same(at(i), v)) ++i;
  return i;
}

/// Searches the pages [first, last), of which there is at least one. `index` is data[0]'s.
template <class F, class T>
tree_state<F, T> search_run(const T* data, std::int64_t n, std::int64_t index, std::int64_t first, std::int64_t last) {
  using E = typename F::extreme;
  using V = lane_value<E, T>;
  constexpr std::int64_t page = page_elements(sizeof(T));
  const origin from = origin_of(n * static_cast<std::int64_t>(sizeof(T)));
  const auto count = [&](std::int64_t i) { return static_cast<int>(n - i * page < page ? n - i * page : page); };
  V best = fold_page(E{}, data + first * page, count(first), first * page, from).s;
  std::int64_t found = first;
  for (std::int64_t i = first + 1; i < last; ++i) {
    const V v = fold_page(E{}, data + i * page, count(i), i * page, from).s;
    if (F::same(E::combine(plain<V>{best}, plain<V>{v}).s, best)) continue;
    best = v;
    found = i;
  }
  return {best, index + found * page + first_index<F, T>(data + found * page, count(found), best)};
}

/// The best of the pages so far; a run's state is that of its pages alone.
template <class F, class T>
struct search_runs {
  using S = tree_state<F, T>;
  static constexpr std::uint32_t room_size = 0;
  static constexpr std::size_t align = alignof(S);
  static constexpr bool states_apart = false, folds_many = false;

  ONEFOLD_INLINE static void fold(const void*, const slice& of, std::int64_t from, std::int64_t to, void*, S* out) {
    *out = search_run<F, T>(static_cast<const T*>(of.data), of.n, of.index, from, to);
  }
  ONEFOLD_INLINE static void merge(const void* op, S* s, std::int64_t count, void* room) {
    page_runs<F, T>::merge(op, s, count, room);
  }
  ONEFOLD_INLINE static S small(const F&, const T* p, std::int64_t n) {
    return n > 0 ? search_run<F, T>(p, n, 0, 0, 1) : F::identity();
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
