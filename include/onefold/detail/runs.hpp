// How the CPU folds runs of neighboring pages of an array to one state each: page by page, with states on the stack or
// apart. Folds of the catalog have two more ways (folds/strategies.hpp).
//
// A strategy of fold F over elements T is a struct with
//
//   fold(op, of, from, to, room, out)
//                         *out = the state of the pages [from, to) of a slice, at least one unless states are apart
//   merge(op, s, count, room)
//                         s[0] = the neighboring nodes s[0 .. count), as recipe::merge
//   small(f, p, n)        the state of up to a page; only where room_size is 0
//   room_size, align      bytes of a page's part of the room, and the alignment of states
//   states_apart          whether states are in the room
//   folds_many            whether neighboring outputs may be folded at once, over packs
#pragma once

#include "onefold/detail/exception_flag.hpp"
#include "onefold/detail/finish.hpp"
#include "onefold/detail/large_state.hpp"
#include "onefold/detail/pack_page.hpp"
#include "onefold/detail/scalar_page.hpp"
#include "onefold/detail/walk.hpp"
#include "onefold/recipe.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Where an array of this many bytes is taken to come from: no cache is asked for its size, and none for what it holds.
/// Up to a first-level cache's size an array is short whether it is cached or not.
ONEFOLD_INLINE constexpr origin origin_of(std::int64_t bytes) {
  return bytes <= 32 << 10 ? origin::own_cache : bytes <= 16 << 20 ? origin::shared_cache : origin::memory;
}

template <class T>
ONEFOLD_INLINE constexpr origin origin_of(const slice& of) {
  return origin_of((of.together > of.n ? of.together : of.n) * static_cast<std::int64_t>(sizeof(T)));
}

/// Folds the first `count` elements of a page, 1 <= count <= page_elements; `index` is the first one's.
template <class F, class T>
[[gnu::noinline]] tree_state<F, T> fold_part(const F& f, const T* p, int count, std::int64_t index) {
  if constexpr (layout_of<F, T> == layout::sequence)
    return to_tree<F, T>(f, ordered_page<F, T>::part(f, p, count, index));
  else if constexpr (layout_of<F, T> == layout::packs)
    return to_tree<F, T>(f, pack_page<F, T>::part(f, p, count));
  else
    return to_tree<F, T>(f, lane_page<F, T>::part(f, p, count, index));
}

/// Folds one full page; not inlined, so that all callers share one copy.
template <class F, class T, walk Walk>
[[gnu::noinline]] tree_state<F, T> fold_full_page(const F& f, const T* p) {
  if constexpr (has_speculative<F>) {
    const typename F::speculative q{};
    if constexpr (flags_nan<typename F::speculative>) {
      exception_flag<exception::invalid> nan;
      const auto s = pack_page<typename F::speculative, T>::template full<Walk>(q, p);
      if (!nan.raised(s) && q.is_valid(s)) return to_tree<F, T>(f, s);
    } else {
      const auto s = pack_page<typename F::speculative, T>::template full<Walk>(q, p);
      if (q.is_valid(s)) return to_tree<F, T>(f, s);
    }
    if constexpr (flags_nan<typename F::speculative>)
      return to_tree<F, T>(f, pack_page<F, T>::template full<walk::columns>(f, p));
    else  // an infinity or NaN
      return fold_part(f, p, static_cast<int>(page_elements(sizeof(T))), 0);
  } else {
    return to_tree<F, T>(f, pack_page<F, T>::template full<Walk>(f, p));
  }
}

/// How the fold, or the speculative one before it, walks full pages.
template <class F, class T>
constexpr walk walk_of(origin from) {
  if constexpr (has_speculative<F>)
    return pack_page<typename F::speculative, T>::walk_from(from);
  else
    return pack_page<F, T>::walk_from(from);
}

template <class F, class T>
ONEFOLD_INLINE tree_state<F, T> fold_page(const F& f, const T* p, int count, std::int64_t index, origin from) {
  if constexpr (layout_of<F, T> == layout::packs)
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
ONEFOLD_INLINE constexpr bool is_absorbing(const F& f, const S& s) {
  if constexpr (requires {
                  { f.absorbing(s) } -> returns_as<bool>;
                })
    return f.absorbing(s);
  else
    return false;
}

/// Folds the pages [first, last) in the aligned tree; first must be aligned to the run's length.
template <class F, class T>
tree_state<F, T> fold_run(const F& f, const slice& of, std::int64_t first, std::int64_t last) {
  constexpr std::int64_t page = page_elements(sizeof(T));
  const T* const data = static_cast<const T*>(of.data);
  const origin from = origin_of<T>(of);
  aligned_tree<tree_state<F, T>> tree;
  for (std::int64_t i = first; i < last; ++i) {
    const std::int64_t left = of.n - i * page;
    const int count = static_cast<int>(left < page ? left : page);
    const auto s = fold_page(f, data + i * page, count, of.index + i * page, from);
    tree.push(s, combiner<F, T>(f));
    if (is_absorbing(f, s)) break;
  }
  return tree.total(combiner<F, T>(f));
}

/// As fold_run, into *out, for states that live in `memory`; no pages give the identity.
template <class F, class T>
void fold_run_apart(const F& f, const slice& of, std::int64_t first, std::int64_t last, void* memory,
                    tree_state<F, T>* out) {
  using S = tree_state<F, T>;
  constexpr std::int64_t page = page_elements(sizeof(T));
  const T* const data = static_cast<const T*>(of.data);
  const fold_room<F, T> at(memory);
  placed_tree<S> tree(at.nodes);
  for (std::int64_t i = first; i < last; ++i) {
    const std::int64_t left = of.n - i * page, index = of.index + i * page;
    const int count = static_cast<int>(left < page ? left : page);
    if constexpr (layout_of<F, T> == layout::packs) {
      ::new (static_cast<void*>(tree.next())) S(fold_page(f, data + i * page, count, index, origin_of<T>(of)));
    } else {
      placed_page<F, T>::fold(f, data + i * page, count, index, at.page);
      ::new (static_cast<void*>(tree.next())) S(to_tree<F, T>(f, *at.page));
    }
    const bool absorbing = is_absorbing(f, *tree.next());
    tree.push(f);
    if (absorbing) break;
  }
  if (tree.empty()) {
    ::new (static_cast<void*>(at.page)) lane_state<F, T>(identity_of<F, lane_value<F, T>>(f));
    ::new (static_cast<void*>(out)) S(to_tree<F, T>(f, *at.page));
  } else {
    std::memcpy(static_cast<void*>(out), tree.total(f), sizeof(S));
  }
}

// Whether folds over packs are compiled for this instruction set. They are not for the lowest one of x86-64: machines
// that reduce many short rows have AVX2.
#if defined(__x86_64__) && !defined(__AVX2__)
inline constexpr bool level_folds_many = false;
#else
inline constexpr bool level_folds_many = true;
#endif

/// The state of up to a page.
template <class F, class T>
ONEFOLD_INLINE tree_state<F, T> fold_up_to_a_page(const F& f, const T* p, std::int64_t n) {
  if constexpr (layout_of<F, T> == layout::packs) {
    using page = pack_page<F, T>;
    if (n > 0 && n <= page::width) return to_tree<F, T>(f, page::few(f, p, static_cast<int>(n)));
  }
  return n > 0 ? fold_page(f, p, static_cast<int>(n), 0, origin::own_cache)
               : to_tree<F, T>(f, identity_of<F, lane_value<F, T>>(f));
}

/// Whether a state is one number, which is finished in few instructions.
template <class F, class T>
inline constexpr bool is_one_number = sizeof(lane_state<F, T>) == sizeof(lane_value<F, T>);

/// Whether columns of states of several numbers are folded at once: what else would take a copy of them. The catalog's
/// of few numbers; others have less to gain for their code.
template <class F, class T>
inline constexpr bool folds_columns =
    of_library<F> && !is_rare<F> && sizeof(lane_state<F, T>) <= 4 * sizeof(lane_value<F, T>);

/// States on the stack.
template <class F, class T>
struct page_runs {
  using S = tree_state<F, T>;
  static constexpr std::uint32_t room_size = 0;
  static constexpr std::size_t align = alignof(S);
  static constexpr bool states_apart = false;
  static constexpr bool folds_many =
      level_folds_many && layout_of<F, T> == layout::packs && (is_one_number<F, T> || folds_columns<F, T>);

  ONEFOLD_INLINE static void fold(const void* op, const slice& of, std::int64_t from, std::int64_t to, void*, S* out) {
    *out = fold_run<F, T>(object_of_recipe<F>(op), of, from, to);
  }
  ONEFOLD_INLINE static void merge(const void* op, S* s, std::int64_t count, void*) {
    const F& f = object_of_recipe<F>(op);
    for (std::int64_t d = 1; d < count; d *= 2)
      for (std::int64_t i = 0; i + d < count; i += 2 * d) s[i] = f.combine(s[i], s[i + d]);
  }
  ONEFOLD_INLINE static S small(const F& f, const T* p, std::int64_t n) { return fold_up_to_a_page(f, p, n); }
};

/// States that are too large for the stack, or take their elements in place.
template <class F, class T>
struct runs_apart {
  using S = tree_state<F, T>;
  static constexpr std::uint32_t room_size = fold_room<F, T>::page_bytes;
  static constexpr std::size_t align = fold_room<F, T>::align;
  static constexpr bool states_apart = true, folds_many = false;

  ONEFOLD_INLINE static void fold(const void* op, const slice& of, std::int64_t from, std::int64_t to, void* room,
                                  S* out) {
    fold_run_apart<F, T>(object_of_recipe<F>(op), of, from, to, room, out);
  }
  ONEFOLD_INLINE static void merge(const void* op, S* s, std::int64_t count, void* room) {
    const F& f = object_of_recipe<F>(op);
    for (std::int64_t d = 1; d < count; d *= 2)
      for (std::int64_t i = 0; i + d < count; i += 2 * d) join(f, s + i, s + i + d, static_cast<S*>(room));
  }
};

/// How fold F over elements T is folded.
template <class F, class T>
struct run_strategy : std::conditional_t<works_apart<F, T>, runs_apart<F, T>, page_runs<F, T>> {};
template <of_library F, class T>
struct run_strategy<F, T>;

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
