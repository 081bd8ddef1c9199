// The law of keys: by_key(x, key)[k] has the bits of `reduce` over the elements of x whose key is k, or over those of
// them that a mask selects.
#include "onefold/keys.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "onefold/custom.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/masks.hpp"
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

/// The numbers of each group's elements: of those with a key, in ascending order of the keys, or of each run.
template <class K>
std::vector<std::vector<std::size_t>> groups_of(const std::vector<K>& keys, bool runs) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!runs) std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return less_key(keys[a], keys[b]); });
  std::vector<std::vector<std::size_t>> groups;
  for (const std::size_t i : order) {
    if (groups.empty() || !same_key(keys[groups.back().front()], keys[i])) groups.emplace_back();
    groups.back().push_back(i);
  }
  return groups;
}

/// Reduces groups, of which a mask selects if there is one, and compares with reduce over the elements of each; how
/// many results. Where nothing of a group is selected and the operation needs something, the call is to fail.
template <class T, class Op, class K>
int compare_groups(const onefold::keyed<T, K>& what, const std::vector<std::vector<std::size_t>>& groups,
                   const support::list_mask* mask, const onefold::options& how) {
  using R = onefold::default_result<T, Op>;
  onefold::keyed_results<K, R> found{onefold::result_array<K>({0}), onefold::result_array<R>({0})};
  const auto error =
      support::error_of([&] { found = onefold::reduce<T, Op>(mask ? support::masked(what, *mask) : what, how); });
  std::vector<R> meant;
  const auto reason = support::error_of([&] {
    for (const auto& its : groups) {
      std::vector<T> values;
      std::vector<std::int64_t> places;
      for (std::size_t i = 0; i < its.size(); ++i)
        if (!mask || mask->selects(static_cast<std::int64_t>(its[i]), &what.values[its[i]])) {
          values.push_back(what.values[its[i]]);
          places.push_back(static_cast<std::int64_t>(i));
        }
      meant.push_back(onefold::reduce<T, Op>(values, how));
      if constexpr (std::is_same_v<Op, onefold::op::argmax>)
        meant.back() = places[static_cast<std::size_t>(meant.back())];
    }
  });
  CHECK(error == reason);
  if (error || reason) return 0;
  REQUIRE(found.keys.size() == groups.size());
  REQUIRE(found.results.size() == groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    CHECK(std::memcmp(&found.keys[g], &what.keys[groups[g].front()], sizeof(K)) == 0);
    CHECK(std::memcmp(&found.results[g], &meant[g], sizeof(R)) == 0);
  }
  return static_cast<int>(groups.size());
}

/// By key and by runs of keys.
template <class T, class Op, class K>
int compare(const std::vector<T>& x, const std::vector<K>& keys, int threads,
            const support::list_mask* mask = nullptr) {
  const auto how = support::on_backend(onefold::accuracy::native, threads);
  return compare_groups<T, Op>(onefold::by_key(x, keys), groups_of(keys, false), mask, how) +
         compare_groups<T, Op>(onefold::runs_by_key(x, keys), groups_of(keys, true), mask, how);
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

TEST_CASE("each key's result has the bits of reduce over what a mask selects of its elements") {
  random_numbers r(17);
  int compared = 0;
  onefold::for_each_type(onefold::element_types{}, [&]<class K>() {
    for (int i = 0; i < 24; ++i) {
      const std::int64_t n = r.integer(0, 5) == 0 ? r.integer(0, 3) : r.integer(1, 3000);
      const auto keys = random_keys<K>(static_cast<std::size_t>(n), r);
      auto x = support::normal_data<float>(n, r.bits());
      support::fill_nan<float>(x.data(), n, r);
      const auto mask = support::random_list_mask(r, n);
      INFO(mask.text());
      const int threads = 1 + i % 3;
      compared += compare<float, onefold::op::sum>(x, keys, threads, &mask);
      compared += compare<float, onefold::op::argmax>(x, keys, threads, &mask);
      compared += compare<float, support::affine_floats>(x, keys, threads, &mask);
    }
  });
  CHECK(compared > 12 * 24 * 3 * 10);
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
    for (int i = 0; i < 6; ++i) {
      const auto mask = support::random_list_mask(r, n);
      CHECK(compare<float, onefold::op::sum>(x, keys, threads, &mask) > 100);
    }
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
