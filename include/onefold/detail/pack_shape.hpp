// What a row of a page is in packs of this level: how wide they are, how many there are, and how elements get there.
#pragma once

#include "onefold/detail/fold_traits.hpp"
#include "onefold/detail/pack.hpp"
#include "onefold/detail/pack_states.hpp"
#include "onefold/detail/strict_math.hpp"
#include "onefold/operation.hpp"
#include "onefold/order.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The packs of fold F over elements T.
template <class F, class T>
struct pack_shape {
  using value = lane_value<F, T>;
  using stored = storage_t<T>;
  static constexpr int lanes = lanes_of(sizeof(T));
  static constexpr int natural_width = vector_bytes / static_cast<int>(sizeof(value));
  static constexpr int width = natural_width < lanes ? natural_width : lanes;
  static constexpr int columns = lanes / width;  ///< packs of a row
  using V = pack<value, width>;
  using stored_pack = pack<stored, width>;
  using S = typename F::template state<V>;
  using lane = lane_state<F, T>;

  /// The CPU's registers for vectors of this width.
  static constexpr int registers = vector_bytes == 64 ? 32 : 16;
  /// Whether the state of a whole row stays in registers, more or less.
  static constexpr bool rows_fit = columns <= 16 && columns * members<S, V>::count <= 32;

  ONEFOLD_INLINE static V element_values(stored_pack x) {
    if constexpr (of_library<F> && requires { F::template project<V>(x); })
      return F::template project<V>(x);
    else
      return widen<V, T>(x);
  }
  ONEFOLD_INLINE static V elements(const stored* p) { return element_values(load<stored_pack>(p)); }
  /// Of a source, which computes them: pack_full_page.hpp.
  template <class Source>
  ONEFOLD_INLINE static V elements(const Source& x) {
    return element_values(x.template values<stored_pack>());
  }

  /// The first `count` values from a, the others from b.
  ONEFOLD_INLINE static S first_values(const S& a, const S& b, int count) {
    if constexpr (width == 1) {
      return count ? a : b;
    } else {
      using I = std::remove_cvref_t<decltype(V{} == V{})>;
      I index;
      for (int i = 0; i < width; ++i) index[i] = static_cast<value_of<I>>(i);
      const I mask = index < splat<I>(static_cast<value_of<I>>(count));
      const auto x = members<S, V>::of(a), y = members<S, V>::of(b);
      members<S, V> r;
      for (int i = 0; i < r.count; ++i) r.m[i] = mask ? x.m[i] : y.m[i];
      return r.state();
    }
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
