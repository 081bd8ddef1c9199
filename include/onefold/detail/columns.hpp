// Folds up to a page of each of many neighbouring columns over SIMD packs.
//
// A pack holds neighbouring columns of one row, so that no lane meets another one's. What is folded at once is a group
// of lanes: as many neighbouring rows as a state array holds, for narrow matrices read as one long row. The groups are
// halved depth first, and the lanes of the last one in place.
#pragma once

#include "onefold/detail/lane_array.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

template <class F, class T>
class pack_columns {
  using array = lane_array<F, T>;
  using page = typename array::page;
  using S = typename array::S;
  using value = typename array::value;
  using stored = typename page::stored;
  using stored_pack = typename page::stored_pack;
  static constexpr int width = array::width;
  /// Arrays: one for each halving of the lanes, a group's first two strips and its other two.
  static constexpr int arrays = __builtin_ctz(static_cast<unsigned>(page::lanes)) + 2;

 public:
  /// How many columns are folded in one call.
  static constexpr int at_once = array::most;

  static constexpr int room_bytes = arrays * array::values * static_cast<int>(sizeof(value));

  /// The states of `count` columns of n elements, 1 <= n <= page_elements, that lie `along` elements apart, into the
  /// array at `room`, which has room_bytes.
  [[gnu::noinline]] static void fold(const F& f, const T* data, std::int64_t along, int n, int count, value* room) {
    const pack_columns c(f, reinterpret_cast<const stored*>(data), along, n, count, room);
    c.node(0, 1, room);
    c.halve_lanes();
  }

 private:
  pack_columns(const F& f, const stored* p, std::int64_t along, int n, int count, value* room)
      : f_(f), p_(p), along_(along), count_(count), room_(room) {
    lanes_ = page::lanes;
    while (lanes_ / 2 >= n) lanes_ /= 2;  // the others hold nothing
    full_rows_ = n / lanes_;
    rest_ = n % lanes_;
    present_ = n < lanes_ ? n : lanes_;
    joined_ = along == count;
    pitch_ = joined_ ? count : (count + width - 1) / width * width;
    group_ = 1;
    while (2 * group_ <= lanes_ && 2 * group_ * pitch_ <= array::most) group_ *= 2;
  }

  /// How many lanes of the group from lane j on hold anything.
  int lanes_in(int j) const { return present_ - j < group_ ? present_ - j : group_; }

  /// Group g after halving to w groups, into `to`; the arrays after it are free.
  void node(int g, int w, value* to) const {
    if (w * group_ == lanes_) return leaf(g * group_, to);
    node(g, 2 * w, to);
    const int right = (g + w) * group_;
    if (right >= present_) return;
    node(g + w, 2 * w, to + array::values);
    combine(to, to + array::values, lanes_in(right) * pitch_);
  }

  /// The lanes from j on, each of its own rows: those before lane rest_ have one more.
  void leaf(int j, value* to) const {
    const int lanes = lanes_in(j), split = rest_ - j < 0 ? 0 : rest_ - j < lanes ? rest_ - j : lanes;
    if (split > 0) rows(j, split, full_rows_ + 1, to);
    if (split < lanes) rows(j + split, lanes - split, full_rows_, to + split * pitch_);
  }

  /// `lanes` lanes from j on, of `count` rows each: (s0 o s1) o (s2 o s3).
  void rows(int j, int lanes, int count, value* to) const {
    const int strips = (count + strip_rows - 1) / strip_rows;
    for (int s = 0; s < strips; ++s) {
      const int left = count - s * strip_rows, rows_here = left < strip_rows ? left : strip_rows;
      const bool last = s + 1 == strips;
      const stored* p = p_ + (j + s * strip_rows * lanes_) * along_;
      if (joined_)
        strip(p, rows_here, lanes * count_, s, last, to);
      else
        for (int i = 0; i < lanes; ++i) strip(p + i * along_, rows_here, count_, s, last, to + i * pitch_);
    }
  }

  /// Strip s of `rows_here` rows of `values` neighbouring elements, combined with those before it.
  void strip(const stored* p, int rows_here, int values, int s, bool last, value* to) const {
    const std::int64_t step = lanes_ * along_;
    int i = 0;
    if (rows_here == strip_rows) {
      ONEFOLD_UNROLL(1)
      for (; i + width <= values; i += width) {
        S t = f_.lift(page::elements(p + i));
        ONEFOLD_UNROLL(8)
        for (int r = 1; r < strip_rows; ++r) t = push_pack(f_, t, page::elements(p + i + r * step));
        add(end_full_strip(f_, t), s, last, to + i);
      }
    } else {
      ONEFOLD_UNROLL(1)
      for (; i + width <= values; i += width) {
        S t = f_.lift(page::elements(p + i));
        ONEFOLD_UNROLL(1)
        for (int r = 1; r < rows_here; ++r) t = push_pack(f_, t, page::elements(p + i + r * step));
        add(end_strip(f_, t), s, last, to + i);
      }
    }
    if (i < values) {
      const auto some = [&](int r) {
        return page::element_values(load_first<stored_pack>(p + i + r * step, values - i));
      };
      S t = f_.lift(some(0));
      ONEFOLD_UNROLL(1)
      for (int r = 1; r < rows_here; ++r) t = push_pack(f_, t, some(r));
      add(end_strip(f_, t), s, last, to + i);
    }
  }

  /// A pack's state of strip s joins what is at `to`; strip 2 waits in the next array for strip 3.
  ONEFOLD_INLINE void add(S t, int s, bool last, value* to) const {
    if (s == 2 && !last) {
      to += array::values;
    } else if (s > 0) {
      if (s == 3) t = f_.combine(array::get(to + array::values), t);
      t = f_.combine(array::get(to), t);
    }
    array::set(to, t);
  }

  /// The first `values` values of `to` become to o from.
  void combine(value* to, const value* from, int values) const {
    ONEFOLD_UNROLL(1)
    for (int i = 0; i < values; i += width) {
      const S old = array::get(to + i), both = f_.combine(old, array::get(from + i));
      array::set(to + i, values - i < width ? page::first_values(both, old, values - i) : both);
    }
  }

  /// Halves the lanes of the one group that is left.
  void halve_lanes() const {
    const int lanes = lanes_in(0);
    for (int w = group_ / 2; w >= 1; w /= 2) {
      const int right = lanes - w < w ? lanes - w : w;
      if (right > 0) combine(room_, room_ + w * pitch_, right * pitch_);
    }
  }

  const F& f_;
  const stored* p_;
  std::int64_t along_;
  int count_;
  value* room_;
  int lanes_, full_rows_, rest_, present_, pitch_, group_;
  bool joined_;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
