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
  using strategy = run_strategy<F, T>;

  static void fold(const void* op, const slice& elements, std::int64_t first, std::int64_t last, int run_log2,
                   void* states, void* room) {
    const std::int64_t pages = pages_of(elements.n, sizeof(T));
    for (std::int64_t run = first; run < last; ++run) {
      const std::int64_t from = run << run_log2, end = (run + 1) << run_log2, to = end < pages ? end : pages;
      strategy::fold(op, elements, from, to, room, static_cast<S*>(states) + run);
    }
  }

  static void merge(const void* op, void* states, std::int64_t count, void* room) {
    strategy::merge(op, static_cast<S*>(states), count, room);
  }

  /// The state of up to a page, as one copy for all whose states are not finished in few instructions.
  [[gnu::noinline]] static S small_apart(const F& f, const T* p, std::int64_t n) { return strategy::small(f, p, n); }
};

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
  using strategy = run_strategy<kernel_t<F>, kernel_element<F, T>>;
  static constexpr bool one_number = is_one_number<F, T>;
  static constexpr bool may_refuse = requires(const F& f, const S& s, const Own* init) {
    { f.why_no_result(s, init) } -> returns_as<const char*>;
  };

  static const char* finish(const void* op, const void* state, std::int64_t n, const void* init, dtype type,
                            void* result, [[maybe_unused]] void* room) {
    const F& f = object_of_recipe<F>(op);
    const S* s = static_cast<const S*>(state);
    if constexpr (strategy::states_apart && can_start<F, T, Own> && !finishes_from<F, T, Own>)
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
    if constexpr (strategy::folds_many && !may_refuse)
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
    if constexpr (strategy::room_size > 0) {
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
                    { f.why_no_result(s, static_cast<const R*>(init)) } -> returns_as<const char*>;
                  })
      if (const char* why = f.why_no_result(s, static_cast<const R*>(init))) return why;
    *static_cast<R*>(result) = finish_from<F, T, R>(f, s, n, static_cast<const R*>(init));
    return nullptr;
  }

  ONEFOLD_INLINE static S fold_small(const F& f, const T* p, std::int64_t n) {
    using E = kernel_element<F, T>;
    if constexpr (one_number)
      return strategy::small(f, reinterpret_cast<const E*>(p), n);
    else
      return run_functions<kernel_t<F>, E>::small_apart(f, reinterpret_cast<const E*>(p), n);
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
          .state_align = functions::strategy::align,
          .result_size = sizeof(typename functions::own),
          .result_align = alignof(typename functions::own),
          .room_size = functions::strategy::room_size,
          .page = page_elements(sizeof(T)),
          .small_limit = functions::strategy::room_size > 0 ? 0 : page_elements(sizeof(T)),
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
