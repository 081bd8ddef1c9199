// Exact sums of f64 whose exponents differ by tens of binades: windows of biased additions (Demmel & Nguyen 2013, "Fast
// reproducible floating-point summation").
//
// A level is a number M that begins at 1.5 * 2^K. An element is added to it, what was rounded away, exactly (Dekker
// 1971), to the next level, and so on. While M stays in its binade, its bits are the sum as an integer in units of its
// last place. exact_lanes take fewer operations, and elements within 20 binades.
#pragma once

#include "onefold/detail/exact/superaccumulator.hpp"
#include "onefold/detail/pack.hpp"
#include "onefold/detail/strict_math.hpp"
#include "onefold/detail/unroll.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Levels over packs next to each other, which hide the latency of additions. Two take elements within 32 binades, and
/// three, for a tenth more of the time, within 75.
template <int levels>
class exact_windows {
 public:
  static constexpr int width = vector_bytes / static_cast<int>(sizeof(double));
  static constexpr int most = 1024;  ///< elements

  /// Adds n <= `most` elements, or nothing: then it returns false, because some are not finite or leave something
  /// after the last level.
  [[gnu::noinline]] static bool add(superaccumulator& total, const double* p, int n) {
    const int whole = n / width * width;
    const V rest = whole < n ? load_first<V>(p + whole, n - whole) : V{};
    V largest[columns] = {absolute(rest)};
    int i = 0;
    ONEFOLD_UNROLL(1)
    for (; i + columns * width <= whole; i += columns * width)
      for (int c = 0; c < columns; ++c) largest[c] = larger(absolute(load<V>(p + i + c * width)), largest[c]);
    for (; i < whole; i += width) largest[1] = larger(absolute(load<V>(p + i)), largest[1]);
    const V all = larger(larger(largest[0], largest[1]), larger(largest[2], largest[3]));
    double top = 0;
    for (int l = 0; l < width; ++l) top = all[l] > top ? all[l] : top;
    // Elements are below 2^(K - headroom), and the last place of the last level is one that f64 has.
    const int field = static_cast<int>(__builtin_bit_cast(std::int64_t, top) >> format::fraction_bits);
    int k = field - format::bias + 1 + headroom;
    if (k > format::bias) return false;
    if (k < least) k = least;

    double start[levels];
    for (int l = 0; l < levels; ++l) start[l] = 1.5 * power_of_two(k - l * step);
    V m[columns][levels];
    for (auto& column : m)
      for (int l = 0; l < levels; ++l) column[l] = splat<V>(start[l]);
    I left{};
    i = 0;
    ONEFOLD_UNROLL(1)
    for (; i + columns * width <= whole; i += columns * width)
      for (int c = 0; c < columns; ++c) push(m[c], load<V>(p + i + c * width), left);
    for (; i < whole; i += width) push(m[0], load<V>(p + i), left);
    push(m[1], rest, left);
    if (any_of((left & splat<I>(all_but_sign)) != I{})) return false;

    for (int l = 0; l < levels; ++l) {
      I sums{};
      for (auto& column : m) sums += bits_as<I>(column[l]) - splat<I>(__builtin_bit_cast(std::int64_t, start[l]));
      std::int64_t sum = 0;
      for (int lane = 0; lane < width; ++lane) sum += sums[lane];
      deposit(total, sum, k - l * step - format::fraction_bits - superaccumulator::low_bit);
    }
    return true;
  }

 private:
  using format = format_of<double>;
  using V = pack<double, width>;
  using I = bits_of<V>;
  static constexpr int columns = 4;
  static constexpr int headroom = 10;  ///< fewer than 2^9 additions stay within the binade
  static_assert(most <= 256 * columns * width);
  static constexpr int step = format::precision - headroom;  ///< from a level's exponent to the next one's
  static constexpr int least = format::smallest_normal + (levels - 1) * step;
  static constexpr std::int64_t all_but_sign = ~(std::int64_t{1} << 63);

  static ONEFOLD_INLINE V absolute(V x) { return bits_as<V>(bits_as<I>(x) & splat<I>(all_but_sign)); }
  /// The larger; b if either is NaN, which then shows up in `left`.
  static ONEFOLD_INLINE V larger(V a, V b) { return a > b ? a : b; }
  static ONEFOLD_INLINE void push(V (&m)[levels], V x, I& left) {
    for (V& level : m) {
      const V q = level + x;
      x = x - (q - level);
      level = q;
    }
    left |= bits_as<I>(x);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
