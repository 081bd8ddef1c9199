// Keys for the tests of reductions by key on a device, and what is compared of their results.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "memory.hpp"
#include "onefold/keys.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/result_bits.hpp"

namespace support {

/// `different` keys, at random, in runs of at most `longest`; zeros of both signs and the extremes among them.
template <class K>
std::vector<K> random_keys(std::int64_t n, int different, int longest, std::uint64_t seed) {
  random_numbers r(seed);
  std::vector<K> pool;
  if constexpr (is_float<K>) {
    for (const double x : {0.0, -0.0, HUGE_VAL, -HUGE_VAL, 1.5, -1.5}) pool.push_back(nearest<K>(x));
    while (pool.size() < static_cast<std::size_t>(different)) pool.push_back(nearest<K>(100 * r.normal()));
  } else {
    pool = {K{0}, std::numeric_limits<K>::min(), std::numeric_limits<K>::max(), K{1}};
    while (pool.size() < static_cast<std::size_t>(different)) pool.push_back(static_cast<K>(r.bits()));
  }
  pool.resize(static_cast<std::size_t>(different));
  std::vector<K> keys;
  while (keys.size() < static_cast<std::size_t>(n)) {
    const K key = pool[r.bits() % pool.size()];
    for (int i = r.integer(1, longest); i > 0 && keys.size() < static_cast<std::size_t>(n); --i) keys.push_back(key);
  }
  return keys;
}

template <class K>
void sort_keys(std::vector<K>& keys) {
  std::ranges::stable_sort(keys, [](K a, K b) {
    if constexpr (onefold::detail::is_small_float<K>)
      return static_cast<float>(a) < static_cast<float>(b);
    else
      return a < b;
  });
}

template <class K, class R>
void check_same(const onefold::keyed_results<K, R>& found, const onefold::keyed_results<K, R>& wanted) {
  REQUIRE(found.keys.size() == wanted.keys.size());
  REQUIRE(found.results.size() == wanted.results.size());
  CHECK(std::memcmp(found.keys.data(), wanted.keys.data(), wanted.keys.size() * sizeof(K)) == 0);
  std::size_t different = 0;
  for (std::size_t i = 0; i < wanted.results.size(); ++i)
    different += bits_of(found.results[i]) != bits_of(wanted.results[i]);
  CHECK(different == 0);
}

}  // namespace support
