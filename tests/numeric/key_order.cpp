// The groups of keys and their order, beside std::stable_sort: many elements and threads, and keys that are hard to
// sort.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/keys.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"
#include "support/data.hpp"
#include "support/number.hpp"

namespace {

using support::random_numbers;

/// The number as which a key compares.
template <class K>
auto value_of(K key) {
  if constexpr (onefold::detail::is_small_float<K>)
    return static_cast<float>(key);
  else
    return key;
}

/// The key whose bits are the lower ones of a word; 1 in place of a NaN.
template <class K>
K key_of(std::uint64_t word) {
  K key;
  std::memcpy(static_cast<void*>(&key), &word, sizeof key);
  if constexpr (support::is_float<K>)
    if (!(value_of(key) <= value_of(key))) key = support::nearest<K>(1);
  return key;
}

enum kind { equal, four, thousand, quarter, any, high_bits, negative, special, descending, outlier, kinds };

template <class K>
std::vector<K> keys_of(kind what, std::size_t n, random_numbers& r) {
  const std::uint64_t top = std::uint64_t{1} << (8 * sizeof(K) - 1);
  std::vector<K> keys;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t x = r.bits();
    const std::uint64_t words[kinds] = {
        77, x % 4, x % 1000, x % (n / 4 + 1), x, x << 44, top | x % 300, x % 3 << (8 * sizeof(K) - 4), n - i, x % 100};
    keys.push_back(key_of<K>(words[what]));
    if constexpr (support::is_float<K>)
      if (what == special) {
        const double numbers[] = {0.0, -0.0, HUGE_VAL, -HUGE_VAL, 1.0, -1.0};
        keys.back() = support::nearest<K>(numbers[x % 6]);
      }
  }
  if (what == outlier && n > 0) keys[r.bits() % n] = key_of<K>(top | 5);
  return keys;
}

/// The values in ascending order of the keys, and where each key begins.
template <class K>
struct sorted {
  std::vector<float> values;
  std::vector<K> keys;
  std::vector<std::int64_t> offsets;

  sorted(const std::vector<float>& x, const std::vector<K>& k) {
    std::vector<std::size_t> order(x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return value_of(k[i]); });
    for (const std::size_t i : order) {
      if (keys.empty() || value_of(keys.back()) != value_of(k[i])) {
        offsets.push_back(static_cast<std::int64_t>(values.size()));
        keys.push_back(k[i]);
      }
      values.push_back(x[i]);
    }
    offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
};

template <class T>
bool same_bits(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

}  // namespace

// The operation does not commute: another order within a group has other bits.
TEST_CASE("groups are those of a stable sort") {
  using affine = support::affine_floats;
  using result = onefold::default_result<float, affine>;
  random_numbers r(31);
  int turn = 0;
  onefold::for_each_type(onefold::element_types{}, [&]<class K>() {
    onefold::keyed_plan<float, affine, K> plan(100'000, support::on_backend(onefold::accuracy::native, 3));
    for (int what = 0; what < kinds; ++what, ++turn) {
      const auto n = static_cast<std::size_t>(turn % 7 == 0 ? r.integer(0, 5) : r.integer(0, 100'000));
      CAPTURE(onefold::name_of(onefold::dtype_of<K>), what, n, turn);
      const auto keys = keys_of<K>(static_cast<kind>(what), n, r);
      const auto x = support::normal_data<float>(static_cast<std::int64_t>(n), r.bits());
      const sorted<K> meant(x, keys);
      const auto results = onefold::reduce<float, affine>(onefold::segments(meant.values, meant.offsets));
      const auto is_meant = [&](std::span<const K> found_keys, std::span<const result> found) {
        return same_bits<K>(found_keys, meant.keys) &&
               same_bits<result>(found, {results.data(), static_cast<std::size_t>(results.size())});
      };
      const auto found = onefold::reduce<float, affine>(onefold::by_key(x, keys),
                                                        support::on_backend(onefold::accuracy::native, 1 + turn % 8));
      CHECK(is_meant({found.keys.data(), static_cast<std::size_t>(found.keys.size())},
                     {found.results.data(), static_cast<std::size_t>(found.results.size())}));
      // With what the calls before it have left.
      std::vector<K> groups(n);
      std::vector<result> out(n);
      const auto count = static_cast<std::size_t>(plan(onefold::by_key(x, keys), groups, out));
      REQUIRE(count <= n);
      CHECK(is_meant({groups.data(), count}, {out.data(), count}));
    }
  });
  CHECK(turn == 12 * kinds);
}

TEST_CASE("of several keys that are NaN the first one is named") {
  const std::size_t n = 90'000;
  const std::vector<float> x(n, 1.0f);
  onefold::for_each_type(onefold::element_types{}, [&]<class K>() {
    if constexpr (support::is_float<K>) {
      std::vector<K> keys(n, support::nearest<K>(3));
      for (const std::size_t i : {80'000u, 50'001u, 50'000u}) {
        keys[i] = support::nearest<K>(i % 2 == 0 ? NAN : -NAN);
        for (const bool runs : {false, true}) {
          auto what = onefold::by_key(x, keys);
          what.runs = runs;
          std::string said;
          try {
            onefold::sum(what, support::on_backend(onefold::accuracy::native, 4));
          } catch (const onefold::error& e) {
            said = e.what();
          }
          CHECK(said.find("key " + std::to_string(i) + " is a NaN") != std::string::npos);
        }
      }
    }
  });
}
