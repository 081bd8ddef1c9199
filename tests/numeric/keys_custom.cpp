// The law of keys for user-defined operations, over elements of any size.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/keys.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"

namespace {

/// Three bytes, which no wider word is made of.
struct color {
  std::uint8_t red, green, blue;
};

/// Its bits are its order.
struct mixed_colors {
  using state = std::uint32_t;
  struct traits : onefold::fold_traits {
    static constexpr bool commutative = false;
  };
  static constexpr state identity() { return 0; }
  static constexpr state lift(const color& c) {
    return static_cast<state>(c.red) << 16 | static_cast<state>(c.green) << 8 | c.blue;
  }
  static constexpr state combine(state a, state b) { return a == 0 ? b : b == 0 ? a : a * 31 + b; }
  static constexpr state finish(state s) { return s; }
};

/// Reduces n elements fill(i) by keys that do and that do not ascend, and compares with reduce over the elements of
/// each key; how many results were compared.
template <class T, class Op, class Fill>
int compare_by_key(std::size_t n, const Fill& fill) {
  using R = onefold::default_result<T, Op>;
  const auto how = support::on_backend();
  std::vector<T> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(fill(i));
  std::vector<std::int16_t> keys;
  for (std::size_t i = 0; i < n; ++i) keys.push_back(static_cast<std::int16_t>(i * i % 23 - 9));
  int compared = 0;
  for (const bool ascending : {false, true}) {
    if (ascending) std::ranges::sort(keys);
    std::map<std::int16_t, std::vector<T>> of_key;
    for (std::size_t i = 0; i < n; ++i) of_key[keys[i]].push_back(x[i]);
    const auto found = onefold::reduce<T, Op>(onefold::by_key(x, keys), how);
    REQUIRE(found.keys.size() == of_key.size());
    std::size_t at = 0;
    for (const auto& [key, its] : of_key) {
      const R meant = onefold::reduce<T, Op>(its, how);
      CHECK(found.keys[at] == key);
      CHECK(std::memcmp(&found.results[at], &meant, sizeof(R)) == 0);
      ++at;
      ++compared;
    }
  }
  return compared;
}

float height(std::size_t i) { return static_cast<float>(i % 1019) * 0.43f - 90; }

}  // namespace

TEST_CASE("keys of user-defined operations obey the law") {
  CHECK(compare_by_key<float, support::affine_floats>(150'000, height) == 2 * 12);
  compare_by_key<color, mixed_colors>(70'000, [](std::size_t i) {
    return color{static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i >> 8), 200};
  });
  compare_by_key<support::record<12>, support::record_box<12>>(50'000, [](std::size_t i) {
    return support::record<12>{height(i), {}, height(i + 3)};
  });
  compare_by_key<support::record<16>, support::record_box<16>>(50'000, [](std::size_t i) {
    return support::record<16>{height(i), {}, height(i + 3)};
  });
  compare_by_key<support::record<1000>, support::record_box<1000>>(3000, [](std::size_t i) {
    return support::record<1000>{height(i), {}, height(i + 3)};
  });
}
