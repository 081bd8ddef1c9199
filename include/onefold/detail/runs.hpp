// Folds runs of neighbouring pages of an array to one state: by pages, by a search, or by adding exactly.
#pragma once

#include "onefold/detail/exact/power_adder.hpp"
#include "onefold/detail/exception_flag.hpp"
#include "onefold/detail/folds/extrema.hpp"
#include "onefold/detail/large_state.hpp"
#include "onefold/detail/pack_page.hpp"
#include "onefold/detail/scalar_page.hpp"

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
  if constexpr (has_total<F>)
    return f.close(s);
  else
    return s;
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

/// Folds one full page; not inlined, so that all who need it share one copy.
template <class F, class T, walk Walk>
[[gnu::noinline]] tree_state<F, T> fold_full_page(const F& f, const T* p) {
  if constexpr (has_quick<F>) {
    const typename F::quick q{};
    if constexpr (flags_nan<typename F::quick>) {
      exception_flag<exception::invalid> nan;
      const auto s = pack_page<typename F::quick, T>::template full<Walk>(q, p);
      if (!nan.raised(s) && q.trusted(s)) return to_tree<F, T>(f, s);
    } else {
      const auto s = pack_page<typename F::quick, T>::template full<Walk>(q, p);
      if (q.trusted(s)) return to_tree<F, T>(f, s);
    }
    if constexpr (flags_nan<typename F::quick>)
      return to_tree<F, T>(f, pack_page<F, T>::template full<walk::columns>(f, p));
    else  // an infinity or NaN
      return fold_part(f, p, static_cast<int>(page_elements(sizeof(T))), 0);
  } else {
    return to_tree<F, T>(f, pack_page<F, T>::template full<Walk>(f, p));
  }
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

/// Whether no element after those of a state can change it. It is still combined with those before them.
template <class F, class S>
ONEFOLD_INLINE constexpr bool is_settled(const F& f, const S& s) {
  if constexpr (requires {
                  { f.settled(s) } -> returns_as<bool>;
                })
    return f.settled(s);
  else
    return false;
}

/// Folds the pages [first, last) in the aligned tree; first must be aligned to the run's length. `index` is data[0]'s.
template <class F, class T>
tree_state<F, T> fold_run(const F& f, const T* data, std::int64_t n, std::int64_t index, std::int64_t first,
                          std::int64_t last) {
  constexpr std::int64_t page = page_elements(sizeof(T));
  const origin from = origin_of(n * static_cast<std::int64_t>(sizeof(T)));
  aligned_tree<tree_state<F, T>> tree;
  for (std::int64_t i = first; i < last; ++i) {
    const std::int64_t left = n - i * page;
    const auto s = fold_page(f, data + i * page, static_cast<int>(left < page ? left : page), index + i * page, from);
    tree.push(s, combiner<F, T>(f));
    if (is_settled(f, s)) break;
  }
  return tree.total(combiner<F, T>(f));
}

/// As fold_run, into *out, for states that live in `memory`; no pages give the identity.
template <class F, class T>
void fold_run_apart(const F& f, const T* data, std::int64_t n, std::int64_t index, std::int64_t first,
                    std::int64_t last, void* memory, tree_state<F, T>* out) {
  using S = tree_state<F, T>;
  constexpr std::int64_t page = page_elements(sizeof(T));
  const fold_room<F, T> at(memory);
  placed_tree<S> tree(at.nodes);
  for (std::int64_t i = first; i < last; ++i) {
    const std::int64_t left = n - i * page;
    const int count = static_cast<int>(left < page ? left : page);
    if constexpr (is_commutative<F> && folds_packs<F, lane_value<F, T>>) {
      const origin from = origin_of(n * static_cast<std::int64_t>(sizeof(T)));
      ::new (static_cast<void*>(tree.next())) S(fold_page(f, data + i * page, count, index + i * page, from));
    } else {
      placed_page<F, T>::fold(f, data + i * page, count, index + i * page, at.page);
      ::new (static_cast<void*>(tree.next())) S(to_tree<F, T>(f, *at.page));
    }
    const bool settled = is_settled(f, *tree.next());
    tree.push(f);
    if (settled) break;
  }
  if (tree.empty()) {
    ::new (static_cast<void*>(at.page)) lane_state<F, T>(identity_of<F, lane_value<F, T>>(f));
    ::new (static_cast<void*>(out)) S(to_tree<F, T>(f, *at.page));
  } else {
    std::memcpy(static_cast<void*>(out), tree.total(f), sizeof(S));
  }
}

/// Folds that look for an element (argmin, argmax): their `extreme` fold runs over the pages, and only the first page
/// that holds the best element is searched.
template <class F>
concept searches = of_library<F> && requires {
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

/// Folds whose state is an exact sum, or several, to which whole arrays are added.
template <class F>
concept adds_exactly = of_library<F> && requires {
  F::exact;
};

/// What adds arrays of T to exact sums S.
template <class S, class T>
using adder_of = pick_type<__is_same(S, power_sums), power_adder<T>, exact_adder<T>>;

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

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
