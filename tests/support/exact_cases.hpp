// Cases that are hard for exact sums, in any floating-point type, and the oracle: MPFR and the rules of
// docs/semantics.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/big.hpp"
#include "support/data.hpp"
#include "support/special.hpp"

namespace support {

/// Any bit pattern that is a finite number: every exponent is as likely.
template <class T>
T any_finite(random_numbers& r) {
  for (;;) {
    const T x = from_bits<T>(r.bits());
    if (std::isfinite(value_of(x))) return x;
  }
}

/// The exact sum of elements, and its roundings; infinities and NaN as IEEE addition has them.
class exact_oracle {
 public:
  template <class T>
  void add(T x) {
    ++n_;
    if constexpr (is_float<T>) {
      if (!std::isfinite(value_of(x))) {
        special_ += value_of(x);
        return;
      }
    }
    sum_ += big::from(x);
  }
  template <class T>
  explicit exact_oracle(const std::vector<T>& x) {
    for (const T y : x) add(y);
  }
  template <class R>
  R sum() const {
    return rounded<R>(sum_);
  }
  template <class R>
  R mean() const {
    return rounded<R>(sum_ / big::from(n_));
  }

 private:
  template <class R>
  R rounded(const big& x) const {
    if (std::isnan(special_)) return canonical_nan<R>();
    return special_ != 0 ? nearest<R>(special_) : x.template rounded<R>();
  }
  big sum_;
  double special_ = 0;
  std::int64_t n_ = 0;
};

/// How the elements of a case are made.
enum class exact_case { any, neighbors, cancelling, ties, subnormal, overflowing, special, same, conditioned, count };

template <class T>
void shuffle(std::vector<T>& x, random_numbers& r) {
  for (std::size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[r.bits() % i]);
}

/// n elements or a few more.
template <class T>
std::vector<T> exact_case_data(exact_case kind, std::int64_t n, random_numbers& r) {
  constexpr format f = format_of<T>;
  const int middle = r.integer(f.smallest_exponent(), f.largest_exponent() - 8);
  std::vector<T> x;
  const auto add = [&](double v) { x.push_back(nearest<T>(v)); };
  while (static_cast<std::int64_t>(x.size()) < n) {
    const T y = any_finite<T>(r);
    switch (kind) {
      case exact_case::neighbors:  // within seven binades
        add(r.sign() * std::ldexp(r.uniform(1, 2), middle + r.integer(0, 7)));
        break;
      case exact_case::cancelling:  // down to the last bit
        x.push_back(y);
        add(-value_of(y));
        if (r.integer(0, 7) == 0) add(r.sign() * std::ldexp(1, f.smallest_exponent()));
        break;
      case exact_case::ties: {  // between two neighbors of every result type, and next to it
        const int bits[] = {f.precision(), 8, 11, 24, 53};
        add(std::ldexp(1, middle));
        add(r.sign() * std::ldexp(r.integer(0, 2) + 0.5, middle - bits[r.integer(0, 4)] + r.integer(0, 2)));
        if (r.integer(0, 2) == 0) add(r.sign() * std::ldexp(1, f.smallest_exponent()));
        break;
      }
      case exact_case::subnormal:
        add(r.sign() * std::ldexp(r.integer(0, 1 << std::min(f.fraction_bits, 20)), f.smallest_exponent()));
        break;
      case exact_case::overflowing: {  // on the way, and sometimes in the end
        const double most = std::ldexp(2 - std::ldexp(1, -f.fraction_bits), f.largest_exponent());
        add(r.sign() * most);
        add(r.integer(0, 3) ? -value_of(x.back()) : value_of(y));
        break;
      }
      case exact_case::special:
        x.push_back(y);
        if (r.integer(0, 15) == 0) add(r.sign() * inf);
        if (r.integer(0, 31) == 0) x.push_back(all_kinds_of_nan<T>()[static_cast<std::size_t>(r.integer(0, 3))]);
        break;
      case exact_case::same:
        x.push_back(x.empty() ? y : x.front());
        break;
      case exact_case::conditioned:
        x = ill_conditioned_data<T>(n, r.bits());
        break;
      default:
        x.push_back(y);
    }
  }
  if (kind != exact_case::same) shuffle(x, r);
  return x;
}

/// Pages that go different ways one after the other: exact lanes, windows, bins, single elements.
template <class T>
std::vector<T> mixed_pages(std::int64_t n, std::uint64_t seed) {
  const std::int64_t page = 16384 / sizeof(T);
  random_numbers r(seed);
  std::vector<T> x;
  while (static_cast<std::int64_t>(x.size()) < n) {
    const auto kind = static_cast<exact_case>(r.integer(0, static_cast<int>(exact_case::count) - 1));
    if (kind == exact_case::special || kind == exact_case::conditioned) continue;
    for (const T y : exact_case_data<T>(kind, page * r.integer(1, 6) / 2, r)) x.push_back(y);
  }
  x.resize(static_cast<std::size_t>(n));
  return x;
}

}  // namespace support
