// Fills in a recipe: the folding of runs, their merging and the result of one fold over one element type.
#pragma once

#include "onefold/accuracy.hpp"
#include "onefold/detail/runs.hpp"
#include "onefold/recipe.hpp"

namespace onefold::detail {

/// The record of a fold on a device, or null; <onefold/cuda.cuh> has those of a .cu file's own operations.
template <class F, class T>
struct device_fold_of {
  static constexpr const device_fold* value = nullptr;
};

inline namespace ONEFOLD_LEVEL {

<<<<<<< HEAD
/// Where an array of so many bytes is taken to come from. No cache is asked for its size.
ONEFOLD_INLINE constexpr origin origin_of(std::int64_t bytes) {
  return bytes <= 1 << 20 ? origin::own_cache : bytes <= 16 << 20 ? origin::shared_cache : origin::memory;
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

/// Folds whose state is an exact sum, to which whole arrays are added.
template <class F>
concept adds_exactly = requires {
  F::exact;
};

/// The exact sum of the pages [first, last).
template <class T>
superaccumulator add_run(const T* data, std::int64_t n, std::int64_t first, std::int64_t last) {
  constexpr std::int64_t page = page_elements(sizeof(T));
  const std::int64_t end = last * page < n ? last * page : n;
  superaccumulator total{};
  exact_adder<T> adder(total);
  adder.add(data + first * page, end - first * page);
  adder.finish();
  return total;
}

=======
>>>>>>> exact
/// What a fold's finish returns: R for a fold that is asked for R, else its own type.
template <class F, class T, class R>
ONEFOLD_INLINE constexpr R finish_as(const F& f, const tree_state<F, T>& s, std::int64_t n) {
  if constexpr (requires { f.template finish<R>(s, n); })
    return f.template finish<R>(s, n);
  else if constexpr (requires { f.finish(s, n); })
    return f.finish(s, n);
  else
    return f.finish(s);
}

/// The result of an operation of a user's own.
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
  f.start(init);
};

/// The result of a state and, where `init` is not null, of an initial value in front of it.
template <class F, class T, class R>
ONEFOLD_INLINE constexpr R finish_from(const F& f, tree_state<F, T> s, std::int64_t n, [[maybe_unused]] const R* init) {
  if constexpr (finishes_from<F, T, R>) {
    if (init) [[unlikely]]
      return f.template finish<R>(s, n, *init);
  } else if constexpr (can_start<F, T, R>) {
    if (init) s = f.combine(f.start(*init), s);
  }
  return finish_as<F, T, R>(f, s, n);
}

/// The object behind a recipe's op; the catalogue's have no members, and may be null.
template <class F>
const F& object_behind(const void* op) {
  static constexpr F none{};
  return op ? *static_cast<const F*>(op) : none;
}

/// The functions of a recipe for fold F over elements T that do not depend on its result.
template <class F, class T>
struct run_functions {
  using S = tree_state<F, T>;

  static void fold(const void* op, const void* data, std::int64_t n, std::int64_t first, std::int64_t last,
                   int run_log2, void* states) {
    const T* p = static_cast<const T*>(data);
    S* out = static_cast<S*>(states);
    if constexpr (searches<F>) {
      search_runs<F, T>(p, n, first, last, run_log2, out);
    } else {
      const std::int64_t pages = pages_of(n, sizeof(T));
      for (std::int64_t run = first; run < last; ++run) {
        const std::int64_t from = run << run_log2, end = (run + 1) << run_log2, to = end < pages ? end : pages;
        if constexpr (adds_exactly<F>)
          out[run] = add_run<S>(p, n, from, to);
        else
          out[run] = fold_run(object_behind<F>(op), p, n, from, to);
      }
    }
  }

  static void merge([[maybe_unused]] const void* op, void* states, std::int64_t count) {
    S* s = static_cast<S*>(states);
    if constexpr (adds_exactly<F>) {  // too large for a tree on the stack, and in no need of one
      for (std::int64_t i = 1; i < count; ++i) detail::merge(s[0], s[i]);
    } else {
      aligned_tree<S> tree;
      const auto combine = [&f = object_behind<F>(op)](const S& a, const S& b) { return f.combine(a, b); };
      for (std::int64_t i = 0; i < count; ++i) tree.push(s[i], combine);
      s[0] = tree.total(combine);
    }
  }
};

/// The functions of a recipe for fold F over elements T. `Results` is a type_list: the operation's own result
/// type first, then the others that it can round to.
template <class F, class T, class Results>
struct recipe_functions;

template <class F, class T, class Own, class... Rounded>
struct recipe_functions<F, T, type_list<Own, Rounded...>> {
  using S = tree_state<F, T>;
  static constexpr bool may_refuse = requires(const F& f, const S& s, const Own* init) { f.refuses(s, init); };

  template <class R>
  ONEFOLD_INLINE static const char* finish_one(const F& f, const S& s, std::int64_t n,
                                               [[maybe_unused]] const void* init, void* result) {
    if constexpr (requires { f.refuses(s, static_cast<const R*>(init)); })
      if (const char* why = f.refuses(s, static_cast<const R*>(init))) return why;
    *static_cast<R*>(result) = finish_from<F, T, R>(f, s, n, static_cast<const R*>(init));
    return nullptr;
  }

  /// The result as one of the types that it can be rounded to: apart, so that it costs the others no time.
  [[gnu::noinline]] static const char* finish_rounded(const F& f, const S& s, std::int64_t n, const void* init,
                                                      dtype type, void* result) {
    const char* why = nullptr;
    static_cast<void>(
        ((type == dtype_of<Rounded> ? (why = finish_one<Rounded>(f, s, n, init, result), true) : false) || ...));
    return why;
  }

  ONEFOLD_INLINE static const char* finish_any(const F& f, const S& s, std::int64_t n, const void* init,
                                               [[maybe_unused]] dtype type, void* result) {
    if constexpr (sizeof...(Rounded) > 0)
      if (type != dtype::other) [[unlikely]]
        return finish_rounded(f, s, n, init, type, result);
    return finish_one<Own>(f, s, n, init, result);
  }

  static const char* finish(const void* op, const void* state, std::int64_t n, const void* init, dtype type,
                            void* result) {
    return finish_any(object_behind<F>(op), *static_cast<const S*>(state), n, init, type, result);
  }

  static const char* small(const void* op, const void* data, std::int64_t n, const void* init, dtype type,
                           void* result) {
    const F& f = object_behind<F>(op);
    const T* p = static_cast<const T*>(data);
    if constexpr (searches<F>) {
      S s = F::identity();
      if (n > 0) search_page<F, T>(p, static_cast<int>(n), 0, origin::own_cache, s);
      return finish_any(f, s, n, init, type, result);
    } else if constexpr (adds_exactly<F>) {
      return finish_any(f, add_run<S>(p, n, 0, 1), n, init, type, result);
    } else {
      if constexpr (is_commutative<F> && folds_packs<F, lane_value<F, T>>) {
        using page = pack_page<std::remove_cvref_t<decltype(kernel(op))>, T>;
        if (n > 0 && n <= page::width)
          return finish_any(f, to_tree<F, T>(f, page::few(kernel(op), p, static_cast<int>(n))), n, init, type, result);
      }
      return finish_any(f,
<<<<<<< HEAD
                        n > 0 ? fold_page(kernel(op), p, static_cast<int>(n), 0, origin::own_cache)
=======
                        n > 0 ? fold_page(static_cast<const kernel_t<F>&>(f), p, static_cast<int>(n), 0, false)
>>>>>>> exact
                              : to_tree<F, T>(f, identity_of<F, lane_value<F, T>>(f)),
                        n, init, type, result);
    }
  }
};

/// This level, as the compiler was told.
constexpr isa compiled_level() {
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__)
  return isa::x86_64_v4;
#elif defined(__AVX2__) && defined(__FMA__) && defined(__BMI2__)
  return isa::x86_64_v3;
#elif defined(__SSE4_2__) && defined(__POPCNT__)
  return isa::x86_64_v2;
#else
  return isa::baseline;
#endif
}

/// The recipe of fold F over elements T.
template <class F, class T, class Results>
constexpr recipe make_recipe(const char* name, bool empty_allowed) {
  using functions = recipe_functions<F, T, Results>;
  using runs = run_functions<kernel_t<F>, T>;
  using S = tree_state<F, T>;
  static_assert(__is_trivially_copyable(S), "onefold: a state must be trivially copyable");
  return {.size = sizeof(recipe),
          .element_size = sizeof(T),
          .state_size = sizeof(S),
          .state_align = alignof(S),
          .page = page_elements(sizeof(T)),
          .name = name,
          .level = compiled_level(),
          .empty_allowed = empty_allowed,
          .may_refuse = functions::may_refuse,
          .device = device_fold_of<F, T>::value,
          .small = functions::small,
          .fold = runs::fold,
          .merge = runs::merge,
          .finish = functions::finish};
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
