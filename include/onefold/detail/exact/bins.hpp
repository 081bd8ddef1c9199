// Elements whose exponents differ too much for f64 lanes: one integer for each exponent, or for eight neighboring
// ones.
//
// A block's exponents and significands are taken apart over packs; then each element costs one or two additions to
// memory. Neal's large superaccumulator (2015) has a bin for each sign and exponent and a counter beside it; here
// significands are signed, and bins wide enough to need no counter.
#pragma once

#include "onefold/detail/exact/superaccumulator.hpp"
#include "onefold/detail/pack.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// How elements of f32, and of types that are widened to it, go to bins: one for each exponent.
template <class Float>
struct binning {
  using integer = std::int32_t;
  static constexpr int log2_step = 0;  ///< exponents of a bin
  static constexpr int parts = 1;      ///< integers of a bin
};
/// f64: a bin for eight exponents, whose significands are shifted by up to 7; the lower 30 of the 60 bits apart.
template <>
struct binning<double> {
  using integer = std::int64_t;
  static constexpr int log2_step = 3, parts = 2;
};

/// Sums of significands, bin by bin.
template <class T>
class exponent_bins {
 public:
  /// Adds n elements; those of a block with an infinity or NaN, and what is left of a block, go to `total` at once.
  [[gnu::noinline]] void add(superaccumulator& total, const T* data, std::int64_t n) {
    if (room_ < n) drain(total);
    room_ -= n;
    for (std::int64_t i = 0; i < n; i += block) {
      const std::int64_t count = n - i < block ? n - i : block;
      if (count < block || !add_block(data + i))
        for (std::int64_t k = 0; k < count; ++k) detail::add(total, data[i + k]);
    }
  }
  /// Moves all to `total`.
  void drain(superaccumulator& total) {
    for (int i = 0; used_ && i < bins * how::parts; ++i) {
      const std::int64_t s = sum_[0][i] + sum_[1][i];
      constexpr int first = format::lowest - 1 - superaccumulator::low_bit;  // of exponent 0, whose numbers are doubled
      const int bit = (i / how::parts << how::log2_step) + i % how::parts * part_bits + first;
      if (s != 0) deposit(total, bit < 0 ? s >> 1 : s, bit < 0 ? 0 : bit);  // the lowest sum is even
    }
    used_ = false;
    room_ = most;
  }

 private:
  using Float = std::conditional_t<__is_same(T, double), double, float>;
  using how = binning<Float>;
  using format = format_of<Float>;
  using integer = typename how::integer;
  using stored = storage_t<T>;
  static constexpr int width = vector_bytes / static_cast<int>(sizeof(Float));
  using V = pack<Float, width>;
  using I = pack<integer, width>;
  static constexpr int part_bits = 30;
  /// A load that meets a store on its way waits: hostile f32 in L2, EPYC, with blocks of 32 elements 4.2 GB/s, 64 5.7,
  /// 256 7.5, 1024 8.1; and 4.7 to 6.9 where additions begin before the next places are known.
  static constexpr int block = __is_same(Float, double) ? 256 : 1024, group = 4;
  static constexpr int bins = (format::exponent_mask >> how::log2_step) + 1;
  /// 2^32 parts of 31 bits, and more f32.
  static constexpr std::int64_t most = std::int64_t{1} << 32;

  /// Adds a whole block, unless there is an infinity or NaN in it.
  bool add_block(const T* data) {
    const auto* p = reinterpret_cast<const stored*>(data);
    integer bin[block], significand[block];
    I largest{};
    for (int i = 0; i < block; i += width) {
      const I b = bits_as<I>(widen<V, T>(load<pack<stored, width>>(p + i)));
      const I exponent = (b >> format::fraction_bits) & splat<I>(format::exponent_mask);
      const I fraction = b & splat<I>((integer{1} << format::fraction_bits) - 1);
      // Subnormal numbers, whose exponent counts as 1, are doubled instead.
      const I size = exponent != I{} ? fraction | splat<I>(integer{1} << format::fraction_bits) : fraction + fraction;
      const I sign = b >> (8 * static_cast<int>(sizeof(integer)) - 1);
      largest |= exponent + splat<I>(1);
      store(bin + i, exponent >> how::log2_step);
      const I shift = exponent & splat<I>((1 << how::log2_step) - 1);
      store(significand + i, how::log2_step ? ((size ^ sign) - sign) << shift : (size ^ sign) - sign);
    }
    if (any_of((largest & splat<I>(format::exponent_mask + 1)) != I{})) return false;
    if (!used_) clear();
    for (int i = 0; i < block; i += group) add_group(bin + i, significand + i);
    return true;
  }
  /// Adds a few significands, all of whose places are known before the first addition.
  ONEFOLD_INLINE void add_group(const integer* bin, const integer* significand) {
    integer to[group], what[group];
    for (int t = 0; t < group; ++t) {
      to[t] = bin[t];
      what[t] = significand[t];
      __asm__ volatile("" : "+r"(to[t]), "+r"(what[t]));
    }
    for (int t = 0; t < group; ++t) {
      std::int64_t* const sum = sum_[t % 2] + how::parts * to[t];
      if constexpr (how::parts == 1) {
        sum[0] += what[t];
      } else {
        sum[0] += what[t] & ((integer{1} << part_bits) - 1);
        sum[1] += what[t] >> part_bits;
      }
    }
  }
  static ONEFOLD_INLINE void store(integer* p, I x) { __builtin_memcpy(p, &x, sizeof x); }
  void clear() {
    for (auto& table : sum_)
      for (std::int64_t& s : table) s = 0;
    used_ = true;
  }

  /// Elements take turns between two tables: an addition waits for the one before to the same bin (6.2 GB/s with one
  /// table, 7.0 with two or four). Not set before they are used.
  std::int64_t sum_[2][bins * how::parts];
  std::int64_t room_ = most;
  bool used_ = false;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
