// What a recipe offers for folding many outputs at once, in rows and in columns.
#pragma once

#include "onefold/detail/columns.hpp"
#include "onefold/detail/finish.hpp"
#include "onefold/detail/rows.hpp"
#include "onefold/detail/runs.hpp"
#include "onefold/recipe.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

template <class F, class T>
constexpr pack_functions pack_functions_of() {
  using columns = pack_columns<F, T>;
  pack_functions p{nullptr, columns::lanes, columns::strip, columns::combine};
  if constexpr (is_one_number<F, T>) p.rows = pack_rows<F, T>::fold;
  return p;
}

/// The speculative fold of F, where a page of it is right unless the CPU saw a NaN; else void.
template <class F>
struct speculative_of {
  using type = void;
};
template <class F>
requires(has_speculative<F>&& flags_nan<typename F::speculative>) struct speculative_of<F> {
  using type = typename F::speculative;
};

template <class Q, class S>
bool all_valid(const void* states, int count) {
  const S* s = static_cast<const S*>(states);
  bool all = true;
  for (int i = 0; i < count; ++i) all &= Q::is_valid(s[i]);
  return all;
}

/// The states of lanes, whose numbers lie in packs.
template <class F, class T>
void close_lanes(const void* op, const void* lanes, int count, void* states) {
  using columns = pack_columns<F, T>;
  using lane = members<lane_state<F, T>, lane_value<F, T>>;
  const F& f = object_of_recipe<F>(op);
  const auto* const from = static_cast<const lane_value<F, T>*>(lanes);
  auto* const to = static_cast<tree_state<F, T>*>(states);
  for (int i = 0; i < count; ++i) {
    lane one;
    for (int k = 0; k < lane::count; ++k)
      one.m[k] = from[i / columns::width * columns::width * lane::count + k * columns::width + i % columns::width];
    to[i] = to_tree<F, T>(f, one.state());
  }
}

template <class F, class T>
struct packs_for {
  using columns = pack_columns<F, T>;
  using speculative = typename speculative_of<F>::type;
  static constexpr packs value = [] {
    packs p{};
    p.own = pack_functions_of<F, T>();
    if constexpr (!__is_same(speculative, void) && is_one_number<F, T>) {
      p.speculative = pack_functions_of<speculative, T>();
      p.are_valid = all_valid<speculative, lane_state<F, T>>;
    }
    if constexpr (has_total<F> || !is_one_number<F, T>) p.close = close_lanes<F, T>;
    p.value_size = sizeof(lane_state<F, T>);
    p.width = columns::width;
    p.most = columns::most;
    p.lanes_bytes = columns::stride * p.value_size;
    if constexpr (is_one_number<F, T>) p.room = pack_rows<F, T>::room_bytes;
    return p;
  }();
};

/// The record of fold F over elements T, or null.
template <class F, class T>
constexpr const packs* packs_of() {
  if constexpr (run_strategy<F, T>::folds_many)
    return &packs_for<F, T>::value;
  else
    return nullptr;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
