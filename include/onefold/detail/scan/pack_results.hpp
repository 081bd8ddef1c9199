// What becomes of the states of rows over packs: results, state by state or a pack at once.
#pragma once

#include "onefold/detail/numbers.hpp"
#include "onefold/detail/scan/pack_row.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// What becomes of the states of rows' prefixes: results, by write_results.
template <class F, class T>
class written_row {
 public:
  using shape = scan_shape<F, T>;
  using V = typename shape::V;
  using S = typename shape::S;
  using lane = typename shape::lane;
  using tree = tree_state<F, T>;
  static constexpr int lanes = shape::elements_at_once;

  written_row(const F&, const void* op, const scan_part& part, write_results write, char* memory, const tree& before)
      : row_(op, part, write, place_of_row(memory), before) {}
  static constexpr int room_bytes = (lanes + 1) * static_cast<int>(sizeof(tree)) + 64;

  /// Takes the states of rows of a page, of which `count` are of prefixes, with what is before the page.
  void take(const F& f, S (&v)[shape::packs], const left_nodes<F, tree>& nodes, int count) {
    tree* const to = row_.states();
    if constexpr (has_total<F>) {
      lane own[lanes];
      store_lanes<F, T>(v, own);
      for (int i = 0; i < lanes; ++i) to[i] = to_tree<F, T>(f, own[i]);
      for (int k = 0; k < nodes.count(); ++k)
        for (int i = 0; i < lanes; ++i) to[i] = f.combine(nodes[k], to[i]);
    } else {
      put_in_front<F, T>(f, nodes, v);
      store_lanes<F, T>(v, to);
    }
    row_.flush(count);
  }
  const char* why() const { return row_.why(); }

 private:
  /// So that the row's second state, where it has such a size, is at 64 bytes.
  static tree* place_of_row(char* memory) {
    return reinterpret_cast<tree*>(memory + (64 % sizeof(tree) == 0 ? 64 - sizeof(tree) : 0));
  }
  prefix_row<tree, lanes> row_;
};

/// Whether an initial value of type R joins a sum by one addition, rounded as the sum's own are: the number that its
/// state is has this type.
template <class F, class R>
inline constexpr bool adds_initial = false;
template <of_library F, class R>
requires requires { requires __is_same(typename F::number, plain<R>); }
inline constexpr bool adds_initial<F, R> = true;

/// The same where a pack of states becomes a pack of results of type R at once: unless results are of another type, or
/// an initial value joins them in another way than a state or a number does.
template <class F, class T, class R>
class finished_row {
 public:
  using shape = scan_shape<F, T>;
  using S = typename shape::S;
  using tree = tree_state<F, T>;
  static constexpr int lanes = shape::elements_at_once, width = shape::width;
  static constexpr int room_bytes = written_row<F, T>::room_bytes + 64 + lanes * static_cast<int>(sizeof(R));

  finished_row(const F& f, const void* op, const scan_part& part, write_results write, char* memory, const tree& before)
      : written_(f, op, part, write, memory, before),
        to_(static_cast<R*>(part.results)),
        row_(reinterpret_cast<R*>(memory + written_row<F, T>::room_bytes + 64)),
        has_initial_(part.init != nullptr),
        finishes_((!has_initial_ || adds || starts) && part.result_type == dtype::other),
        exclusive_(part.exclusive),
        past_caches_(part.to_memory && reinterpret_cast<std::uintptr_t>(part.results) % (width * sizeof(R)) == 0),
        ahead_(part.from_memory && !past_caches_) {
    const R* const init = static_cast<const R*>(part.init);
    if (finishes_) row_[-1] = finish_from<F, T, R>(f, before, part.index, init);
    if constexpr (adds) initial_.s = splat<typename shape::V>(init ? *init : R{});
    if constexpr (starts)
      if (init) initial_ = in_all_lanes<F, T>(f.start(*init));
  }
  ONEFOLD_INLINE void take(const F& f, S (&v)[shape::packs], const left_nodes<F, tree>& nodes, int count) {
    if (!finishes_) return written_.take(f, v, nodes, count);
    put_in_front<F, T>(f, nodes, v);
    if constexpr (starts)
      if (has_initial_) each_pack<F, T, 0, shape::packs>([&](int c) { v[c] = f.combine(initial_, v[c]); });
    const bool at_once = !exclusive_ && count == lanes;
    R* const to = at_once ? to_ : row_;
    if (ahead_)
      for (int b = 0; b < lanes * static_cast<int>(sizeof(R)); b += 64)
        __builtin_prefetch(reinterpret_cast<const char*>(to_) + shape::bytes_ahead + b, 1, 3);
    const auto finish = [&](const auto& store) {
      each_pack<F, T, 0, shape::packs>([&](int c) {
        const auto r = result_of(f, v[c]);
        static_assert(sizeof r == width * sizeof(R));
        store(to + c * width, r);
      });
    };
    if (at_once && past_caches_)
      finish([](R* place, const auto& r) { store_past_caches(place, r); });
    else
      finish([](R* place, const auto& r) { __builtin_memcpy(place, &r, sizeof r); });
    if (!at_once) {
      std::memcpy(to_, exclusive_ ? row_ - 1 : row_, static_cast<std::size_t>(count) * sizeof(R));
      row_[-1] = row_[lanes - 1];
    }
    to_ += count;
  }
  const char* why() const {
    if (past_caches_) order_stores();  // in front of the plain store that tells other threads of the results
    return written_.why();
  }

 private:
  static constexpr bool adds = adds_initial<F, R>, starts = !finishes_from<F, T, R> && can_start<F, T, R>;

  ONEFOLD_INLINE auto result_of(const F& f, const S& s) const {
    if constexpr (adds)
      return round_pack<R>(s.s + initial_.s);
    else
      return f.template finish_pack<R>(s);
  }

  written_row<F, T> written_;
  R* to_;
  R* row_;  ///< after one result, of the prefix before it
  bool has_initial_, finishes_, exclusive_, past_caches_, ahead_;
  S initial_{};  ///< of a sum, what is added at last: an initial value or +0; else the state of an initial value
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
