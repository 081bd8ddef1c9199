// Adds an array, and the squares of its elements, to exact sums.
//
// A square is one f64, of elements up to f32, or the sum of two: of twice as many exponents as the elements have.
#pragma once

#include <cstddef>

#include "onefold/detail/exact/adder.hpp"
#include "onefold/detail/exact/moments.hpp"
#include "onefold/detail/exact/windows.hpp"
#include "onefold/detail/folds/additive.hpp"
#include "onefold/detail/pack_shape.hpp"
#include "onefold/detail/unroll.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// x^2 == high + low, without an fma and unless something leaves the normal range. Dekker 1971, with Veltkamp's split.
template <class V>
struct square_parts {
  V high, low;
  ONEFOLD_INLINE explicit square_parts(V x) : high(x * x), low() {
    const V t = x * splat<V>(0x1p27 + 1), upper = t - (t - x), lower = x - upper, cross = upper * lower;
    low = ((upper * upper - high) + (cross + cross)) + lower * lower;
  }
};

/// Adds squares of f16, bf16, f32 or f64 to a sum of products, which has them all after finish().
template <class T>
class square_adder {
 public:
  explicit square_adder(product_accumulator& total) : total_(total) {}
  square_adder(const square_adder&) = delete;
  square_adder& operator=(const square_adder&) = delete;

  void add(const T* p, std::int64_t n) {
    for (std::int64_t i = 0; i < n; i += block) {
      const int count = static_cast<int>(n - i < block ? n - i : block);
      if (make_squares(p + i, count)) {
        add_numbers(square_, count);
        if constexpr (two_parts) add_numbers(rest_, count);
      } else {
        for (int k = 0; k < count; ++k) add_product(total_, p[i + k], p[i + k]);
      }
    }
  }
  void finish() {
    bins_.drain(near_);
    detail::add(total_, near_);
  }

 private:
  using shape = pack_shape<additive<T, double, plain>, T>;
  using V = typename shape::V;
  using I = bits_of<V>;
  static constexpr int width = shape::width;
  static constexpr bool two_parts = __is_same(T, double);
  using windows = exact_windows<2>;
  static constexpr int block = windows::most;  ///< squares, which stay in L1

  void add_numbers(const double* p, int count) {
    if (!windows::add(near_, p, count)) bins_.add(near_, p, count);
  }

  /// Writes the squares of some elements; false if that cannot be done exactly.
  [[gnu::noinline]] bool make_squares(const T* data, int count) {
    const auto* p = reinterpret_cast<const typename shape::stored*>(data);
    I outside{};
    ONEFOLD_UNROLL(1)
    for (int i = 0; i < count; i += width) {
      const V x = shape::element_values(count - i < width ? load_first<typename shape::stored_pack>(p + i, count - i)
                                                          : load<typename shape::stored_pack>(p + i));
      if constexpr (two_parts) {
        const square_parts<V> s(x);
        store(square_ + i, s.high);
        store(rest_ + i, s.low);
        outside |= far(x);
      } else {
        store(square_ + i, x * x);
      }
    }
    return !any_of(outside != I{});
  }
  /// Whether the parts of a square would over- or underflow; of 0 they do not.
  static ONEFOLD_INLINE I far(V x) {
    constexpr std::int64_t least = __builtin_bit_cast(std::int64_t, 0x1p-480);
    constexpr std::int64_t most = __builtin_bit_cast(std::int64_t, 0x1p500);
    const I size = bits_as<I>(x) & splat<I>(~(std::int64_t{1} << 63));
    const I flaw = splat<I>(1);
    const I small = (size < splat<I>(least)) & (size != I{});
    return (small != I{} ? flaw : I{}) | (size > splat<I>(most) ? flaw : I{});
  }
  static ONEFOLD_INLINE void store(double* p, V x) { __builtin_memcpy(p, &x, sizeof x); }

  product_accumulator& total_;
  superaccumulator near_{};  ///< squares that f64 can hold
  exponent_bins<double> bins_;
  double square_[block], rest_[two_parts ? block : 1];
};

/// Adds arrays of floating-point elements to sums of powers, which have them all after finish().
template <class T>
class power_adder {
 public:
  explicit power_adder(power_sums& total) : elements_(total.sum), squares_(total.squares) {}
  /// In memory of the caller's; the standard library's would be symbols that levels share.
  static void* operator new(std::size_t /*size*/, void* where) { return where; }
  static void operator delete(void* /*adder*/, void* /*where*/) {}

  void add(const T* p, std::int64_t n) {
    constexpr std::int64_t batch = exact_batch * page_elements(sizeof(T));  // from memory once, then from a cache
    for (std::int64_t i = 0; i < n; i += batch) {
      const std::int64_t count = n - i < batch ? n - i : batch;
      elements_.add(p + i, count);
      squares_.add(p + i, count);
    }
  }
  void finish() {
    elements_.finish();
    squares_.finish();
  }

 private:
  exact_adder<T> elements_;
  square_adder<T> squares_;
};

/// The same for integers: sums of 128 bits, and of 192 for squares of 64-bit elements.
template <class T>
requires(is_integer<T>) class power_adder<T> {
 public:
  explicit power_adder(power_sums& total) : total_(total) {}
  power_adder(const power_adder&) = delete;
  power_adder& operator=(const power_adder&) = delete;

  void add(const T* p, std::int64_t n) {
    if constexpr (sizeof(T) == 8) {
      for (std::int64_t i = 0; i < n; ++i) {
        sum_ += p[i];
        auto size = static_cast<std::uint64_t>(p[i]);
        if constexpr (is_signed<T>) size = p[i] < 0 ? -size : size;
        const uint128 square = static_cast<uint128>(size) * size;
        squares_ += square;
        carries_ += squares_ < square;
      }
    } else {
      for (std::int64_t i = 0; i < n; i += block) add_block(p + i, n - i < block ? n - i : block);
    }
  }
  void finish() {
    deposit_wide(total_.sum, sum_, -superaccumulator::low_bit);
    deposit_wide(total_.squares, squares_, -product_accumulator::low_bit);
    deposit(total_.squares, carries_, 128 - product_accumulator::low_bit);
  }

 private:
  static constexpr std::int64_t block = std::int64_t{1} << 31;

  /// Squares of up to 32 bits in two halves, of which 64 bits hold 2^32.
  void add_block(const T* p, std::int64_t count) {
    std::int64_t sum = 0;
    std::uint64_t low = 0, high = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto x = static_cast<std::int64_t>(p[i]);
      const auto square = static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(x);
      sum += x;
      low += square & low_word;
      high += square >> 32;
    }
    sum_ += sum;
    squares_ += (static_cast<uint128>(high) << 32) + low;
  }

  power_sums& total_;
  int128 sum_ = 0;
  uint128 squares_ = 0;
  std::int64_t carries_ = 0;  ///< 2^128 each
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
