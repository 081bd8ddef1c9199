// Folds runs of neighbouring pages of an array to one state: by pages, by a search, or by adding exactly.
#pragma once

#include "onefold/detail/exact/power_adder.hpp"
#include "onefold/detail/exception_flag.hpp"
#include "onefold/detail/pack_page.hpp"
#include "onefold/detail/scalar_page.hpp"
#include "onefold/operations/extrema.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Where an array of so many bytes is taken to come from: no cache is asked for its size, and none for what it holds.
/// Up to a first-level cache's size an array is short whether it is cached or not.
ONEFOLD_INLINE constexpr origin origin_of(std::int64_t bytes) {
  return bytes <= 32 << 10 ? origin::own_cache : bytes <= 16 << 20 ? origin::shared_cache : origin::memory;
}

/// A lane's state as the tree carries it.
template <class F, class T>
ONEFOLD_INLINE constexpr tree_state<F, T> to_tree(const F& f, const lane_state<F, T>& s) {
  if constexpr (requires { typename F::total; })
    return f.close(s);
  else
    return s;
}

/// Folds one full page; not inlined, so that all who need it share one copy.
template <class F, class T, walk Walk>
[[gnu::noinline]] tree_state<F, T> fold_full_page(const F& f, const T* p) {
  if constexpr (has_quick<F>) {
    const typename F::quick q{};
    exception_flag<exception::invalid> nan;
    const auto s = pack_page<typename F::quick, T>::template full<Walk>(q, p);
    if (!nan.raised(s) && q.trusted(s)) return s;
    return pack_page<F, T>::template full<walk::columns>(f, p);
  } else {
    return to_tree<F, T>(f, pack_page<F, T>::template full<Walk>(f, p));
  }
}

/// Folds the first `count` elements of a page, 1 <= count <= page_elements; `index` is the first one's.
template <class F, class T>
[[gnu::noinline]] tree_state<F, T> fold_part(const F& f, const T* p, int count, std::int64_t index) {
  if constexpr (!is_commutative<F>)
    return to_tree<F, T>(f, ordered_page<F, T>::part(f, p, count, index));
  else if constexpr (folds_packs<F, lane_value<F, T>>)
    return to_tree<F, T>(f, pack_page<F, T>::part(f, p, count));
  else
    return to_tree<F, T>(f, lane_page<F, T>::part(f, p, count, index));
}

/// How the fold, or the quick one before it, walks full pages.
template <class F, class T>
constexpr walk walk_of(origin from) {
  if constexpr (has_quick<F>)
    return pack_page<typename F::quick, T>::walk_from(from);
  else
    return pack_page<F, T>::walk_from(from);
}

template <class F, class T>
ONEFOLD_INLINE tree_state<F, T> fold_page(const F& f, const T* p, int count, std::int64_t index, origin from) {
  if constexpr (is_commutative<F> && folds_packs<F, lane_value<F, T>>)
    if (count == page_elements(sizeof(T))) {
      switch (from) {
        case origin::own_cache:
          return fold_full_page<F, T, walk_of<F, T>(origin::own_cache)>(f, p);
        case origin::shared_cache:
          return fold_full_page<F, T, walk_of<F, T>(origin::shared_cache)>(f, p);
        case origin::memory:
          return fold_full_page<F, T, walk_of<F, T>(origin::memory)>(f, p);
      }
    }
  return fold_part(f, p, count, index);
}

template <class F, class T>
ONEFOLD_INLINE constexpr auto combiner(const F& f) {
  return [&f](const tree_state<F, T>& a, const tree_state<F, T>& b) { return f.combine(a, b); };
}

/// Folds the pages [first, last) in the aligned tree; first must be aligned to the run's length.
template <class F, class T>
tree_state<F, T> fold_run(const F& f, const T* data, std::int64_t n, std::int64_t first, std::int64_t last) {
  constexpr std::int64_t page = page_elements(sizeof(T));
  const origin from = origin_of(n * static_cast<std::int64_t>(sizeof(T)));
  aligned_tree<tree_state<F, T>> tree;
  for (std::int64_t i = first; i < last; ++i) {
    const std::int64_t left = n - i * page;
    const auto s = fold_page(f, data + i * page, static_cast<int>(left < page ? left : page), i * page, from);
    if constexpr (requires { f.settled(s); })
      if (f.settled(s)) return s;
    tree.push(s, combiner<F, T>(f));
  }
  return tree.total(combiner<F, T>(f));
}

/// Folds that look for an element (argmin, argmax): their `extreme` fold runs over each page, and only a page
/// that improves on the best so far is searched.
template <class F>
concept searches = requires {
  typename F::extreme;
};

/// The index of the first element that is the same as v; there is one.
template <class F, class T>
std::int64_t first_index(const T* p, int count, lane_value<typename F::extreme, T> v) {
  using page = pack_page<typename F::extreme, T>;
  const auto* stored = reinterpret_cast<const storage_t<T>*>(p);
  std::int64_t row = 0;
  for (; (row + 1) * page::lanes <= count; ++row) {
    auto found = F::same(page::elements(stored + row * page::lanes), splat<typename page::V>(v));
    for (int c = 1; c < page::columns; ++c)
      found |= F::same(page::elements(stored + row * page::lanes + c * page::width), splat<typename page::V>(v));
    if (any_of(found)) break;
  }
  std::int64_t i = row * page::lanes;
  while (!F::same(comparable(p[i]), v)) ++i;
  return i;
}

/// Folds one page into the best element so far.
template <class F, class T>
void search_page(const T* p, int count, std::int64_t index, origin from, tree_state<F, T>& best) {
  using E = typename F::extreme;
  using V = lane_value<E, T>;
  const V v = fold_page(E{}, p, count, index, from).s;
  if (best.index >= 0 && F::same(E::combine(plain<V>{best.value}, plain<V>{v}).s, best.value)) return;
  best = {v, index + first_index<F, T>(p, count, v)};
}

/// recipe::fold for a search: a run's state is the best element of all of this call's runs so far.
template <class F, class T>
void search_runs(const T* data, std::int64_t n, std::int64_t first, std::int64_t last, int run_log2,
                 tree_state<F, T>* states) {
  constexpr std::int64_t page = page_elements(sizeof(T));
  const std::int64_t pages = pages_of(n, sizeof(T));
  const origin from = origin_of(n * static_cast<std::int64_t>(sizeof(T)));
  tree_state<F, T> best = F::identity();
  for (std::int64_t run = first; run < last; ++run) {
    const std::int64_t end = (run + 1) << run_log2;
    for (std::int64_t i = run << run_log2; i < (end < pages ? end : pages); ++i) {
      const std::int64_t left = n - i * page;
      search_page<F, T>(data + i * page, static_cast<int>(left < page ? left : page), i * page, from, best);
    }
    states[run] = best;
  }
}

/// Folds whose state is an exact sum, or several, to which whole arrays are added.
template <class F>
concept adds_exactly = requires {
  F::exact;
};

/// The exact sums S of the pages [first, last).
template <class S, class T>
[[gnu::noinline]] S add_run(const T* data, std::int64_t n, std::int64_t first, std::int64_t last) {
  constexpr std::int64_t page = page_elements(sizeof(T));
  const std::int64_t end = last * page < n ? last * page : n;
  S total{};
  pick_type<__is_same(S, power_sums), power_adder<T>, exact_adder<T>> adder(total);
  adder.add(data + first * page, end - first * page);
  adder.finish();
  return total;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
