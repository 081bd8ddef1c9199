// Bins by their definition: an element is compared with edges in a number type that has all of both.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "onefold/types.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"

namespace support {

// Of 64 bits and an exponent: what f64, i64 and u64 have.
static_assert(std::numeric_limits<long double>::digits >= 64);

/// Elements that are not NaN, in ascending order.
class sorted_numbers {
 public:
  template <class T>
  explicit sorted_numbers(std::span<const T> x) {
    for (const T& e : x)
      if (const auto number = static_cast<long double>(value_of(e)); !std::isnan(number)) numbers_.push_back(number);
    std::sort(numbers_.begin(), numbers_.end());
  }
  /// How many are in each bin.
  std::vector<std::int64_t> counts(std::span<const double> edges) const {
    std::vector<std::int64_t> counts;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i)
      counts.push_back((i + 2 == edges.size() ? up_to(edges[i + 1]) : below(edges[i + 1])) - below(edges[i]));
    return counts;
  }

 private:
  std::int64_t below(double edge) const {
    return std::lower_bound(numbers_.begin(), numbers_.end(), static_cast<long double>(edge)) - numbers_.begin();
  }
  std::int64_t up_to(double edge) const {
    return std::upper_bound(numbers_.begin(), numbers_.end(), static_cast<long double>(edge)) - numbers_.begin();
  }
  std::vector<long double> numbers_;
};

template <class T>
std::vector<std::int64_t> counts_by_definition(std::span<const T> x, std::span<const double> edges) {
  return sorted_numbers(x).counts(edges);
}

/// Random elements, some of them at the ends of their type; of floating-point types also infinities, NaN of both signs
/// and -0.
template <class T>
std::vector<T> elements_for_bins(std::int64_t n, std::uint64_t seed) {
  random_numbers r(seed);
  std::vector<T> x(static_cast<std::size_t>(n));
  for (T& e : x) {
    const int kind = r.integer(0, 199);
    if constexpr (is_float<T>) {
      const double special[] = {HUGE_VAL, -HUGE_VAL, std::nan(""), -std::nan(""), -0.0, 0.0, 1.0, -1.0};
      e = nearest<T>(kind < 8 ? special[kind] : r.integer(-40'000, 40'000) / (kind < 150 ? 10'000.0 : 7.0));
    } else {
      const T special[] = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(),
                           static_cast<T>(std::numeric_limits<T>::max() - 1), T{}};
      e = kind < 4    ? special[kind]
          : kind < 50 ? static_cast<T>(r.bits())
                      : static_cast<T>(r.integer(std::numeric_limits<T>::min() < 0 ? -100 : 0, 100));
    }
  }
  return x;
}

/// Edges for them: few and many, infinite, equal, between elements and at them.
inline std::vector<std::vector<double>> edges_for_bins() {
  std::vector<double> many;
  for (int i = 0; i <= 3000; ++i) many.push_back(-4 + i * i * 1e-6);
  return {{0, 1},
          {-HUGE_VAL, HUGE_VAL},
          {-HUGE_VAL, -1, -0.0, 0, 0.5, 0.5, 1, HUGE_VAL},
          {-3, -1, 0, 1, 1},
          {1, 1},
          {0.25, 0.75},
          {-0x1p63, -0x1p53, 0, 0x1p53, 0x1.fffffffffffffp62, 0x1p63, 0x1.fffffffffffffp63, 0x1p64},
          {-1e300, -3e38, -65504, -128, 127, 255, 32767, 65504, 3.4e38, 1e300},
          {1e30, 1e300},
          {-1e300, -1e30},
          many};
}

}  // namespace support
