// Test data: the distributions that reductions meet, in any element type, from a seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "support/number.hpp"

namespace support {

/// SplitMix64 (Steele, Lea & Flood 2014): the same numbers everywhere.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// An integer in [low, high].
  int integer(int low, int high) { return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1)); }
  double sign() { return (bits() & 1) ? 1.0 : -1.0; }
  double normal() {  // Box & Muller 1958
    return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t state_;
};

/// n elements, each nearest(next()).
template <class T, class Next>
std::vector<T> generated(std::int64_t n, Next next) {
  std::vector<T> x(static_cast<std::size_t>(n));
  for (T& y : x) y = nearest<T>(next());
  return x;
}

template <class T>
std::vector<T> uniform_data(std::int64_t n, std::uint64_t seed) {
  random_numbers r(seed);
  return generated<T>(n, [&] { return r.uniform(); });
}
template <class T>
std::vector<T> normal_data(std::int64_t n, std::uint64_t seed) {
  random_numbers r(seed);
  return generated<T>(n, [&] { return r.normal(); });
}
template <class T>
std::vector<T> lognormal_data(std::int64_t n, std::uint64_t seed) {
  random_numbers r(seed);
  return generated<T>(n, [&] { return std::exp(2 * r.normal()); });
}
/// Every bit pattern of an integer type is as likely.
template <class T>
std::vector<T> integer_data(std::int64_t n, std::uint64_t seed) {
  random_numbers r(seed);
  std::vector<T> x(static_cast<std::size_t>(n));
  for (T& y : x) y = static_cast<T>(r.bits());
  return x;
}
/// Signed values with exponents over the whole range of the type, but for room for 2^16 of them in their sum.
template <class T>
std::vector<T> wide_data(std::int64_t n, std::uint64_t seed) {
  constexpr format f = format_of<T>;
  constexpr int room = f.exponent_bits > 5 ? 16 : 0;  // f16 adds up in f32
  random_numbers r(seed);
  return generated<T>(n, [&] {
    return r.sign() * std::ldexp(r.uniform(1, 2), r.integer(f.smallest_exponent(), f.largest_exponent() - 1 - room));
  });
}
template <class T>
std::vector<T> subnormal_data(std::int64_t n, std::uint64_t seed) {
  constexpr format f = format_of<T>;
  random_numbers r(seed);
  return generated<T>(n, [&] {
    return r.sign() * std::ldexp(std::floor(r.uniform() * std::ldexp(1, f.fraction_bits)), f.smallest_exponent());
  });
}
/// Values whose sum nearly cancels: first random exponents up to `exponent`, then what takes the sum back toward zero
/// as they fall (after Ogita, Rump & Oishi 2005, algorithm 6.1), shuffled.
template <class T>
std::vector<T> ill_conditioned_data(std::int64_t n, std::uint64_t seed) {
  constexpr format f = format_of<T>;
  const int exponent = std::min(2 * f.precision(), f.largest_exponent() - 4);
  random_numbers r(seed);
  std::vector<T> x;
  long double sum = 0;
  const auto add = [&](double y) {
    x.push_back(nearest<T>(y));
    sum += static_cast<long double>(value_of(x.back()));
  };
  for (std::int64_t i = 0; i < n; ++i) {
    const bool falling = 2 * i >= n;
    const double share = 2 * (1 - static_cast<double>(i) / static_cast<double>(n));
    const double size =
        std::ldexp(r.uniform(-1, 1), falling ? static_cast<int>(exponent * share) : r.integer(0, exponent));
    add(falling ? size - static_cast<double>(sum) : size);
  }
  for (std::size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[r.bits() % i]);
  return x;
}
/// Factors near 1 of either sign: a product of millions of them stays finite.
template <class T>
std::vector<T> factor_data(std::int64_t n, std::uint64_t seed) {
  random_numbers r(seed);
  return generated<T>(n, [&] { return r.sign() * std::exp2(r.uniform(-0.02, 0.02)); });
}
/// All finite values of a 16-bit format, shuffled.
template <class T>
std::vector<T> all_finite_values() {
  std::vector<T> x;
  for (int b = 0; b < 65536; ++b) {
    const T v = T::from_bits(static_cast<std::uint16_t>(b));
    if (std::isfinite(value_of(v))) x.push_back(v);
  }
  random_numbers r(7);
  for (std::size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[r.bits() % i]);
  return x;
}

}  // namespace support
