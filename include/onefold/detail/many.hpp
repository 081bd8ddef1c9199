// Reduces up to a page each of many outputs in one call: the recipe's function `many`.
#pragma once

#include "onefold/detail/columns.hpp"
#include "onefold/detail/finish.hpp"
#include "onefold/detail/rows.hpp"
#include "onefold/detail/runs.hpp"
#include "onefold/recipe.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

// Whether this instruction set has the fast ways. On x86-64 the lowest one has not: they are a third of a fold's code,
// and whoever reduces many short rows has AVX2.
#if defined(__x86_64__) && !defined(__AVX2__)
inline constexpr bool level_folds_many = false;
#else
inline constexpr bool level_folds_many = true;
#endif

/// Whether pages of fold F over elements T are folded over packs, in rows and in columns: where a state is one number
/// (sums, products, extremes, counts). Others have less to gain for their code, and take rows one by one.
template <class F, class T>
inline constexpr bool folds_many = [] {
  if constexpr (searches<F> || adds_exactly<F>)
    return false;
  else
    return level_folds_many && is_commutative<F> && folds_packs<F, lane_value<F, T>> && !works_apart<F, T> &&
           sizeof(lane_state<F, T>) == sizeof(lane_value<F, T>);
}();

/// The states of many outputs, for folds over packs.
template <class F, class T>
struct many_states {
  using array = lane_array<F, T>;
  using value = typename array::value;
  using tree = tree_state<F, T>;
  using rows = pack_rows<F, T>;
  using columns = pack_columns<F, T>;

  /// The states of some outputs, and what they are folded in.
  struct room {
    alignas(64) unsigned char trees[array::most * sizeof(tree)];
    alignas(64) unsigned char arrays[columns::room_bytes];
    tree* states() { return reinterpret_cast<tree*>(trees); }
    value* lanes() { return reinterpret_cast<value*>(arrays); }
    void* packs() { return arrays + columns::room_bytes - rows::room_bytes; }
  };
  static_assert(rows::room_bytes + array::values * sizeof(value) <= columns::room_bytes);

  static bool by_rows(const block& b) { return b.along == 1 && (b.across != 1 || b.n > 1); }

  /// How many outputs are folded at once.
  static int at_once(const block& b) { return by_rows(b) ? rows::at_once : columns::at_once; }

  /// Folds `count` outputs from `first` on, at most at_once, into the room's states.
  [[gnu::noinline]] static void fold(const F& f, const block& b, std::int64_t first, int count, room& r) {
    const T* p = static_cast<const T*>(b.data) + first * b.across;
    tree* const out = r.states();
    if (b.n == 0) {
      for (int i = 0; i < count; ++i) out[i] = to_tree<F, T>(f, identity_of<F, lane_value<F, T>>(f));
    } else if (by_rows(b) && b.n == page_elements(sizeof(T))) {
      const origin from = origin_of(b.outputs * b.n * static_cast<std::int64_t>(sizeof(T)));
      for (int i = 0; i < count; ++i) out[i] = fold_page(f, p + i * b.across, static_cast<int>(b.n), b.index, from);
    } else {
      if constexpr (has_quick<F>) {
        const typename F::quick q{};
        if constexpr (flags_nan<typename F::quick>) {
          exception_flag<exception::invalid> nan;
          fold_lanes(q, b, p, count, r);
          if (!nan.raised(r) && trusted(q, r, count)) return close(f, r, count);
        } else {
          fold_lanes(q, b, p, count, r);
          if (trusted(q, r, count)) return close(f, r, count);
        }
      }
      fold_lanes(f, b, p, count, r);
      close(f, r, count);
    }
  }

 private:
  template <class G>
  static void fold_lanes(const G& g, const block& b, const T* p, int count, room& r) {
    const int n = static_cast<int>(b.n);
    if (by_rows(b))
      pack_rows<G, T>::fold(g, p, b.across, n, count, r.lanes(), r.packs());
    else
      pack_columns<G, T>::fold(g, p, b.along, n, count, r.lanes());
  }

  /// Whether the results of a quick fold are right.
  template <class Q>
  ONEFOLD_INLINE static bool trusted(const Q& q, room& r, int count) {
    bool all = true;
    for (int i = 0; i < count; ++i) all &= q.trusted(array::get_one(r.lanes() + i));
    return all;
  }

  ONEFOLD_INLINE static void close(const F& f, room& r, int count) {
    tree* const out = r.states();
    for (int i = 0; i < count; ++i) out[i] = to_tree<F, T>(f, array::get_one(r.lanes() + i));
  }
};

/// The function `many` of a recipe whose other functions are those of Functions and Runs.
template <class Functions, class Runs, class F, class T, class Own>
struct many_functions {
  using K = kernel_t<F>;
  using S = tree_state<F, T>;
  static constexpr bool columns = folds_many<K, T>;

  /// Where folds without packs have an output's state, and then their room for one page.
  static constexpr std::size_t state_bytes = (sizeof(S) + Functions::align - 1) / Functions::align * Functions::align;
  static constexpr std::uint32_t room_size = [] {
    if constexpr (columns)
      return sizeof(typename many_states<K, T>::room);
    else
      return Functions::room_size > 0 ? state_bytes + (Functions::room_size + 4 * sizeof(S) + Functions::align - 1) /
                                                          Functions::align * Functions::align
                                      : state_bytes;
  }();

  static void* place(const block& b, std::int64_t output) { return static_cast<char*>(b.to) + output * b.distance; }

  /// Results of `count` states, of outputs from `first` on.
  static const char* finish(const void* op, const S* states, const block& b, std::int64_t first, int count,
                            const void* init, dtype type, void* room) {
    if (!Functions::may_refuse && !init && type == dtype::other && b.distance == sizeof(Own)) {
      const F& f = object_of_recipe<F>(op);
      Own* const to = static_cast<Own*>(place(b, first));
      for (int i = 0; i < count; ++i) to[i] = finish_from<F, T, Own>(f, states[i], b.total, nullptr);
      return nullptr;
    }
    const char* why = nullptr;
    for (int i = 0; i < count; ++i)
      if (const char* none = Functions::finish(op, states + i, b.total, init, type, place(b, first + i), room))
        why = none;
    return why;
  }

  static const char* over_packs(const void* op, const block& b, const void* init, dtype type, void* room) {
    using states = many_states<K, T>;
    auto& r = *static_cast<typename states::room*>(room);
    const int at_once = states::at_once(b);
    const char* why = nullptr;
    for (std::int64_t first = 0; first < b.outputs; first += at_once) {
      const int count = static_cast<int>(b.outputs - first < at_once ? b.outputs - first : at_once);
      states::fold(object_of_recipe<K>(op), b, first, count, r);
      if (b.finished) {
        if (const char* none = finish(op, r.states(), b, first, count, init, type, nullptr)) why = none;
      } else {
        for (int i = 0; i < count; ++i)
          __builtin_memcpy(place(b, first + i), static_cast<const void*>(r.states() + i), sizeof(S));
      }
    }
    return why;
  }

  static const char* one_by_one(const void* op, const block& b, const void* init, dtype type, void* room) {
    S* const state = static_cast<S*>(room);
    void* const rest = static_cast<char*>(room) + state_bytes;
    const char* why = nullptr;
    for (std::int64_t i = 0; i < b.outputs; ++i) {
      const slice one{static_cast<const T*>(b.data) + i * b.across, b.n, b.index};
      void* const to = place(b, i);
      const char* none = nullptr;
      if constexpr (Functions::room_size == 0) {
        if (b.finished && b.n == b.total) {
          if ((none = Functions::small(op, one.data, b.n, init, type, to))) why = none;
          continue;
        }
      }
      S* const s = b.finished ? state : static_cast<S*>(to);
      if (b.n > 0 || Functions::room_size > 0) {
        Runs::fold(op, one, 0, 1, 0, s, rest);
      } else {
        const K& f = object_of_recipe<K>(op);
        const S empty = to_tree<K, T>(f, identity_of<K, lane_value<K, T>>(f));
        __builtin_memcpy(static_cast<void*>(s), &empty, sizeof empty);
      }
      if (b.finished && (none = Functions::finish(op, s, b.total, init, type, to, rest))) why = none;
    }
    return why;
  }

  static const char* many(const void* op, const block& b, const void* init, dtype type, void* room) {
    if constexpr (columns)
      return over_packs(op, b, init, type, room);
    else
      return one_by_one(op, b, init, type, room);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
