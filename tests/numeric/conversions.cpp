// f16 and bf16: every value, and rounding from float on ties, overflow, subnormals and random numbers.
#include <bit>
#include <cmath>
#include <span>
#include <vector>

#include "onefold/detail/pack.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/number.hpp"
#include "support/special.hpp"

namespace {

using small_floats = onefold::type_list<onefold::f16, onefold::bf16>;

/// Equal bits, or both NaN.
bool same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

template <class T>
void check_rounding(float x) {
  const auto got = T(x).bits, wanted = support::encode(static_cast<double>(x), support::format_of<T>);
  if (got != wanted) FAIL_CHECK(x << " became " << got << " instead of " << wanted);
}

}  // namespace

TEST_CASE("all 65,536 values convert to float exactly, and back") {
  onefold::for_each_type(small_floats{}, []<class T>() {
    for (int b = 0; b < 65536; ++b) {
      const T x = T::from_bits(static_cast<std::uint16_t>(b));
      const auto wanted = static_cast<float>(support::decode(x.bits, support::format_of<T>));
      if (!same(static_cast<float>(x), wanted)) FAIL_CHECK("bits " << b << " became " << static_cast<float>(x));
      const auto back = T(static_cast<float>(x)).bits;
      if (back != (std::isnan(wanted) ? support::canonical_nan<T>().bits : x.bits))
        FAIL_CHECK("bits " << b << " came back as " << back);
    }
  });
}

TEST_CASE("all 65,536 values convert in packs as they do alone") {
  onefold::for_each_type(small_floats{}, []<class T>() {
    constexpr int width = 2;
    using stored = onefold::detail::pack<std::uint16_t, width>;
    for (int b = 0; b < 65536; b += width) {
      stored x;
      for (int i = 0; i < width; ++i) x[i] = static_cast<std::uint16_t>(b + i);
      const auto f = onefold::detail::widen<onefold::detail::pack<float, width>, T>(x);
      const auto d = onefold::detail::widen<onefold::detail::pack<double, width>, T>(x);
      for (int i = 0; i < width; ++i) {
        const auto wanted = static_cast<float>(support::decode(x[i], support::format_of<T>));
        if (!same(f[i], wanted) || !same(static_cast<float>(d[i]), wanted)) FAIL_CHECK("bits " << b + i);
      }
    }
  });
}

TEST_CASE("all 65,536 values reach a sum unchanged, in full and partial pages of every instruction set") {
  onefold::for_each_type(small_floats{}, []<class T>() {
    for (const auto level : support::levels_under_test()) {
      for (const auto a : {onefold::accuracy::native, onefold::accuracy::wide}) {
        auto how = support::on_backend(a);
        how.isa = level;
        for (const std::int64_t n : {33, 8192}) {
          auto x = support::filled<T>(n, -0.0);
          onefold::plan<T, onefold::op::sum, double> sum(n, how);
          for (int b = 0; b < 65536; b += n == 33 ? 1 : 5) {
            T& y = x[static_cast<std::size_t>(b) % x.size()];
            y = T::from_bits(static_cast<std::uint16_t>(b));
            const double wanted = support::decode(y.bits, support::format_of<T>), got = sum(x);
            if (!(got == wanted || (std::isnan(got) && std::isnan(wanted))))
              FAIL_CHECK("bits " << b << " became " << got);
            y = support::nearest<T>(-0.0);
          }
        }
      }
    }
  });
}

TEST_CASE("rounding from float: to nearest, ties to even, overflow to infinity, NaN to the canonical one") {
  onefold::for_each_type(small_floats{}, []<class T>() {
    constexpr support::format f = support::format_of<T>;
    // Each value, the ties beside it and their neighbors in float.
    for (int b = 0; b < 65536; ++b) {
      const double x = support::decode(static_cast<std::uint16_t>(b), f);
      if (!std::isfinite(x)) continue;
      const int exponent = std::max(x == 0 ? -1000 : std::ilogb(x), 1 - f.bias());
      const double half = std::ldexp(0.5, exponent - f.fraction_bits);
      for (const double y : {x, x - half, x + half}) {
        const auto tie = static_cast<float>(y);
        for (const float z : {tie, std::nextafter(tie, INFINITY), std::nextafter(tie, -INFINITY)}) check_rounding<T>(z);
      }
    }
    for (const float x : {INFINITY, -INFINITY, 65504.0f, 65519.996f, 65520.0f, 0x1.fep127f, 0x1.fefffep127f,
                          0x1.ffp127f, 0x1.fffffep127f, 0x1p-25f, 0x1.000002p-25f, 0x1p-134f, 0x1p-149f, 0.0f, -0.0f})
      for (const float y : {x, -x}) check_rounding<T>(y);
    support::random_numbers r(1);
    for (int i = 0; i < 3'000'000; ++i) check_rounding<T>(std::bit_cast<float>(static_cast<std::uint32_t>(r.bits())));
  });
}

TEST_CASE("a NaN of any payload becomes the canonical 16-bit NaN") {
  onefold::for_each_type(small_floats{}, []<class T>() {
    for (const float nan : support::all_kinds_of_nan<float>()) CHECK(T(nan).bits == support::canonical_nan<T>().bits);
  });
}
