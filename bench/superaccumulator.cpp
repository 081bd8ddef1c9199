// The plain way to an exact sum: one deposit of three limbs an element. Beside it the library's exact sum is measured.
#include <bit>
#include <cmath>
#include <memory>

#include "contender.hpp"

namespace bench {
namespace {

/// Neal's small superaccumulator (2015): 64-bit limbs 32 bits apart. Enough for the finite elements of the benchmark.
class small_superaccumulator {
 public:
  void add(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const int field = static_cast<int>(bits >> 52) & 0x7ff, exponent = field ? field - 1 : 0;
    const std::uint64_t fraction = bits & 0xfffffffffffff;
    const auto size = static_cast<std::int64_t>(field ? fraction | std::uint64_t{1} << 52 : fraction);
    const std::int64_t value = (bits >> 63) ? -size : size;
    const int i = exponent >> 5, shift = exponent & 31;
    const std::uint64_t low = static_cast<std::uint64_t>(value) << shift;
    limb_[i] += static_cast<std::int64_t>(low & 0xffffffff);
    limb_[i + 1] += static_cast<std::int64_t>(low >> 32);
    limb_[i + 2] += shift ? value >> (64 - shift) : value >> 63;
    if (++deposits_ == 1 << 30) carry();
  }
  /// To about a double's precision: the check of the benchmark needs no more.
  double value() {
    carry();
    const bool negative = limb_[69] < 0;
    if (negative) {
      for (std::int64_t& limb : limb_) limb = -limb;
      carry();
    }
    double x = 0;
    for (int i = 69; i >= 0; --i) x += std::ldexp(static_cast<double>(limb_[i]), 32 * i - 1074);
    return negative ? -x : x;
  }

 private:
  void carry() {
    for (int i = 0; i < 69; ++i) {
      limb_[i + 1] += limb_[i] >> 32;
      limb_[i] &= 0xffffffff;
    }
    deposits_ = 0;
  }
  std::int64_t limb_[70] = {};
  int deposits_ = 0;
};

template <class T>
contender made(const char* row) {
  return {row, type_name<T>, "superaccumulator", "plain", runtime::none, [](std::int64_t n, int) {
            return [n](const void* data) {
              small_superaccumulator sum;
              for (std::int64_t i = 0; i < n; ++i) sum.add(static_cast<const T*>(data)[i]);
              return sum.value();
            };
          }};
}

}  // namespace

void add_superaccumulator(std::vector<contender>& list) {
  for (const char* row : {"exact", "hostile"}) {
    list.push_back(made<float>(row));
    list.push_back(made<double>(row));
  }
}

}  // namespace bench
