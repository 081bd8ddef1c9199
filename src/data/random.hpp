// Random numbers by their place: the k-th number of a seed does not need those before it.
#pragma once

#include <cstdint>
#include <utility>

namespace onefold::data {

/// SplitMix64 (Steele, Lea & Flood 2014) with its state computed from the place. The seed is mixed first, so that two
/// seeds are not the same numbers shifted. The transforms are this project's own: those of <random> differ between
/// C++ libraries.
class random_numbers {
 public:
  explicit constexpr random_numbers(std::uint64_t seed) : start_(mixed(seed + golden)) {}

  /// 64 random bits.
  constexpr std::uint64_t bits(std::uint64_t place) const { return mixed(start_ + (place + 1) * golden); }
  /// In [0, 1), a multiple of 2^-53.
  constexpr double uniform(std::uint64_t place) const { return static_cast<double>(bits(place) >> 11) * 0x1p-53; }
  /// An integer in [low, high].
  constexpr int integer(std::uint64_t place, int low, int high) const {
    return low + static_cast<int>(bits(place) % static_cast<std::uint64_t>(high - low + 1));
  }

 private:
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;  // 2^64 / the golden ratio
  static constexpr std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t start_;
};

/// Puts x[0 .. n) in a random order (Fisher & Yates; Durstenfeld 1964), with the numbers of the places below n.
template <class T>
void shuffle(T* x, std::int64_t n, const random_numbers& random) {
  for (std::int64_t i = n - 1; i > 0; --i)
    std::swap(x[i], x[random.bits(static_cast<std::uint64_t>(i)) % static_cast<std::uint64_t>(i + 1)]);
}

}  // namespace onefold::data
