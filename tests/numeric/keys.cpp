// The law of keys: by_key(x, key)[k] has the bits of `reduce` over the elements of x whose key is k.
#include "onefold/keys.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "onefold/custom.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"
#include "support/data.hpp"
#include "support/number.hpp"

namespace {

using support::random_numbers;

template <class K>
bool same_key(K a, K b) {
  if constexpr (onefold::detail::is_small_float<K>)
    return static_cast<float>(a) == static_cast<float>(b);
  else
    return a == b;
}
template <class K>
bool less_key(K a, K b) {
  if constexpr (onefold::detail::is_small_float<K>)
    return static_cast<float>(a) < static_cast<float>(b);
  else
    return a < b;
}

/// Keys of which there are few, the extreme ones among them, alone or in runs.
template <class K>
std::vector<K> random_keys(std::size_t n, random_numbers& r) {
  std::vector<K> few;
  if constexpr (support::is_float<K>) {
    for (const double x : {0.0, -0.0, 1.5, -1.5, HUGE_VAL, -HUGE_VAL}) few.push_back(support::nearest<K>(x));
    if constexpr (sizeof(K) >= 4) few.push_back(std::numeric_limits<K>::denorm_min());
  } else {
    few = {std::numeric_limits<K>::min(), std::numeric_limits<K>::max(), 0, 1};
  }
  for (int i = 0; i < 6; ++i) few.push_back(support::nearest<K>(r.integer(0, 100)));
  std::vector<K> keys;
  const int longest = r.integer(0, 2) == 0 ? 1 : 40;
  while (keys.size() < n) {
    const K key = few[r.bits() % few.size()];
    for (int i = r.integer(1, longest); i > 0 && keys.size() < n; --i) keys.push_back(key);
  }
  if (r.integer(0, 3) == 0) std::ranges::sort(keys, less_key<K>);
  return keys;
}

/// Reduces values by key and by runs of keys, and compares with reduce over those that have the key; how many results.
template <class T, class Op, class K>
int compare(const std::vector<T>& x, const std::vector<K>& keys, int threads) {
  using R = onefold::default_result<T, Op>;
  const auto how = support::on_backend(onefold::accuracy::native, threads);
  int compared = 0;
  const auto check = [&](const R& found, const std::vector<T>& its) {
    const R meant = onefold::reduce<T, Op>(its, how);
    CHECK(std::memcmp(&found, &meant, sizeof(R)) == 0);
    ++compared;
  };
  const auto all = onefold::reduce<T, Op>(onefold::by_key(x, keys), how);
  REQUIRE(all.keys.size() == all.results.size());
  std::size_t elements = 0;
  for (std::size_t k = 0; k < all.keys.size(); ++k) {
    if (k > 0) CHECK(less_key(all.keys[k - 1], all.keys[k]));
    std::vector<T> its;
    const K* first = nullptr;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (same_key(keys[i], all.keys[k])) {
        if (!first) first = &keys[i];
        its.push_back(x[i]);
      }
    REQUIRE(first);
    CHECK(std::memcmp(first, &all.keys[k], sizeof(K)) == 0);
    elements += its.size();
    check(all.results[k], its);
  }
  CHECK(elements == x.size());

  const auto runs = onefold::reduce<T, Op>(onefold::runs_by_key(x, keys), how);
  REQUIRE(runs.keys.size() == runs.results.size());
  std::size_t k = 0;
  for (std::size_t from = 0, to; from < x.size(); from = to, ++k) {
    for (to = from + 1; to < x.size() && same_key(keys[to], keys[from]);) ++to;
    REQUIRE(k < runs.keys.size());
    CHECK(std::memcmp(&keys[from], &runs.keys[k], sizeof(K)) == 0);
    check(runs.results[k],
          {x.begin() + static_cast<std::ptrdiff_t>(from), x.begin() + static_cast<std::ptrdiff_t>(to)});
  }
  CHECK(k == runs.keys.size());
  return compared;
}

}  // namespace

TEST_CASE("each key's result has the bits of reduce over its elements") {
  random_numbers r(15);
  int compared = 0;
  onefold::for_each_type(onefold::element_types{}, [&]<class K>() {
    for (int i = 0; i < 12; ++i) {
      const auto n = static_cast<std::size_t>(r.integer(0, 5) == 0 ? r.integer(0, 3) : r.integer(1, 3000));
      const auto keys = random_keys<K>(n, r);
      const auto x = support::normal_data<float>(static_cast<std::int64_t>(n), r.bits());
      const int threads = 1 + i % 3;
      compared += compare<float, onefold::op::sum>(x, keys, threads);
      compared += compare<float, onefold::op::argmax>(x, keys, threads);
      compared += compare<float, support::affine_floats>(x, keys, threads);
    }
  });
  CHECK(compared > 12 * 12 * 3 * 10);
}

TEST_CASE("keys with elements of several pages") {
  random_numbers r(16);
  const std::int64_t n = 20 * onefold::page_elements(sizeof(float));
  const auto x = support::normal_data<float>(n, 3);
  std::vector<std::int32_t> keys(x.size());
  for (auto& k : keys) k = r.integer(0, 9) == 0 ? r.integer(-50, 50) : 7;
  for (const int threads : {1, 3}) {
    CHECK(compare<float, onefold::op::moments>(x, keys, threads) > 100);
    CHECK(compare<float, support::affine_floats>(x, keys, threads) > 100);
  }
}

TEST_CASE("what a program writes") {
  const std::vector<double> price{3, 1, 4, 1, 5, 9, 2};
  const std::vector<char> region{'s', 'n', 's', 's', 'n', 'e', 'e'};
  const auto how = support::on_backend();
  const auto all = onefold::sum(onefold::by_key(price, region), how);
  CHECK(std::vector<char>(all.keys.begin(), all.keys.end()) == std::vector<char>{'e', 'n', 's'});
  CHECK(std::vector<double>(all.results.begin(), all.results.end()) == std::vector<double>{11, 6, 8});
  const auto runs = onefold::max(onefold::runs_by_key(price, region), how);
  CHECK(std::vector<char>(runs.keys.begin(), runs.keys.end()) == std::vector<char>{'s', 'n', 's', 'n', 'e'});
  CHECK(std::vector<double>(runs.results.begin(), runs.results.end()) == std::vector<double>{3, 1, 4, 5, 9});
  const auto to_f32 = onefold::reduce<double, onefold::op::mean, float>(onefold::by_key(price, region), how);
  CHECK(to_f32.results[1] == 3.0f);
  CHECK(onefold::sum(onefold::by_key(std::vector<double>(), std::vector<int>()), how).keys.size() == 0);
  // Into memory of its own, with room to spare.
  std::vector<char> keys(4, '-');
  std::vector<double> sums(5, -1);
  CHECK(onefold::reduce<double, onefold::op::sum>(onefold::by_key(price, region), keys, sums, how) == 3);
  CHECK(keys == std::vector<char>{'e', 'n', 's', '-'});
  CHECK(sums == std::vector<double>{11, 6, 8, -1, -1});
}
