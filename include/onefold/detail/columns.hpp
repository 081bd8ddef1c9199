// Folds strips of many neighboring columns over SIMD packs: a pack holds neighboring columns of one row, so that no
// lane meets another one's. src/run/columns.hpp puts pages together from them.
#pragma once

#include "onefold/detail/finish.hpp"
#include "onefold/detail/pack_shape.hpp"
#include "onefold/detail/unroll.hpp"
#include "onefold/recipe.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The functions for columns. States of several numbers are structs of packs, and begin at whole packs of columns only;
/// in an array of one number each, at any column.
template <class F, class T>
class pack_columns {
  using shape = pack_shape<F, T>;
  using V = typename shape::V;
  using S = typename shape::S;
  using value = typename shape::value;
  using stored = typename shape::stored;
  using stored_pack = typename shape::stored_pack;

 public:
  static constexpr int width = shape::width;
  static constexpr int numbers = members<S, V>::count;  ///< of a state

  /// The most lanes: a row of 16 KiB of elements, which CPUs prefetch well where the next row is far away, or states of
  /// as many bytes, of which their second-level caches hold a dozen.
  static constexpr int most = [] {
    constexpr int bytes = 16 << 10, by_elements = bytes / static_cast<int>(sizeof(T)),
                  by_states = bytes / static_cast<int>(sizeof(value)) / numbers;
    constexpr int smaller = by_elements < by_states ? by_elements : by_states;
    return smaller < width ? width : smaller / width * width;
  }();
  /// With room for the last pack, which may be written beyond the last lane.
  static constexpr int stride = most + width;

  /// pack_functions::lanes.
  static void lanes(const void* op, const void* data, const lane_steps& by, int values, void* to) {
    const F& f = object_of_recipe<F>(op);
    value* const states = static_cast<value*>(to);
    ONEFOLD_UNROLL(1)
    for (int i = 0; i < values; i += width) {
      if constexpr (numbers == 1)
        if (values - i < width) i = values - width;  // some again, to the same states
      const stored* const p = static_cast<const stored*>(data) + i;
      const auto lane = [&](int k) {
        const stored* x = p + k * by.lane;
        S t = f.lift(shape::elements(x));
        ONEFOLD_UNROLL(1)
        for (int rows = by.rows - (k >= by.longer); rows > 1; --rows) {
          x += by.row;
          t = push_pack(f, t, shape::elements(x));
        }
        return end_strip(f, t);
      };
      const S joined = tree<0, 1>(f, by.lanes, lane);
      set(states + i * numbers, joined);
      if constexpr (numbers == 1)  // whole packs are combined: what is after the last lane are states, too
        if (i + width == values && values % width != 0) set(states + values, joined);
    }
  }

  /// pack_functions::strip.
  static void strip(const void* op, const void* data, std::int64_t step, int count, int values, int s, bool last,
                    void* lanes) {
    const F& f = object_of_recipe<F>(op);
    const stored* const p = static_cast<const stored*>(data);
    value* const to = static_cast<value*>(lanes);
    int i = 0;
    if (count == strip_rows) {
      ONEFOLD_UNROLL(1)
      for (; i + width <= values; i += width) {
        S t = f.lift(shape::elements(p + i));
        ONEFOLD_UNROLL(8)
        for (int r = 1; r < strip_rows; ++r) t = push_pack(f, t, shape::elements(p + i + r * step));
        add(f, end_full_strip(f, t), s, last, to + i * numbers);
      }
    } else {
      ONEFOLD_UNROLL(1)
      for (; i + width <= values; i += width) {
        S t = f.lift(shape::elements(p + i));
        ONEFOLD_UNROLL(1)
        for (int r = 1; r < count; ++r) t = push_pack(f, t, shape::elements(p + i + r * step));
        add(f, end_strip(f, t), s, last, to + i * numbers);
      }
    }
    if (i < values) {
      S t = identity_of<F, V>(f);
      ONEFOLD_UNROLL(1)
      for (int r = 0; r < count; ++r) {
        const V x = shape::element_values(load_first<stored_pack>(p + i + r * step, values - i));
        t = r > 0 ? push_pack(f, t, x) : f.lift(x);
      }
      add(f, end_strip(f, t), s, last, to + i * numbers);
    }
  }

  /// pack_functions::combine.
  static void combine(const void* op, void* lanes, const void* right, int values) {
    const F& f = object_of_recipe<F>(op);
    value* const to = static_cast<value*>(lanes);
    const value* const from = static_cast<const value*>(right);
    ONEFOLD_UNROLL(1)
    for (int i = 0; i < values; i += width) {
      const S old = get(to + i * numbers), both = f.combine(old, get(from + i * numbers));
      set(to + i * numbers, values - i < width ? shape::first_values(both, old, values - i) : both);
    }
  }

 private:
  /// Lane K after halving to W lanes, of which `lanes` hold anything.
  template <int K, int W, class Lane>
  ONEFOLD_INLINE static S tree(const F& f, int lanes, const Lane& lane) {
    if constexpr (W >= most_joined_lanes) {
      return lane(K);
    } else {
      const S left = tree<K, 2 * W>(f, lanes, lane);
      return K + W < lanes ? f.combine(left, tree<K + W, 2 * W>(f, lanes, lane)) : left;
    }
  }

  ONEFOLD_INLINE static S get(const value* a) {
    members<S, V> s;
    for (int k = 0; k < numbers; ++k) s.m[k] = load<V>(a + k * width);
    return s.state();
  }
  ONEFOLD_INLINE static void set(value* a, const S& state) {
    const auto s = members<S, V>::of(state);
    __builtin_memcpy(a, s.m, sizeof s.m);
  }

  /// A pack's state of strip s joins what is at `to`; strip 2 waits in the next array for strip 3.
  ONEFOLD_INLINE static void add(const F& f, S t, int s, bool last, value* to) {
    if (s == 2 && !last) {
      to += stride * numbers;
    } else if (s > 0) {
      if (s == 3) t = f.combine(get(to + stride * numbers), t);
      t = f.combine(get(to), t);
    }
    set(to, t);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
