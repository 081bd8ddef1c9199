// exact_sum: pushed, chunked, merged and stored in every grouping it has the same bytes, and the values of MPFR.
#include <cfenv>
#include <cmath>
#include <thread>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/exact_cases.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::exact_sum;
using support::bits_of;
using support::exact_case;

template <class T>
exact_sum<T> pushed(std::span<const T> x) {
  exact_sum<T> s;
  for (const T y : x) s.push(y);
  return s;
}

/// The sum of x cut into pieces, each pushed, stored or merged another way.
template <class T>
exact_sum<T> in_pieces(std::span<const T> x, support::random_numbers& r) {
  exact_sum<T> total;
  while (!x.empty()) {
    const std::size_t n = std::min<std::size_t>(x.size(), static_cast<std::size_t>(r.integer(1, 5000)));
    const auto piece = x.first(n);
    x = x.subspan(n);
    switch (r.integer(0, 3)) {
      case 0:
        for (const T y : piece) total.push(y);
        break;
      case 1:
        total.push(piece, support::on_backend(onefold::accuracy::native, 2));
        break;
      case 2:
        total.merge(pushed(piece));
        break;
      default: {
        const auto stored = total.serialize();
        total = pushed(piece);
        total.merge(exact_sum<T>::deserialize(stored));
      }
    }
  }
  return total;
}

}  // namespace

TEST_CASE("every grouping gives the same bytes and the rounded sum") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    support::random_numbers r(71);
    for (int kind = 0; kind < static_cast<int>(exact_case::count); ++kind) {
      const auto x = support::exact_case_data<T>(static_cast<exact_case>(kind), 20'000, r);
      const std::span<const T> data(x);
      const support::exact_oracle oracle(x);
      const auto whole = pushed(data);
      CHECK(whole.count() == static_cast<std::int64_t>(x.size()));
      for (int k = 0; k < 4; ++k) CHECK(in_pieces(data, r).serialize() == whole.serialize());
      onefold::for_each_type(support::float_types{}, [&]<class R>() {
        CHECK(bits_of(whole.template value<R>()) == bits_of(oracle.template sum<R>()));
        CHECK(bits_of(whole.template mean<R>()) == bits_of(oracle.template mean<R>()));
      });
    }
  });
}

TEST_CASE("a sum knows whether it was rounded") {
  exact_sum<double> s;
  CHECK(s.value() == 0);
  CHECK(s.is_exact());
  CHECK_THROWS_AS(s.mean(), onefold::error);
  s.push(1.0);
  s.push(0x1p-30);
  CHECK(s.is_exact());
  CHECK_FALSE(s.is_exact<float>());
  CHECK(s.value<float>() == 1.0f);
  CHECK(s.mean_is_exact());
  s.push(0x1p-1074);
  CHECK_FALSE(s.is_exact());
  CHECK_FALSE(s.mean_is_exact());
  s.push(-0x1p-1074);
  CHECK(s.is_exact());
  CHECK(s.mean_is_exact());  // of four
  s.merge(s);
  CHECK(s.count() == 8);
  CHECK(s.value() == 2 + 0x1p-29);
  s.push(std::numeric_limits<double>::max());
  s.push(std::numeric_limits<double>::max());
  CHECK(std::isinf(s.value()));
  CHECK_FALSE(s.is_exact());
}

TEST_CASE("a mean next to a tie is rounded by its remainder, at every exponent") {
  for (int e = -900; e <= 900; ++e) {
    for (const double tail : {0x1p-1074, -0x1p-1074}) {
      exact_sum<double> s;
      s.push(3 * std::ldexp(1, e));
      s.push(3 * std::ldexp(1, e - 53));
      s.push(tail);
      CHECK(s.mean() == (tail > 0 ? std::ldexp(1 + 0x1p-52, e) : std::ldexp(1, e)));
    }
  }
}

TEST_CASE("an exact_sum takes no initial value") {
  exact_sum<float> s;
  auto how = support::on_backend();
  how.init = 1;
  CHECK_THROWS_AS(s.push(std::vector<float>{1, 2}, how), onefold::error);
  CHECK(s.count() == 0);
}

TEST_CASE("options are looked at where a chunk is empty too") {
  exact_sum<float> s;
  onefold::exact_moments<float> m;
  auto how = support::on_backend();
  for (const auto& wrong :
       {onefold::options{.accuracy = static_cast<onefold::accuracy>(99)},
        onefold::options{.backend = static_cast<onefold::backend>(99)}, onefold::options{.init = 5.0}}) {
    CHECK_THROWS_AS(s.push(std::span<const float>{}, wrong), onefold::error);
    CHECK_THROWS_AS(m.push(std::span<const float>{}, wrong), onefold::error);
  }
  s.push(std::span<const float>{}, how);
  m.push(std::span<const float>{}, how);
  CHECK(s.count() + m.count() == 0);
}

TEST_CASE("the bytes are those of the documented format") {
  exact_sum<double> s;
  s.push(0x1p-1074 * 0x123456789);
  s.push(-std::numeric_limits<double>::infinity());
  const auto bytes = s.serialize();
  const unsigned char wanted[] = {'1', 'f', 'x', 's', 2, 2, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0x89, 0x67, 0x45, 0x23, 1, 0};
  for (std::size_t i = 0; i < sizeof wanted; ++i) CHECK(bytes[i] == static_cast<std::byte>(wanted[i]));
  exact_sum<double> minus;
  minus.push(-0x1p-1074);
  const auto ones = minus.serialize();
  for (std::size_t i = 16; i < 296; ++i) CHECK(ones[i] == std::byte{0xff});
  // The CRC-32C of the 296 bytes before it.
  const unsigned char check[] = {0x19, 0xb9, 0x17, 0x15};
  for (std::size_t i = 0; i < sizeof check; ++i) CHECK(ones[296 + i] == static_cast<std::byte>(check[i]));
}

TEST_CASE("the caller's rounding mode, FTZ and DAZ do not matter") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    support::random_numbers r(81);
    for (int kind = 0; kind < static_cast<int>(exact_case::count); ++kind) {
      const auto x = support::exact_case_data<T>(static_cast<exact_case>(kind), 3000, r);
      const auto wanted = pushed(std::span<const T>(x));
      exact_sum<T> one_by_one, chunk;
      double value, mean;
      const int before = std::fegetround();
      std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
      const unsigned control = __builtin_ia32_stmxcsr();
      __builtin_ia32_ldmxcsr(control | 0x8040);
#endif
      one_by_one = pushed(std::span<const T>(x));
      chunk.push(std::span<const T>(x), support::on_backend(onefold::accuracy::native, 2));
      value = one_by_one.template value<double>();
      mean = one_by_one.template mean<double>();
#if defined(__x86_64__)
      __builtin_ia32_ldmxcsr(control);
#endif
      std::fesetround(before);
      CHECK(one_by_one.serialize() == wanted.serialize());
      CHECK(chunk.serialize() == wanted.serialize());
      CHECK(bits_of(value) == bits_of(wanted.template value<double>()));
      CHECK(bits_of(mean) == bits_of(wanted.template mean<double>()));
    }
  });
}

TEST_CASE("sums of concurrent threads merge to the same bytes") {
  const auto x = support::wide_data<double>(400'000, 91);
  const std::span<const double> data(x);
  const auto wanted = pushed(data).serialize();
  std::vector<exact_sum<double>> parts(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < parts.size(); ++i)
      threads.emplace_back([&, i] {
        parts[i].push(data.subspan(i * 50'000, 50'000), support::on_backend(onefold::accuracy::native, 2));
      });
  }
  exact_sum<double> total;
  for (const auto& p : parts) total.merge(p);
  CHECK(total.serialize() == wanted);
}

TEST_CASE("negative sums whose magnitude is a power of 2^32") {
  // Of such a sum, a limb is -2^32 and all others are 0.
  exact_sum<double> pushes;
  for (int i = 0; i < 8192; ++i) pushes.push(-0x1p33);
  CHECK(pushes.value<double>() == -0x1p46);
  CHECK(pushes.mean<double>() == -0x1p33);
  for (int exponent = -40; exponent < 40; ++exponent) {
    const double x = std::ldexp(-1.0, exponent);
    for (int log2 = 0; log2 <= 20; log2 += 4) {
      const std::vector<double> same(std::size_t{1} << log2, x);
      exact_sum<double> s;
      s.push(std::span<const double>(same), support::on_backend(onefold::accuracy::native, 2));
      INFO(exponent << ' ' << log2);
      CHECK(s.value<double>() == std::ldexp(x, log2));
      CHECK(s.mean<double>() == x);
    }
  }
  const std::vector<float> ones(16384, -1.0f);
  CHECK(onefold::sum(ones, support::on_backend(onefold::accuracy::exact)) == -16384);
}
