// The bytes of exact_sum: what was changed, cut, forged or written for another type is refused, and counts never wrap.
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "onefold/exact_moments.hpp"
#include "support/catch.hpp"
#include "support/exact_cases.hpp"
#include "support/instrumented.hpp"

namespace {

using onefold::exact_sum;
using stored = std::array<std::byte, exact_sum<float>::serialized_size>;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

template <class T>
std::string refusal(std::span<const std::byte> bytes) {
  try {
    static_cast<void>(exact_sum<T>::deserialize(bytes));
  } catch (const onefold::error& e) {
    CHECK(e.code() == onefold::error_code::invalid_argument);
    const std::string start = "these bytes are not an exact_sum: ", text = e.what();
    CHECK(text.starts_with(start));
    return text.substr(start.size());
  }
  return "";
}

template <class T>
exact_sum<T> sum_of(std::initializer_list<T> elements) {
  exact_sum<T> s;
  for (const T x : elements) s.push(x);
  return s;
}

/// The bytes with others from `at` on, and a check sum that says that they are sound.
stored forged(stored bytes, std::size_t at, std::initializer_list<int> others) {
  for (const int b : others) bytes[at++] = static_cast<std::byte>(b);
  onefold::detail::seal(bytes);
  return bytes;
}
stored with_count(const stored& bytes, std::int64_t count) {
  stored b = bytes;
  onefold::detail::write_bytes(&b[8], static_cast<std::uint64_t>(count), 8);
  onefold::detail::seal(b);
  return b;
}

template <class F>
void require_overflow(F f) {
  try {
    f();
    FAIL_CHECK("there was no error");
  } catch (const onefold::error& e) {
    CHECK(e.code() == onefold::error_code::overflow);
  }
}

/// What is accepted can be used: it writes the same bytes, and all that a sum can do has a defined outcome.
template <class T>
bool accepted(std::span<const std::byte> bytes) {
  exact_sum<T> s;
  try {
    s = exact_sum<T>::deserialize(bytes);
  } catch (const onefold::error&) {
    return false;
  }
  if (std::memcmp(s.serialize().data(), bytes.data(), bytes.size()) != 0) FAIL_CHECK("other bytes are written");
  static_cast<void>(s.template value<double>());
  static_cast<void>(s.template value<T>());
  static_cast<void>(s.template is_exact<float>());
  if (s.count() > 0) static_cast<void>(s.template mean<double>());
  try {
    for (int i = 0; i < 3; ++i) s.merge(s);
    s.push(T(1.0f));
  } catch (const onefold::error& e) {
    if (e.code() != onefold::error_code::overflow) FAIL_CHECK(e.what());
  }
  static_cast<void>(s.template value<double>());
  static_cast<void>(s.serialize());
  return true;
}

}  // namespace

TEST_CASE("the check sum is CRC-32C") {
  const std::string text = "123456789";
  CHECK(onefold::detail::crc32c(reinterpret_cast<const std::byte*>(text.data()), text.size()) == 0xe3069283u);
  // Bit by bit, at every length and alignment.
  std::vector<std::byte> bytes;
  for (unsigned i = 0; i < 60; ++i) bytes.push_back(static_cast<std::byte>(i * i * 37 + i));
  for (std::size_t from = 0; from < 8; ++from) {
    std::uint32_t crc = ~0u;
    for (std::size_t n = 0; from + n < bytes.size(); ++n) {
      CHECK(onefold::detail::crc32c(&bytes[from], n) == ~crc);
      crc ^= static_cast<std::uint32_t>(bytes[from + n]);
      for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
    }
  }
}

TEST_CASE("every single and double flipped bit is refused") {
  const stored good = sum_of<double>({1.5, -0x1p-1074, 0x1p900}).serialize();
  REQUIRE(refusal<double>(good).empty());
  const auto flip = [](stored& b, std::size_t bit) { b[bit / 8] ^= static_cast<std::byte>(1u << bit % 8); };
  constexpr std::size_t step = support::sanitized ? 7 : 1;  // pairs are millions
  std::size_t passed = 0;
  onefold::detail::stored_sum s;
  stored b = good;
  for (std::size_t i = 0; i < 8 * good.size(); ++i) {
    flip(b, i);
    passed += refusal<double>(b).empty();
    for (std::size_t k = 0; k < i; k += step) {
      flip(b, k);
      passed += onefold::detail::deserialize(b.data(), b.size(), s).empty();
      flip(b, k);
    }
    flip(b, i);
  }
  CHECK(passed == 0);
}

TEST_CASE("fewer and more bytes are refused") {
  const stored good = sum_of<float>({1, 2}).serialize();
  std::vector<std::byte> bytes(good.begin(), good.end());
  for (std::size_t n = 0; n < good.size(); ++n)
    CHECK(refusal<float>(std::span(bytes).first(n)) == "they are " + std::to_string(n) + " bytes, expected 300");
  for (int i = 0; i < 300; ++i) {
    bytes.push_back(std::byte{});
    CHECK_FALSE(refusal<float>(bytes).empty());
  }
}

TEST_CASE("another format version is refused by its number") {
  const stored good = sum_of<float>({1}).serialize();
  std::vector<std::byte> first(good.begin(), good.end() - 4);  // version 1 had no check sum
  first[4] = std::byte{1};
  CHECK(refusal<float>(first) == "their format is version 1; this library reads version 2");
  CHECK(refusal<float>(forged(good, 4, {3})) == "their format is version 3; this library reads version 2");
  CHECK(refusal<float>(forged(good, 0, {'x'})) == "they do not begin with 1fxs");
}

TEST_CASE("a sum of another element type is refused by name") {
  const stored of_f32 = sum_of<float>({1}).serialize();
  CHECK(refusal<double>(of_f32) == "they hold a sum of f32 elements, expected f64");
  CHECK(refusal<onefold::bf16>(of_f32) == "they hold a sum of f32 elements, expected bf16");
  CHECK(refusal<float>(sum_of<onefold::f16>({onefold::f16(1.0f)}).serialize()) ==
        "they hold a sum of f16 elements, expected f32");
}

TEST_CASE("forged fields are refused although their check sum matches") {
  const stored good = sum_of<float>({-1.5f}).serialize();
  const auto header = "their header holds a value that is never written";
  CHECK(refusal<float>(forged(good, 5, {8})) == header);
  CHECK(refusal<float>(forged(good, 6, {4})) == header);
  CHECK(refusal<float>(forged(good, 7, {1})) == header);
  CHECK(refusal<float>(with_count(good, -1)) == header);
  CHECK(refusal<float>(with_count(good, 0)) == "no 0 elements of f32 have the sum that they hold");
  // Each kind that is not finite takes an element.
  CHECK(refusal<float>(forged(good, 5, {1})) == "no 1 elements of f32 have the sum that they hold");
  CHECK(refusal<float>(with_count(forged(good, 5, {7}), 3)) == "no 3 elements of f32 have the sum that they hold");
  CHECK(refusal<float>(with_count(forged(good, 5, {7}), 4)).empty());
  // Below the smallest element, above the largest.
  CHECK(refusal<float>(forged(good, 16, {1})) == "no 1 elements of f32 have the sum that they hold");
  CHECK(refusal<float>(forged(good, 16 + 190, {1})) == "no 1 elements of f32 have the sum that they hold");
  CHECK(refusal<float>(forged(good, 16 + 279, {0x7f})) == "no 1 elements of f32 have the sum that they hold");
  CHECK(refusal<float>(forged(good, 16 + 279, {0x80})) == "no 1 elements of f32 have the sum that they hold");
}

TEST_CASE("the largest and the smallest sums that there are can be read") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    using F = onefold::detail::format_of<T>;
    const auto bits = [](unsigned long long b) { return std::bit_cast<T>(static_cast<typename F::bits>(b)); };
    const auto infinity = static_cast<unsigned long long>(F::exponent_mask) << F::fraction_bits;
    for (const auto sign : {0ull, 1ull << (8 * sizeof(T) - 1)})
      for (const auto size : {0ull, 1ull, infinity - 1, infinity, infinity + 1}) {
        exact_sum<T> s = sum_of<T>({bits(sign | size)});
        CHECK(refusal<T>(s.serialize()).empty());
        for (int doubled = 0; doubled < 62; ++doubled) {
          s.merge(s);
          const stored b = s.serialize();
          CHECK(refusal<T>(b).empty());
          CHECK(refusal<T>(with_count(b, most)).empty());
          // The bound is that of the power of two above the largest element.
          if (size == infinity - 1 && s.count() <= 1ll << F::precision)
            CHECK_FALSE(refusal<T>(with_count(b, s.count() - 1)).empty());
        }
      }
  });
}

TEST_CASE("counts beyond 2^63 - 1 are an error, and the sum is as before") {
  exact_sum<float> s = sum_of<float>({1});
  onefold::exact_moments<float> m;
  m.push(1.0f);
  for (int i = 0; i < 62; ++i) {
    s.merge(s);
    m.merge(m);
  }
  CHECK(s.count() == std::int64_t{1} << 62);
  require_overflow([&] { s.merge(s); });
  require_overflow([&] { m.merge(m); });
  CHECK(s.count() == std::int64_t{1} << 62);
  CHECK(m.count() == std::int64_t{1} << 62);
  CHECK(s.value() == 0x1p62f);
  CHECK(m.sum_squares() == 0x1p62f);

  auto full = exact_sum<float>::deserialize(with_count(s.serialize(), most));
  require_overflow([&] { full.push(1.0f); });
  require_overflow([&] { full.push(std::vector<float>{1, 2}); });
  require_overflow([&] { full.merge(sum_of<float>({1})); });
  CHECK(full.count() == most);
  CHECK(full.value() == 0x1p62f);
  CHECK(full.mean<double>() == 0.5);
}

TEST_CASE("mutated bytes are refused, or are a sum that can be used") {
  support::random_numbers r(5);
  constexpr int mutations = support::random_cases(100'000);
  int usable = 0;
  for (int i = 0; i < mutations; ++i) {
    exact_sum<double> of_f64;
    exact_sum<onefold::f16> of_f16;
    for (auto n = r.integer(0, 3); n > 0; --n) {
      of_f64.push(std::ldexp(static_cast<double>(r.integer(-1000, 1000)), static_cast<int>(r.integer(-1074, 1010))));
      of_f16.push(onefold::f16::from_bits(static_cast<std::uint16_t>(r.integer(0, 65535))));
    }
    stored b = i % 2 ? of_f64.serialize() : of_f16.serialize();
    const bool sealed = i % 4 < 2;
    for (auto n = r.integer(1, 4); n > 0; --n) {
      // Half of them where the fields are, half anywhere.
      const auto at = static_cast<std::size_t>(r.integer(0, r.integer(0, 1) ? 15 : 299));
      const auto kind = r.integer(0, 2);
      b[at] = kind == 0   ? b[at] ^ static_cast<std::byte>(1 << r.integer(0, 7))
              : kind == 1 ? static_cast<std::byte>(r.integer(0, 255))
                          : std::byte{0xff};
    }
    if (sealed) onefold::detail::seal(b);
    usable += accepted<float>(b) + accepted<double>(b) + accepted<onefold::f16>(b) + accepted<onefold::bf16>(b);
  }
  CHECK(usable > mutations / 100);  // forged counts and low digits
}
