// Fuzzes exact sums: any pushes, merges and stored forms have the value of a plain sum in MPFR, and so have the sums of
// squares, variances and products of the same elements; any bytes are refused or read as what writes the same bytes.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

#include "onefold/detail/exact/moments.hpp"
#include "onefold/detail/exact/rounding.hpp"
#include "onefold/detail/exact/serialized.hpp"
#include "support/big.hpp"

namespace {

using namespace onefold::detail;

/// Ends the program where something does not hold: the fuzzer keeps the input.
void require(bool holds) {
  if (!holds) std::abort();
}

template <class R>
void require_same(R got, R wanted) {
  require(std::memcmp(&got, &wanted, sizeof got) == 0);
}

/// Whether a result, times n, is the exact number itself.
template <class R>
bool is_exactly(R x, const support::big& exact, std::int64_t n = 1) {
  return std::isfinite(support::value_of(x)) &&
         (support::big::from(x) * support::big::from(n) - exact).approximate() == 0;
}

template <class R>
void require_rounded(const superaccumulator& a, std::int64_t n, const support::big& sum, double special) {
  R value, mean;
  if (std::isnan(special)) {
    value = mean = support::canonical_nan<R>();
  } else if (special != 0) {
    value = mean = support::nearest<R>(special);
  } else {
    value = sum.rounded<R>();
    mean = (sum / support::big::from(n)).rounded<R>();
  }
  require_same(round<R>(a).value, value);
  require_same(round_mean<R>(a, n).value, mean);
  if (special != 0) return;
  require(round<R>(a).inexact == !is_exactly(value, sum));
  require(round_mean<R>(a, n).inexact == !is_exactly(mean, sum, n));
}

/// Squares, a variance, a deviation and a norm of elements that are all finite.
template <class R>
void require_powers(const power_sums& s, std::int64_t n, const support::big& sum, const support::big& squares) {
  using support::big;
  require_same(unrounded_of(s.squares, false).rounded_to<R>(), squares.rounded<R>());
  require_same(unrounded_of(s.squares, true).rounded_to<R>(), sqrt(squares).rounded<R>());
  const big variance = (big::from(n) * squares - sum * sum) / big::from(n) / big::from(n);
  require_same(unrounded_variance(s, n, n, false).rounded_to<R>(), variance.rounded<R>());
  require_same(unrounded_variance(s, n, n, true).rounded_to<R>(), sqrt(variance).rounded<R>());
}

/// What is read can be used, and writes the same bytes.
void check_read(const std::byte* p, std::size_t size) {
  stored_sum s;
  if (!deserialize(p, size, s).empty()) return;
  require(std::memcmp(serialize(s).data(), p, size) == 0);
  if (s.count > 0) static_cast<void>(round_mean<double>(s.sum, s.count));
  const superaccumulator copy = s.sum;
  merge(s.sum, copy);
  static_cast<void>(round<float>(s.sum));
  carry(s.sum);
}

/// The bytes as they are, and with letters, version, size and check sum put right.
void check_bytes(const std::byte* p, std::size_t size) {
  check_read(p, size);
  std::array<std::byte, serialized_size> bytes = serialize({});
  std::copy_n(p, std::min(size, serialized_check - 5), &bytes[5]);
  seal(bytes);
  check_read(bytes.data(), bytes.size());
}

/// Each nine bytes: an element, and what to do with it.
void check_steps(const std::uint8_t* data, std::size_t size) {
  superaccumulator total{}, other{};
  power_sums powers{}, other_powers{};
  product_accumulator products{};
  support::big sum, squares, dot;
  double special = 0, last = 0;
  std::int64_t n = 0;
  for (; size >= 9; data += 9, size -= 9) {
    double x;
    std::memcpy(&x, data + 1, sizeof x);
    if (std::isfinite(x)) {
      const support::big b = support::big::from(x);
      sum += b;
      squares += b * b;
      dot += b * support::big::from(last);
      add_product(products, x, last);
      last = x;
    } else {
      special += x;
    }
    add(data[0] & 1 ? total : other, x);
    add_powers(data[0] & 1 ? powers : other_powers, x);
    ++n;
    if (data[0] & 2) {
      carry(total);
      carry(powers.squares);
    }
    if (data[0] & 4) {
      merge(total, other);
      merge(powers, other_powers);
      other = {};
      other_powers = {};
    }
    if (data[0] & 8) {
      const auto stored = serialize({total, n, onefold::dtype::f64});
      stored_sum read;
      require(deserialize(stored.data(), stored.size(), read).empty());
      require(read.count == n);
      total = read.sum;
    }
  }
  if (n == 0) return;
  merge(total, other);
  require_rounded<double>(total, n, sum, special);
  require_rounded<float>(total, n, sum, special);
  require_rounded<onefold::f16>(total, n, sum, special);
  require_rounded<onefold::bf16>(total, n, sum, special);
  require_same(round<double>(products).value, dot.rounded<double>());
  if (special != 0) return;
  merge(powers, other_powers);
  require_powers<double>(powers, n, sum, squares);
  require_powers<float>(powers, n, sum, squares);
  require_powers<onefold::f16>(powers, n, sum, squares);
  require_powers<onefold::bf16>(powers, n, sum, squares);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_bytes(reinterpret_cast<const std::byte*>(data), size);
  check_steps(data, size);
  return 0;
}
