// Reductions by key: reduce<T, Op>(by_key(values, keys)), sum(by_key(...)), and the same with runs_by_key.
//
// Each result has the bits of `reduce` over the values with its key alone, in their order (docs/shapes.md).
#pragma once

#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>

#include "onefold/detail/keys.hpp"
#include "onefold/segments.hpp"

namespace onefold {

/// Values that the caller owns, and the key of each: an integer or a floating-point number, not a NaN.
template <class T, element K>
struct keyed {
  std::span<const T> values;    ///< to reduce
  std::span<const K> keys;      ///< as many as values
  bool runs;                    ///< whether equal keys that are not neighbors stay apart
  list_selection selects = {};  ///< which values count; all, unless `where` said otherwise
};

/// Keys, and the result of each.
template <class K, class R>
struct keyed_results {
  result_array<K> keys;     ///< each group's
  result_array<R> results;  ///< as many as keys
};

namespace detail {
inline namespace ONEFOLD_LEVEL {

template <class T, class K>
key_data key_data_of(const keyed<T, K>& what) {
  static_assert(std::is_trivially_copyable_v<T>,
                "onefold: values that are reduced by key must be trivially copyable: they may have to be sorted");
  return {what.values.data(),
          static_cast<std::int64_t>(what.values.size()),
          sizeof(T),
          what.keys.data(),
          static_cast<std::int64_t>(what.keys.size()),
          element_dtype<K>,
          what.runs,
          what.selects};
}

/// The request for a reduction of at most `elements` elements of type T, with keys of type K, to results of type R.
template <class T, class Op, class R, class K>
request request_for_keys(std::int64_t elements, bool has_init) {
  request q = request_for_segments<T, Op, R>(elements, elements, has_init);
  q.keys = element_dtype<K>;
  return q;
}

template <class K, class R>
group_room room_in(std::span<K> keys, std::span<R> results) {
  return {keys.data(), static_cast<std::int64_t>(keys.size()), results.data(),
          static_cast<std::int64_t>(results.size())};
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail

inline namespace ONEFOLD_LEVEL {

/// Values grouped by equal keys: each key once, in ascending order. Keys that compare equal (-0.0 and 0.0) are one
/// group, for which the first of them stands. Keys that are not already in ascending order are sorted with their
/// values, in memory that the call allocates. Backend cuda groups in device memory, and takes values and keys from
/// memory of any kind.
template <contiguous_elements Values, contiguous_elements Keys>
auto by_key(const Values& values, const Keys& keys) {
  using given = std::ranges::range_value_t<Keys>;
  static_assert(element<given>,
                "onefold: keys must be numbers, bool or enumerations: for keys of another type, such as std::string, "
                "give each different key a number");
  using key = std::conditional_t<element<given>, given, int>;  // what is refused has a harmless stand-in
  keyed<std::ranges::range_value_t<Values>, key> grouped{
      {std::ranges::data(values), std::ranges::size(values)}, {}, false, {}};
  if constexpr (element<given>) grouped.keys = {std::ranges::data(keys), std::ranges::size(keys)};
  return grouped;
}

/// @cond
// Diagnostic for values that are not neighbors in memory. (Not where they stand for groups in a function of a
// caller's.)
template <verb_argument Values, contiguous_elements Keys>
requires(!contiguous_elements<Values>) keyed<double, int> by_key(const Values&, const Keys&) {
  static_assert(contiguous_elements<Values>,
                "onefold: values by key are neighbors in memory: store those that a function computes or that lie "
                "apart, as the values of a member, in a std::vector first");
  return {};
}
/// @endcond

/// Values grouped by runs of equal neighboring keys: each run's key, in the order of the runs.
template <verb_argument Values, contiguous_elements Keys>
auto runs_by_key(const Values& values, const Keys& keys) {
  auto what = by_key(values, keys);
  what.runs = true;
  return what;
}

/// Values by key are reduced to a result for each key.
template <class T, element K>
struct source_traits<keyed<T, K>> {
  using element_type = T;
  static constexpr bool has_axes = false;
  template <class R>
  using results = keyed_results<K, R>;

  template <class Op, class R>
  static keyed_results<K, R> reduce(const keyed<T, K>& what, const options& how, const Op& op, run_report* ran) {
    const detail::key_data from = detail::key_data_of(what);
    const std::optional<R> init = detail::initial_value<R, Op>(how.init);
    detail::engine by(detail::request_for_keys<T, Op, R, K>(from.elements, init.has_value()), how, from);
    const std::int64_t count = by.group(from);
    keyed_results<K, R> all{result_array<K>({count}), result_array<R>({count})};
    by.run_groups(detail::object_of(op), from, init ? &*init : nullptr,
                  detail::room_in(std::span<K>(all.keys.data(), all.keys.size()),
                                  std::span<R>(all.results.data(), all.results.size())));
    if (ran) *ran = by.report();
    return all;
  }
};

/// Reduces the values of each key with operation Op. Throws onefold::error as the reduction of segments does, and
/// invalid_argument where there are not as many keys as values, and for keys that are NaN.
template <class T, class Op, class R = default_result<T, Op>, class K>
keyed_results<K, R> reduce(const keyed<T, K>& what, const options& how = {}, Op op = {}) {
  static_cast<void>(detail::described<T, Op>{});
  return source_traits<keyed<T, K>>::template reduce<Op, R>(what, how, op, nullptr);
}

/// The same into memory that the caller owns: the key of group i to keys[i], its result to results[i]. Returns how many
/// groups there are. With backend cuda both may be in device memory. Throws invalid_argument, too, where there are more
/// groups than room for them, and where that overlaps the values or their keys; then nothing is written.
template <class T, class Op, class R = default_result<T, Op>, class K>
std::int64_t reduce(const keyed<T, K>& what, std::span<std::type_identity_t<K>> keys,
                    std::span<std::type_identity_t<R>> results, const options& how = {}, Op op = {}) {
  static_cast<void>(detail::described<T, Op>{});
  const detail::key_data from = detail::key_data_of(what);
  const std::optional<R> init = detail::initial_value<R, Op>(how.init);
  detail::engine by(detail::request_for_keys<T, Op, R, K>(from.elements, init.has_value()), how, from);
  const std::int64_t count = by.group(from);
  by.run_groups(detail::object_of(op), from, init ? &*init : nullptr, detail::room_in(keys, results));
  return count;
}

/// A reduction by key that is chosen once and run many times; values and keys are given at each call. It keeps the
/// memory that groups are made and sorted in: a call for no more elements and groups than one before, which had to sort
/// as well, allocates nothing. Like a plan, it serves one thread at a time, and can be moved.
template <class T, class Op, element K, class R = default_result<T, Op>>
class keyed_plan : detail::described<T, Op> {
 public:
  /// Chooses a backend for at most `elements` elements. Throws as plan's constructor does.
  explicit keyed_plan(std::int64_t elements, const options& how = {}, Op op = {})
      : op_(op),
        init_(detail::initial_value<R, Op>(how.init)),
        engine_(detail::request_for_keys<T, Op, R, K>(elements, init_.has_value()), how) {}

  /// Reduces the values of group i to results[i], and writes its key to keys[i]. Returns how many groups there are.
  /// Throws onefold::error as reduce does, and where there are more elements than the plan is for.
  std::int64_t operator()(const keyed<T, K>& what, std::span<K> keys, std::span<R> results) {
    const detail::key_data from = detail::key_data_of(what);
    const std::int64_t count = engine_.group(from);
    engine_.run_groups(detail::object_of(op_), from, init_ ? &*init_ : nullptr, detail::room_in(keys, results));
    return count;
  }

  /// Enqueues the same on a CUDA stream, for runs of equal keys, and returns at once. Everything is in device memory;
  /// *count gets how many runs there are, of which those beyond the room are only counted. Keys are not checked: a NaN
  /// equals those with its bits. Can be captured into a CUDA graph. The plan must live until the work is done, and has
  /// room for one reduction at a time: enqueue the next one in order after it. A mask is in device memory, too. Throws
  /// onefold::error as plan::enqueue does, for more elements than the plan is for, and unsupported for what by_key
  /// makes, which may have to be sorted.
  void enqueue(const keyed<T, K>& what, std::span<K> keys, std::span<R> results, std::int64_t* count,
               CUstream_st* stream) {
    engine_.enqueue_groups(detail::object_of(op_), detail::key_data_of(what), init_ ? &*init_ : nullptr,
                           detail::room_in(keys, results), count, stream);
  }

  /// What runs it, and why.
  run_report report() const { return engine_.report(); }

 private:
  [[no_unique_address]] Op op_;
  std::optional<R> init_;
  detail::engine engine_;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
