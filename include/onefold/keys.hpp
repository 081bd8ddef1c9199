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

namespace detail {
inline namespace ONEFOLD_LEVEL {

template <class T, class K>
key_data key_data_of(const keyed<T, K>& what) {
  static_assert(std::is_trivially_copyable_v<T>,
                "onefold: values that are reduced by key must be trivially copyable: they may have to be sorted");
  return {what.values.data(), static_cast<std::int64_t>(what.values.size()), sizeof(T),
          what.keys.data(),   static_cast<std::int64_t>(what.keys.size()),   dtype_of<K>,
          what.runs};
}

/// Reduces groups to results[0 .. groups.count()), by whom they were made.
template <class T, class Op, class R, class K>
void reduce_groups(const keyed<T, K>& what, const key_groups& groups, std::span<R> results, options how, Op op) {
  std::span<const T> values = what.values;
  if (const device_groups* const there = groups.on_device.get()) {
    how.backend = groups.who;
    values = {static_cast<const T*>(there->elements), values.size()};
    const std::span offsets(there->offsets, static_cast<std::size_t>(there->count) + 1);
    return reduce<T, Op, R>(onefold::segments(values, offsets), results, how, op);
  }
  std::vector<T> sorted;
  if (!groups.order.empty()) {
    sorted.reserve(groups.order.size());
    for (const std::int64_t i : groups.order) sorted.push_back(values[static_cast<std::size_t>(i)]);
    values = sorted;
  }
  reduce<T, Op, R>(onefold::segments(values, groups.offsets), results, how, op);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail

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
  const detail::key_data from = detail::key_data_of(what);
  const auto groups = detail::group_by_key(detail::request_for_segments<T, Op, R>(0, from.elements, false), how, from);
  keyed_results<K, R> all{result_array<K>({groups.count()}), result_array<R>({groups.count()})};
  detail::reduce_groups<T, Op, R>(what, groups, std::span<R>(all.results.data(), all.results.size()), how, op);
  detail::write_keys(groups, from, all.keys.data());
  return all;
}

/// The same into memory that the caller owns: the key of group i to keys[i], its result to results[i]. Returns how many
/// groups there are. With backend cuda both may be in device memory. Throws invalid_argument, too, where there are more
/// groups than room for them; then nothing is written.
template <class T, class Op, class R = default_result<T, Op>, class K>
std::int64_t reduce(const keyed<T, K>& what, std::span<std::type_identity_t<K>> keys,
                    std::span<std::type_identity_t<R>> results, const options& how = {}, Op op = {}) {
  const detail::key_data from = detail::key_data_of(what);
  const auto groups = detail::group_by_key(detail::request_for_segments<T, Op, R>(0, from.elements, false), how, from);
  detail::require_room(groups, keys.data(), static_cast<std::int64_t>(keys.size()),
                       static_cast<std::int64_t>(results.size()));
  detail::reduce_groups<T, Op, R>(what, groups, results, how, op);
  detail::write_keys(groups, from, keys.data());
  return groups.count();
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
