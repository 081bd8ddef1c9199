// The exact central moments of integers, and errors of results against them.
#pragma once

#include <cmath>
#include <vector>

namespace support {

/// The moments of integers, from sums of powers that are exact in 128 bits.
struct exact_moments_of {
  long double n, mean, m2, m3, m4;  ///< the mean powers of distances

  explicit exact_moments_of(const std::vector<int>& x) : n(static_cast<long double>(x.size())) {
    __extension__ using wide = __int128;
    wide s1 = 0, s2 = 0, s3 = 0, s4 = 0;
    for (const int k : x) {
      const wide y = k;
      s1 += y;
      s2 += y * y;
      s3 += y * y * y;
      s4 += y * y * y * y;
    }
    const wide c = static_cast<wide>(x.size());
    mean = static_cast<long double>(s1) / n;
    m2 = static_cast<long double>(c * s2 - s1 * s1) / (n * n);
    m3 = static_cast<long double>(c * c * s3 - 3 * c * s1 * s2 + 2 * s1 * s1 * s1) / (n * n * n);
    m4 = static_cast<long double>(c * c * c * s4 - 4 * c * c * s1 * s3 + 6 * c * s1 * s1 * s2 - 3 * s1 * s1 * s1 * s1) /
         (n * n * n * n);
  }
  long double g1() const { return m3 / (m2 * std::sqrt(m2)); }
  long double g2() const { return m4 / (m2 * m2) - 3; }
  long double G1() const { return g1() * std::sqrt(n * (n - 1)) / (n - 2); }
  long double G2() const { return (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * g2() + 6); }
};

/// The error relative to the value, and to 1 where that is near 0: such kurtoses are differences.
inline double error_of(double found, long double exact) {
  return static_cast<double>(std::abs(static_cast<long double>(found) - exact) / (1 + std::abs(exact)));
}

}  // namespace support
