// Reductions of the segments of an array: reduce<T, Op>(segments(values, offsets)), sum(segments(...)), segmented_plan.
//
// Each result has the bits of `reduce` over its own segment alone, whatever the other segments, the backend and its
// threads (docs/shapes.md).
#pragma once

#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>

#include "onefold/array_view.hpp"
#include "onefold/detail/segments.hpp"
#include "onefold/reduce.hpp"

namespace onefold {

/// What offsets may be: integers of 32 or 64 bits.
template <class Offset>
concept segment_offset = detail::is_integer<Offset> &&(sizeof(Offset) == 4 || sizeof(Offset) == 8);

/// Neighboring parts of an array that the caller owns: segment i is values[offsets[i] .. offsets[i + 1]).
template <class T, segment_offset Offset>
struct segmented {
  std::span<const T> values;        ///< the array
  std::span<const Offset> offsets;  ///< one more than segments; they do not decrease
  list_selection selects = {};      ///< which values count; all, unless `where` said otherwise

  /// How many segments there are.
  std::int64_t size() const { return offsets.empty() ? 0 : static_cast<std::int64_t>(offsets.size()) - 1; }
};

inline namespace ONEFOLD_LEVEL {

/// The segments of `values` from each offset to the next: k segments have k + 1 offsets, of which the first may be
/// above 0 and the last below the number of values. Offsets that decrease or pass the end are refused where the
/// segments are reduced.
template <contiguous_elements Values, contiguous_elements Offsets>
requires segment_offset<std::ranges::range_value_t<Offsets>>
auto segments(const Values& values, const Offsets& offsets) {
  return segmented<std::ranges::range_value_t<Values>, std::ranges::range_value_t<Offsets>>{
      {std::ranges::data(values), std::ranges::size(values)},
      {std::ranges::data(offsets), std::ranges::size(offsets)},
      {}};
}

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

template <class T, class Offset>
segment_data data_of(const segmented<T, Offset>& s) {
  return {s.values.data(),  static_cast<std::int64_t>(s.values.size()),
          s.offsets.data(), static_cast<std::int64_t>(s.offsets.size()),
          dtype_of<Offset>, s.selects};
}

/// The request for a reduction of at most `segments` segments, with at most `elements` elements of type T in all, to
/// results of type R.
template <class T, class Op, class R>
request request_for_segments(std::int64_t segments, std::int64_t elements, bool has_init) {
  request q = request_for<T, Op, R>(elements, has_init);
  q.segmented = true;
  q.segments = segments;
  return q;
}

/// The reduction of segments into `out`; `ran` is null, or gets what ran.
template <class T, class Op, class R, class Offset>
void reduce_segments(const segmented<T, Offset>& what, std::span<R> out, const options& how, const Op& op,
                     run_report* ran) {
  const std::optional<R> init = initial_value<R, Op>(how.init);
  run_segments_once(request_for_segments<T, Op, R>(0, 0, init.has_value()), how, object_of(op), data_of(what),
                    init ? &*init : nullptr, out.data(), static_cast<std::int64_t>(out.size()), ran);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// Reduces each segment with operation Op, segment i to out[i]. Throws onefold::error as plan's constructor and call
/// do: empty_input if a segment is empty, the operation has no identity and there is no initial value;
/// invalid_argument for offsets that decrease or pass the end, where `out` is too small, and where it overlaps the
/// values or the offsets; nothing is written then.
template <class T, class Op, class R = default_result<T, Op>, class Offset>
void reduce(const segmented<T, Offset>& what, std::span<std::type_identity_t<R>> out, const options& how = {},
            Op op = {}) {
  static_cast<void>(detail::described<T, Op>{});
  detail::reduce_segments<T, Op, R>(what, out, how, op, nullptr);
}

/// The same into an array of its own: `reduce<float, op::sum>(segments(values, offsets))`.
template <class T, class Op, class R = default_result<T, Op>, class Offset>
result_array<R> reduce(const segmented<T, Offset>& what, const options& how = {}, Op op = {}) {
  static_cast<void>(detail::described<T, Op>{});
  return source_traits<segmented<T, Offset>>::template reduce<Op, R>(what, how, op, nullptr);
}

/// Segments are reduced to a result each.
template <class T, segment_offset Offset>
struct source_traits<segmented<T, Offset>> {
  using element_type = T;
  static constexpr bool has_axes = false;
  template <class R>
  using results = result_array<R>;

  template <class Op, class R>
  static result_array<R> reduce(const segmented<T, Offset>& what, const options& how, const Op& op, run_report* ran) {
    result_array<R> out({what.size()});
    detail::reduce_segments<T, Op, R>(what, std::span<R>(out.data(), out.size()), how, op, ran);
    return out;
  }
};

/// A reduction of segments that is chosen once and run many times, without allocating; values and offsets are given at
/// each call. Like a plan, it serves one thread at a time, and can be moved.
template <class T, class Op, class R = default_result<T, Op>>
class segmented_plan : detail::described<T, Op> {
 public:
  /// Chooses a backend for at most `segments` segments with at most `elements` elements in all. Throws as plan's
  /// constructor does.
  segmented_plan(std::int64_t segments, std::int64_t elements, const options& how = {}, Op op = {})
      : op_(op),
        init_(detail::initial_value<R, Op>(how.init)),
        engine_(detail::request_for_segments<T, Op, R>(segments, elements, init_.has_value()), how) {}

  /// Reduces segment i to out[i]. Throws onefold::error as reduce does, and where there are more segments, or elements
  /// in them, than the plan is for.
  template <class Offset>
  void operator()(const segmented<T, Offset>& what, std::span<R> out) {
    engine_.run_segments(detail::object_of(op_), detail::data_of(what), init_ ? &*init_ : nullptr, out.data(),
                         static_cast<std::int64_t>(out.size()));
  }

  /// Enqueues the reduction of segment i into out[i] on a CUDA stream, and returns at once. Values, offsets and results
  /// are in device memory; the offsets must not decrease nor pass the end, which is not checked. An empty segment gives
  /// the identity, for min and the like too. Can be captured into a CUDA graph. The plan must live until the work is
  /// done, and has room for one reduction at a time: enqueue the next one in order after it. A mask is in device
  /// memory, too. Throws onefold::error as plan::enqueue does, and for more segments, or a larger array, than the plan
  /// is for.
  template <class Offset>
  void enqueue(const segmented<T, Offset>& what, std::span<R> out, CUstream_st* stream) {
    engine_.enqueue_segments(detail::object_of(op_), detail::data_of(what), init_ ? &*init_ : nullptr, out.data(),
                             static_cast<std::int64_t>(out.size()), stream);
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
