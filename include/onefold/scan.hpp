// Scans: inclusive_scan<T, Op>, exclusive_scan<T, Op>, their plans, and the verbs cumsum, cumprod, cummin, cummax.
//
// Each result has the bits of `reduce` over its prefix alone, whatever the backend and its threads: the prefix law
// (docs/scan.md). So the last one is the reduction of the whole line, and sums of non-negative elements never decrease,
// at accuracy native and wide.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "onefold/array_output.hpp"
#include "onefold/detail/scan.hpp"
#include "onefold/segments.hpp"
#include "onefold/shapes.hpp"

namespace onefold {

namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The scan of a user-defined operation over elements T; <onefold/custom.hpp> defines it.
template <class Op, class T>
struct custom_scan;

/// The request for a scan with Op of elements T to results R, without its lines.
template <class T, class Op, class R>
scan_request request_for_scan(scan_kind kind, bool has_init) {
  scan_request q;
  q.operation = request_for<T, Op, R>(0, has_init);
  q.exclusive = kind == scan_kind::exclusive;
  if constexpr (!cataloged_operation<Op> && is_supported<T, Op>) {
    q.own = &custom_scan<Op, T>::record;
  }
  return q;
}

/// A view of neighboring elements.
template <class T>
array_view<T> line_of(std::span<const T> data) {
  return {data.data(), {static_cast<std::int64_t>(data.size())}};
}

/// The scan of a view into memory.
template <class T, class Op, class R>
void scan_view(const array_view<T>& from, const array_output<R>& out, std::optional<int> along, scan_kind kind,
               const options& how, const Op& op) {
  static_cast<void>(described<T, Op>{});
  const std::optional<R> init = initial_value<R, Op>(how.init);
  const output_view<R> to = out.view(scan_extents(from.axes(), along));
  scan_request q = request_for_scan<T, Op, R>(kind, init.has_value());
  make_lines(from.axes(), to.axes(), along, &q);
  scan_engine(q, how, from.data()).run(object_of(op), from.data(), init ? &*init : nullptr, to.data());
}

/// The same into an array of its own.
template <class T, class Op, class R>
result_array<R> scan_to_array(const array_view<T>& from, std::optional<int> along, scan_kind kind, const options& how,
                              const Op& op) {
  const extents e = scan_extents(from.axes(), along);
  result_array<R> out(e);
  scan_view<T, Op, R>(from, output_view<R>(out.data(), e), along, kind, how, op);
  return out;
}

/// The request for a scan of at most `segments` segments of at most `elements` elements.
template <class T, class Op, class R>
scan_request request_for_segment_scan(scan_kind kind, std::int64_t segments, std::int64_t elements, bool has_init) {
  scan_request q = request_for_scan<T, Op, R>(kind, has_init);
  q.operation.segmented = true;
  q.operation.n = elements;
  q.operation.segments = segments;
  return q;
}

/// The scan of segments.
template <class T, class Op, class R, class Offset>
void scan_segments(const segmented<T, Offset>& what, std::span<R> out, scan_kind kind, const options& how,
                   const Op& op) {
  static_cast<void>(described<T, Op>{});
  const std::optional<R> init = initial_value<R, Op>(how.init);
  scan_engine(request_for_segment_scan<T, Op, R>(kind, what.size(), static_cast<std::int64_t>(what.values.size()),
                                                 init.has_value()),
              how, what.values.data())
      .run_segments(object_of(op), data_of(what), init ? &*init : nullptr, out.data(),
                    static_cast<std::int64_t>(out.size()));
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail

inline namespace ONEFOLD_LEVEL {

/// Writes to out[i] the reduction of data[0 .. i] with operation Op: `inclusive_scan<float, op::sum>(x, out)`. With an
/// initial value (options::init), it is in front of each prefix. `out` has as many results as there are elements, and
/// may be `data` where both have one type. Throws onefold::error as reduce does: unsupported at accuracy exact for
/// floating-point sums, invalid_argument where `out` has another size, or overlaps the data without being the same.
template <class T, class Op, class R = default_result<T, Op>>
void inclusive_scan(std::span<const std::type_identity_t<T>> data, std::span<std::type_identity_t<R>> out,
                    const options& how = {}, Op op = {}) {
  detail::scan_view<T, Op, R>(detail::line_of<T>(data), out, std::nullopt, scan_kind::inclusive, how, op);
}
/// Writes to out[i] the reduction of data[0 .. i): the first result is the initial value, or that of no elements, which
/// must exist (else empty_input). Otherwise as inclusive_scan.
template <class T, class Op, class R = default_result<T, Op>>
void exclusive_scan(std::span<const std::type_identity_t<T>> data, std::span<std::type_identity_t<R>> out,
                    const options& how = {}, Op op = {}) {
  detail::scan_view<T, Op, R>(detail::line_of<T>(data), out, std::nullopt, scan_kind::exclusive, how, op);
}

/// The same into an array of its own: `inclusive_scan<float, op::sum>(x)`.
template <class T, class Op, class R = default_result<T, Op>>
result_array<R> inclusive_scan(std::span<const std::type_identity_t<T>> data, const options& how = {}, Op op = {}) {
  return detail::scan_to_array<T, Op, R>(detail::line_of<T>(data), std::nullopt, scan_kind::inclusive, how, op);
}
/// The same, exclusively.
template <class T, class Op, class R = default_result<T, Op>>
result_array<R> exclusive_scan(std::span<const std::type_identity_t<T>> data, const options& how = {}, Op op = {}) {
  return detail::scan_to_array<T, Op, R>(detail::line_of<T>(data), std::nullopt, scan_kind::exclusive, how, op);
}

/// Scans each line of a view along an axis into an array of the same extents: `inclusive_scan<float, op::sum>(view,
/// 0)`. A negative axis counts from the last one. Throws as above, and invalid_argument for an axis that the view does
/// not have.
template <class T, class Op, class R = default_result<T, Op>>
result_array<R> inclusive_scan(const array_view<std::type_identity_t<T>>& view, int axis, const options& how = {},
                               Op op = {}) {
  return detail::scan_to_array<T, Op, R>(view, axis, scan_kind::inclusive, how, op);
}
/// The same, exclusively.
template <class T, class Op, class R = default_result<T, Op>>
result_array<R> exclusive_scan(const array_view<std::type_identity_t<T>>& view, int axis, const options& how = {},
                               Op op = {}) {
  return detail::scan_to_array<T, Op, R>(view, axis, scan_kind::exclusive, how, op);
}

/// The same into memory of the caller's: an output_view with the same extents, or a range with as many places. It may
/// be the view's own, where both have one type and the same strides.
template <class T, class Op, class R = default_result<T, Op>>
void inclusive_scan(const array_view<std::type_identity_t<T>>& view, int axis,
                    const array_output<std::type_identity_t<R>>& out, const options& how = {}, Op op = {}) {
  detail::scan_view<T, Op, R>(view, out, axis, scan_kind::inclusive, how, op);
}
/// The same, exclusively.
template <class T, class Op, class R = default_result<T, Op>>
void exclusive_scan(const array_view<std::type_identity_t<T>>& view, int axis,
                    const array_output<std::type_identity_t<R>>& out, const options& how = {}, Op op = {}) {
  detail::scan_view<T, Op, R>(view, out, axis, scan_kind::exclusive, how, op);
}

/// Scans each segment: out[i] belongs to value i, and is not written where that is in no segment. Throws as above, and
/// as reduce of segments does; the values take no mask.
template <class T, class Op, class R = default_result<T, Op>, class Offset>
void inclusive_scan(const segmented<T, Offset>& what, std::span<std::type_identity_t<R>> out, const options& how = {},
                    Op op = {}) {
  detail::scan_segments<T, Op, R>(what, out, scan_kind::inclusive, how, op);
}
/// The same, exclusively.
template <class T, class Op, class R = default_result<T, Op>, class Offset>
void exclusive_scan(const segmented<T, Offset>& what, std::span<std::type_identity_t<R>> out, const options& how = {},
                    Op op = {}) {
  detail::scan_segments<T, Op, R>(what, out, scan_kind::exclusive, how, op);
}

/// A scan that is chosen once and run many times, without allocating: of arrays with the extents and strides of a view,
/// or of n elements. Like a plan, it serves one thread at a time, and can be moved.
template <class T, class Op, class R = default_result<T, Op>>
class scan_plan : detail::described<T, Op> {
 public:
  /// Chooses a backend for arrays of n elements. Throws as plan's constructor does.
  explicit scan_plan(std::int64_t n, scan_kind kind = scan_kind::inclusive, const options& how = {}, Op op = {})
      : scan_plan(array_view<T>(nullptr, {n}), output_view<R>(nullptr, {n}), std::nullopt, kind, how, op) {}
  /// The same for lines along an axis of arrays that lie as `like` does, whose results lie in C order.
  scan_plan(const array_view<T>& like, int axis, scan_kind kind = scan_kind::inclusive, const options& how = {},
            Op op = {})
      : scan_plan(like, output_view<R>(nullptr, detail::scan_extents(like.axes(), axis)), axis, kind, how, op) {}
  /// The same for results that lie as `out` does.
  scan_plan(const array_view<T>& like, const output_view<R>& out, int axis, scan_kind kind = scan_kind::inclusive,
            const options& how = {}, Op op = {})
      : scan_plan(like, out, std::optional<int>(axis), kind, how, op) {}

  /// Scans the array at `data` into the one at `out`. Throws onefold::error as the scans do.
  void operator()(const T* data, R* out) { engine_.run(detail::object_of(op_), data, init_ ? &*init_ : nullptr, out); }

  /// Enqueues the scan of the array at `data` into the one at `out`, both in device memory, on a CUDA stream, and
  /// returns at once. Can be captured into a CUDA graph. The plan must live until the work is done, and has room for
  /// one scan at a time: enqueue the next one in order after it. Throws onefold::error as plan::enqueue does.
  void enqueue(const T* data, R* out, CUstream_st* stream) {
    engine_.enqueue(detail::object_of(op_), data, init_ ? &*init_ : nullptr, out, stream);
  }

  /// What runs it, and why.
  run_report report() const { return engine_.report(); }

 private:
  scan_plan(const array_view<T>& like, const output_view<R>& out, std::optional<int> axis, scan_kind kind,
            const options& how, const Op& op)
      : op_(op), init_(detail::initial_value<R, Op>(how.init)), engine_(request(like, out, axis, kind), how) {}
  detail::scan_request request(const array_view<T>& like, const output_view<R>& out, std::optional<int> axis,
                               scan_kind kind) const {
    detail::scan_request q = detail::request_for_scan<T, Op, R>(kind, init_.has_value());
    detail::make_lines(like.axes(), out.axes(), axis, &q);
    return q;
  }

  [[no_unique_address]] Op op_;
  std::optional<R> init_;
  detail::scan_engine engine_;
};

/// A scan of segments that is chosen once and run many times, without allocating; values and offsets are given at each
/// call. Like a plan, it serves one thread at a time, and can be moved.
template <class T, class Op, class R = default_result<T, Op>>
class segmented_scan_plan : detail::described<T, Op> {
 public:
  /// Chooses a backend for at most `segments` segments of arrays of at most `elements` elements. Throws as plan's
  /// constructor does.
  segmented_scan_plan(std::int64_t segments, std::int64_t elements, scan_kind kind = scan_kind::inclusive,
                      const options& how = {}, Op op = {})
      : op_(op),
        init_(detail::initial_value<R, Op>(how.init)),
        engine_(detail::request_for_segment_scan<T, Op, R>(kind, segments, elements, init_.has_value()), how) {}

  /// Scans each segment: out[i] belongs to value i. Throws onefold::error as inclusive_scan does, and where there are
  /// more segments, or elements in them, than the plan is for.
  template <class Offset>
  void operator()(const segmented<T, Offset>& what, std::span<R> out) {
    engine_.run_segments(detail::object_of(op_), detail::data_of(what), init_ ? &*init_ : nullptr, out.data(),
                         static_cast<std::int64_t>(out.size()));
  }

  /// Enqueues the scan of each segment on a CUDA stream, and returns at once. Values, offsets and results are in device
  /// memory; the offsets must not decrease nor pass the end, which is not checked. Can be captured into a CUDA graph.
  /// The plan must live until the work is done, and has room for one scan at a time: enqueue the next one in order
  /// after it. Throws onefold::error as plan::enqueue does, and for more segments, or a larger array, than the plan is
  /// for.
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
  detail::scan_engine engine_;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold

#include "onefold/verbs/scans.hpp"
