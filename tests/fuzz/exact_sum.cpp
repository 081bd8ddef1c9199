// Fuzzes exact_sum: any pushes, merges and stored forms have the value of a plain sum in MPFR; any bytes are refused or
// read as what writes the same bytes.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

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
  if (special == 0)
    require(round<R>(a).inexact ==
            !(std::isfinite(support::value_of(value)) && (support::big::from(value) - sum).approximate() == 0));
}

void check_bytes(const std::byte* p, std::size_t size) {
  superaccumulator a;
  std::int64_t count;
  if (deserialize(p, size, a, count) == nullptr) require(std::memcmp(serialize(a, count).data(), p, size) == 0);
}

/// Each nine bytes: an element, and what to do with it.
void check_steps(const std::uint8_t* data, std::size_t size) {
  superaccumulator total{}, other{};
  support::big sum;
  double special = 0;
  std::int64_t n = 0;
  for (; size >= 9; data += 9, size -= 9) {
    double x;
    std::memcpy(&x, data + 1, sizeof x);
    if (std::isfinite(x))
      sum += support::big::from(x);
    else
      special += x;
    add(data[0] & 1 ? total : other, x);
    ++n;
    if (data[0] & 2) carry(total);
    if (data[0] & 4) {
      merge(total, other);
      other = {};
    }
    if (data[0] & 8) {
      const auto stored = serialize(total, n);
      require(deserialize(stored.data(), stored.size(), total, n) == nullptr);
    }
  }
  if (n == 0) return;
  merge(total, other);
  require_rounded<double>(total, n, sum, special);
  require_rounded<float>(total, n, sum, special);
  require_rounded<onefold::f16>(total, n, sum, special);
  require_rounded<onefold::bf16>(total, n, sum, special);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_bytes(reinterpret_cast<const std::byte*>(data), size);
  check_steps(data, size);
  return 0;
}
