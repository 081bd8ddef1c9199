// Fills in a recipe: the folding of runs, their merging and the result of one fold over one element type.
#pragma once

#include "onefold/detail/finish.hpp"
#include "onefold/detail/many.hpp"
#include "onefold/detail/numbers.hpp"
#include "onefold/detail/runs.hpp"
#include "onefold/recipe.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The record of a fold on a device, or null; <onefold/cuda.cuh> has those of a .cu file's own operations.
template <class F, class T>
struct device_fold_of {
  static constexpr const device_fold* value = nullptr;
};

/// The functions of a recipe for fold F over elements T that do not depend on its result.
template <class F, class T>
struct run_functions {
  using S = tree_state<F, T>;

  static void fold(const void* op, const slice& elements, std::int64_t first, std::int64_t last, int run_log2,
                   void* states, [[maybe_unused]] void* room) {
    const T* p = static_cast<const T*>(elements.data);
    S* out = static_cast<S*>(states);
    const std::int64_t n = elements.n, index = elements.index;
    const std::int64_t pages = pages_of(n, sizeof(T));
    for (std::int64_t run = first; run < last; ++run) {
      const std::int64_t from = run << run_log2, end = (run + 1) << run_log2, to = end < pages ? end : pages;
      if constexpr (searches<F>)
        out[run] = search_run<F, T>(p, n, index, from, to);
      else if constexpr (adds_exactly<F>)
        add_run<S>(p, n, from, to, room, out[run]);
      else if constexpr (works_apart<F, T>)
        fold_run_apart(object_of_recipe<F>(op), p, n, index, from, to, room, out + run);
      else
        out[run] = fold_run(object_of_recipe<F>(op), p, n, index, from, to);
    }
  }

  static void merge([[maybe_unused]] const void* op, void* states, std::int64_t count, [[maybe_unused]] void* room) {
    S* s = static_cast<S*>(states);
    if constexpr (adds_exactly<F>) {  // in any order
      for (std::int64_t i = 1; i < count; ++i) detail::merge(s[0], s[i]);
    } else {
      const F& f = object_of_recipe<F>(op);
      for (std::int64_t d = 1; d < count; d *= 2)
        for (std::int64_t i = 0; i + d < count; i += 2 * d)
          if constexpr (works_apart<F, T>)
            join(f, s + i, s + i + d, static_cast<S*>(room));
          else
            s[i] = f.combine(s[i], s[i + d]);
    }
  }
};

/// The state of up to a page.
template <class F, class T>
ONEFOLD_INLINE tree_state<F, T> fold_up_to_a_page(const F& f, const T* p, std::int64_t n) {
  if constexpr (searches<F>) {
    return n > 0 ? search_run<F, T>(p, n, 0, 0, 1) : F::identity();
  } else {
    if constexpr (is_commutative<F> && folds_packs<F, lane_value<F, T>>) {
      using page = pack_page<F, T>;
      if (n > 0 && n <= page::width) return to_tree<F, T>(f, page::few(f, p, static_cast<int>(n)));
    }
    return n > 0 ? fold_page(f, p, static_cast<int>(n), 0, origin::own_cache)
                 : to_tree<F, T>(f, identity_of<F, lane_value<F, T>>(f));
  }
}

/// The same, as one copy for all whose states are not finished in few instructions.
template <class F, class T>
[[gnu::noinline]] tree_state<F, T> fold_up_to_a_page_apart(const F& f, const T* p, std::int64_t n) {
  return fold_up_to_a_page(f, p, n);
}

/// Whether there is no function that finishes elsewhere: as a type, since under sanitizers GCC does not compare
/// addresses while it compiles.
template <finish_function>
inline constexpr bool finishes_here = false;
template <>
inline constexpr bool finishes_here<nullptr> = true;

/// The functions of a recipe for fold F over elements T. `Results` is a type_list: the operation's own result type
/// first, then the others that it can round to. Finish: null, or a function compiled elsewhere that does what `finish`
/// does.
template <class F, class T, class Results, finish_function Finish = nullptr>
struct recipe_functions;

template <class F, class T, class Own, class... Rounded, finish_function Finish>
struct recipe_functions<F, T, type_list<Own, Rounded...>, Finish> {
  using own = Own;
  using S = tree_state<F, T>;
  /// Whether states live in the room that the caller provides.
  static constexpr bool states_apart = !adds_exactly<F> && works_apart<kernel_t<F>, T>;
  /// Bytes of a page's part of the room.
  static constexpr std::uint32_t room_size = [] {
    if constexpr (states_apart)
      return fold_room<kernel_t<F>, T>::page_bytes;
    else if constexpr (adds_exactly<F> && adds_apart<S, T>)
      return sizeof(adder_of<S, T>);
    else
      return 0;
  }();
  static constexpr std::size_t align = states_apart ? fold_room<kernel_t<F>, T>::align : alignof(S);
  /// Whether a state is one number, which is finished in few instructions.
  static constexpr bool one_number = sizeof(lane_state<F, T>) == sizeof(lane_value<F, T>);
  static constexpr bool may_refuse = requires(const F& f, const S& s, const Own* init) {
    { f.refuses(s, init) } -> returns_as<const char*>;
  };

  static const char* finish(const void* op, const void* state, std::int64_t n, const void* init, dtype type,
                            void* result, [[maybe_unused]] void* room) {
    const F& f = object_of_recipe<F>(op);
    const S* s = static_cast<const S*>(state);
    if constexpr (states_apart && can_start<F, T, Own> && !finishes_from<F, T, Own>)
      if (init) {  // joins here and not on the stack
        S* const places = static_cast<S*>(room);
        ::new (static_cast<void*>(places)) S(f.start(*static_cast<const Own*>(init)));
        ::new (static_cast<void*>(places + 1)) S(f.combine(places[0], *s));
        s = places + 1;
        init = nullptr;
      }
    const char* why = nullptr;
    if (type == dtype::other)
      why = finish_one<Own>(f, *s, n, init, result);
    else
      static_cast<void>(
          ((type == dtype_of<Rounded> ? (why = finish_one<Rounded>(f, *s, n, init, result), true) : false) || ...));
    return why;
  }

  static void finish_many(const void* op, const void* states, std::int64_t count, std::int64_t n, void* results) {
    const F& f = object_of_recipe<F>(op);
    const S* const s = static_cast<const S*>(states);
    Own* const to = static_cast<Own*>(results);
    for (std::int64_t i = 0; i < count; ++i) to[i] = finish_as<F, T, Own>(f, s[i], n);
  }

  static constexpr auto many_or_null() -> decltype(recipe::finish_many) {
    if constexpr (folds_many<kernel_t<F>, T> && !may_refuse)
      return finish_many;
    else
      return nullptr;
  }
  static constexpr finish_function finish_or_elsewhere() {
    if constexpr (finishes_here<Finish>)
      return finish;
    else
      return Finish;
  }

  static const char* small(const void* op, const void* data, std::int64_t n, const void* init, dtype type,
                           void* result) {
    if constexpr (room_size > 0) {
      __builtin_unreachable();  // the recipe's small_limit is 0
    } else {
      const F& f = object_of_recipe<F>(op);
      const S s = fold_small(f, static_cast<const T*>(data), n);
      if constexpr (!may_refuse && one_number)
        if (!init && type == dtype::other) [[likely]] {
          *static_cast<Own*>(result) = finish_as<F, T, Own>(f, s, n);
          return nullptr;
        }
      return finish_or_elsewhere()(op, &s, n, init, type, result, nullptr);
    }
  }

 private:
  template <class R>
  ONEFOLD_INLINE static const char* finish_one(const F& f, const S& s, std::int64_t n,
                                               [[maybe_unused]] const void* init, void* result) {
    if constexpr (requires {
                    { f.refuses(s, static_cast<const R*>(init)) } -> returns_as<const char*>;
                  })
      if (const char* why = f.refuses(s, static_cast<const R*>(init))) return why;
    *static_cast<R*>(result) = finish_from<F, T, R>(f, s, n, static_cast<const R*>(init));
    return nullptr;
  }

  ONEFOLD_INLINE static S fold_small(const F& f, const T* p, std::int64_t n) {
    using E = kernel_element<F, T>;
    const E* const elements = reinterpret_cast<const E*>(p);
    if constexpr (adds_exactly<F>) {
      S s;
      run_functions<kernel_t<F>, E>::fold(nullptr, {p, n, 0}, 0, 1, 0, &s, nullptr);
      return s;
    } else if constexpr (one_number) {
      return fold_up_to_a_page<kernel_t<F>, E>(f, elements, n);
    } else {
      return fold_up_to_a_page_apart<kernel_t<F>, E>(f, elements, n);
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
template <class F, class T, class Results, finish_function Finish = nullptr>
constexpr recipe make_recipe(const char* name, bool empty_allowed) {
  using functions = recipe_functions<F, T, Results, Finish>;
  using E = kernel_element<F, T>;
  using runs = run_functions<kernel_t<F>, E>;
  using S = tree_state<F, T>;
  static_assert(__is_trivially_copyable(S), "onefold: a state must be trivially copyable");
  return {.size = sizeof(recipe),
          .element_size = sizeof(T),
          .state_size = sizeof(S),
          .state_align = functions::align,
          .result_size = sizeof(typename functions::own),
          .room_size = functions::room_size,
          .page = page_elements(sizeof(T)),
          .small_limit = functions::room_size > 0 ? 0 : page_elements(sizeof(T)),
          .name = name,
          .level = compiled_level(),
          .empty_allowed = empty_allowed,
          .may_refuse = functions::may_refuse,
          .device = device_fold_of<F, T>::value,
          .small = functions::small,
          .fold = runs::fold,
          .merge = runs::merge,
          .finish = functions::finish_or_elsewhere(),
          .finish_many = functions::many_or_null(),
          .many = packs_of<kernel_t<F>, E>()};
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
