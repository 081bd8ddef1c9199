// Reductions by key: reduce<T, Op>(by_key(values, keys)), sum(by_key(...)), and the same with runs_by_key.
//
// Each result has the bits of `reduce` over the values with its key alone, in their order (docs/shapes.md).
#pragma once

#include <cstdint>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

#include "onefold/detail/keys.hpp"
#include "onefold/segments.hpp"

namespace onefold {

/// Values that the caller owns, and the key of each: an integer or a floating-point number, not a NaN.
template <class T, element K>
struct keyed {
  std::span<const T> values;
  std::span<const K> keys;  ///< as many as values
  bool runs;                ///< whether equal keys that are not neighbours stay apart
};

/// Keys, and the result of each.
template <class K, class R>
struct keyed_results {
  result_array<K> keys;
  result_array<R> results;  ///< as many as keys
};

inline namespace ONEFOLD_LEVEL {

/// Values grouped by equal keys: each key once, in ascending order. Keys that compare equal (-0.0 and 0.0) are one
/// group, for which the first of them stands. Keys that are not already in ascending order are sorted with their
/// values, in memory that the call allocates. Backend cuda groups in device memory, and takes values and keys from
/// memory of any kind.
template <contiguous_elements Values, contiguous_elements Keys>
requires element<std::ranges::range_value_t<Keys>>
auto by_key(const Values& values, const Keys& keys) {
  return keyed<std::ranges::range_value_t<Values>, std::ranges::range_value_t<Keys>>{
      {std::ranges::data(values), std::ranges::size(values)},
      {std::ranges::data(keys), std::ranges::size(keys)},
      false};
}

/// Values grouped by runs of equal neighbouring keys: each run's key, in the order of the runs.
template <contiguous_elements Values, contiguous_elements Keys>
requires element<std::ranges::range_value_t<Keys>>
auto runs_by_key(const Values& values, const Keys& keys) {
  auto what = by_key(values, keys);
  what.runs = true;
  return what;
}

/// Reduces the values of each key with operation Op. Throws onefold::error as the reduction of segments does, and
/// invalid_argument where there are not as many keys as values, and for keys that are NaN.
template <class T, class Op, class R = default_result<T, Op>, class K>
keyed_results<K, R> reduce(const keyed<T, K>& what, const options& how = {}, Op op = {}) {
  static_assert(std::is_trivially_copyable_v<T>,
                "onefold: values that are reduced by key must be trivially copyable: they may have to be sorted");
  const auto n = static_cast<std::int64_t>(what.values.size());
  const detail::key_groups groups =
      detail::group_by_key(detail::request_for_segments<T, Op, R>(0, n, false), how,
                           {what.values.data(), n, sizeof(T), what.keys.data(),
                            static_cast<std::int64_t>(what.keys.size()), dtype_of<K>, what.runs});
  if (const device_groups* const there = groups.on_device.get()) {
    options by_device = how;
    by_device.backend = groups.who;
    const std::span<const T> elements(static_cast<const T*>(there->elements), what.values.size());
    const std::span offsets(there->offsets, static_cast<std::size_t>(there->count) + 1);
    keyed_results<K, R> all{result_array<K>({there->count}),
                            reduce<T, Op, R>(onefold::segments(elements, offsets), by_device, op)};
    detail::copy_keys(groups, dtype_of<K>, all.keys.data());
    return all;
  }
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  std::span<const T> values = what.values;
  std::vector<T> sorted;
  if (!groups.order.empty()) {
    sorted.reserve(groups.order.size());
    for (const std::int64_t i : groups.order) sorted.push_back(values[at(i)]);
    values = sorted;
  }
  const auto segments = onefold::segments(values, groups.offsets);
  keyed_results<K, R> all{result_array<K>({segments.size()}), reduce<T, Op, R>(segments, how, op)};
  for (std::size_t g = 0; g < all.keys.size(); ++g) {
    const std::int64_t first = groups.offsets[g];
    all.keys[g] = what.keys[at(groups.order.empty() ? first : groups.order[at(first)])];
  }
  return all;
}

// The short verbs by key.
#define ONEFOLD_VERB(verb)                                      \
  template <class T, class K>                                   \
  auto verb(const keyed<T, K>& what, const options& how = {}) { \
    return reduce<T, op::verb>(what, how);                      \
  }
#include "onefold/detail/verbs.inc"
#undef ONEFOLD_VERB

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
