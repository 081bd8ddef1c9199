// Fills in a scan recipe: which scan a fold takes, and how its states become results.
#pragma once

#include "onefold/detail/make_recipe.hpp"
#include "onefold/detail/scan/pack_scan.hpp"
#include "onefold/detail/scan/scalar_scan.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Bytes of the largest state that can be scanned: a row of them is kept.
inline constexpr std::size_t most_bytes_of_a_scanned_state = 4096;

/// Whether a pack of F's states becomes a pack of results of type R at once.
template <class F, class T, class R>
inline constexpr bool finishes_packs = false;
template <of_library F, class T, class R>
requires(layout_of<F, T> == layout::packs && !has_total<F>) inline constexpr bool finishes_packs<F, T, R> =
    requires(const typename pack_shape<F, T>::S& s) {
  F::template finish_pack<R>(s);
};

/// How fold F scans lines of T to results R of its own type. `Fast`: its speed matters more than the size of its code.
template <class F, class T, class R, bool Fast>
struct scan_of {
  using E = kernel_element<F, T>;
  using K = kernel_t<F>;
  static constexpr layout how = layout_of<K, E>;
  using prefixes = std::conditional_t<
      scans_in_any_order<K>, any_order_prefixes<K, E>,
      std::conditional_t<how == layout::sequence, ordered_prefixes<K, E>,
                         std::conditional_t<how == layout::one_state, pushed_prefixes<K, E>, lane_prefixes<K, E>>>>;
  using type = scalar_scan<K, E, prefixes>;
};
template <class F, class T, class R>
requires(layout_of<F, T> == layout::packs) struct scan_of<F, T, R, true> {
  struct written {
    using type = pack_scan<kernel_t<F>, kernel_element<F, T>>;
  };
  struct finished {
    using type = pack_scan<F, T, finished_row<F, T, R>>;
  };
  using type = typename std::conditional_t<finishes_packs<F, T, R>, finished, written>::type;
};

/// write_results of fold F over elements T: its own results one after another in a loop, others by `finish`.
template <class F, class T, class Own, bool MayRefuse, finish_function Finish>
struct scan_writer {
  static const char* write(const void* op, const void* states, int count, std::int64_t n, const void* init, dtype type,
                           std::int32_t size, void* results) {
    using S = tree_state<F, T>;
    const S* const s = static_cast<const S*>(states);
    if constexpr (!MayRefuse)
      if (!init && type == dtype::other) {
        const F& f = object_of_recipe<F>(op);
        Own* const to = static_cast<Own*>(results);
        for (int i = 0; i < count; ++i) to[i] = finish_as<F, T, Own>(f, s[i], n + i);
        return nullptr;
      }
    alignas(S) unsigned char room[2 * sizeof(S)];
    const char* why = nullptr;
    for (int i = 0; i < count; ++i)
      if (const char* const no =
              Finish(op, s + i, n + i, init, type, static_cast<char*>(results) + std::int64_t{i} * size, room))
        why = why ? why : no;
    return why;
  }
};

/// The record of a scan on a device, or null; <onefold/cuda.cuh> has those of a .cu file's own operations.
template <class F, class T>
struct device_scan_of {
  static constexpr const device_scan* value = nullptr;
};

/// The scan recipe of fold F over elements T, whose own result type is the first of Results.
template <class F, class T, class Results, bool Fast, finish_function Finish = nullptr>
constexpr scan_recipe make_scan_recipe() {
  using functions = recipe_functions<F, T, Results, Finish>;
  using own = typename functions::own;
  using scans = typename scan_of<F, T, own, Fast>::type;
  static_assert(sizeof(tree_state<F, T>) <= most_bytes_of_a_scanned_state &&
                    sizeof(lane_state<F, T>) <= most_bytes_of_a_scanned_state,
                "onefold: a state that is scanned has at most 4 KiB");
  return {.size = sizeof(scan_recipe),
          .room_size = scans::room_bytes,
          .write = scan_writer<F, T, own, functions::may_refuse, functions::finish_or_elsewhere()>::write,
          .device = device_scan_of<F, T>::value,
          .scan = scans::scan};
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
