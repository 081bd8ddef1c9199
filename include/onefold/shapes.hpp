// Reductions over some axes of an array: reduce<T, Op>(view, axes), sum(view, axis), shaped_plan; and reduce<Op>(x) of
// whatever can be reduced.
//
// Each result has the bits of `reduce` over its own elements alone, counted in C order of the reduced axes, whatever
// the strides, the number of other results, the backend and its threads (docs/shapes.md).
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "onefold/array_view.hpp"
#include "onefold/detail/shape.hpp"
#include "onefold/reduce.hpp"

namespace onefold {
namespace detail {
inline namespace ONEFOLD_LEVEL {

template <class M>
inline constexpr bool is_array_view = false;
template <class M>
inline constexpr bool is_array_view<array_view<M>> = true;

/// A view, what one is made from, or a reference to one.
template <class M>
concept with_axes = viewable<M> || is_array_view<std::remove_cvref_t<M>>;
/// What is reduced as a view alone; ranges are reduced as such.
template <class M>
concept viewed_only = viewable<M> && !contiguous_elements<M>;

/// The view of data with axes, within a call.
template <class T>
const array_view<T>& view_of(const array_view<T>& view) {
  return view;
}
template <viewable M>
array_view<viewed_element<M>> view_of(const M& array) {
  return array_view(array);
}

/// The request for a reduction of a shape to results of type R.
template <class T, class Op, class R>
request request_for_shape(const problem& shape, bool has_init) {
  static_assert(std::is_trivially_copyable_v<T>,
                "onefold: the elements of a view must be trivially copyable: those that lie apart are gathered");
  request q = request_for<T, Op, R>(shape.outputs * shape.n, has_init);
  q.shape = &shape;
  return q;
}

/// The reduction of a view into `out`; `ran` is null, or gets what ran.
template <class T, class Op, class R>
void reduce_view(const array_view<T>& view, const problem& shape, std::span<R> out, const options& how, const Op& op,
                 run_report* ran) {
  static_cast<void>(described<T, Op>{});
  const std::optional<R> init = initial_value<R, Op>(how.init);
  run_shape_once(request_for_shape<T, Op, R>(shape, init.has_value()), how, object_of(op), view.data(),
                 init ? &*init : nullptr, out.data(), static_cast<std::int64_t>(out.size()), ran);
}

/// The same over all axes to one result.
template <class T, class Op, class R>
R reduce_all(const array_view<T>& view, const options& how, const Op& op, run_report* ran) {
  problem shape;
  make_problem(view.axes(), over{}, &shape);
  R result;
  reduce_view<T, Op, R>(view, shape, std::span<R>(&result, 1), how, op, ran);
  return result;
}

/// The same over some axes into an array of its own.
template <class T, class Op, class R>
result_array<R> reduce_axes(const array_view<T>& view, const over& along, const options& how, const Op& op,
                            run_report* ran) {
  problem shape;
  result_array<R> out(make_problem(view.axes(), along, &shape));
  reduce_view<T, Op, R>(view, shape, std::span<R>(out.data(), out.size()), how, op, ran);
  return out;
}

/// Op is an operation, one of the catalog or of the user's over Data's elements. (An element type is none:
/// `reduce<float, op::sum>(x)` names that first.)
template <class Op, class Data>
concept operation_on = cataloged_operation<Op> || is_supported<typename source_traits<Data>::element_type, Op>;

/// The reduction of data; `what` is the options and the operation, after axes where there are some.
template <class Op, class R, class Data, class... What>
auto reduce_data(const Data& data, const What&... what) {
  if constexpr (!reducible<Data>) {
    static_cast<void>(explained<Data>{});
  } else if constexpr (sizeof...(What) == 3 && !reducible_over_axes<Data>) {
    static_cast<void>(explained_axes<Data>{});
  } else {
    using T = typename source_traits<Data>::element_type;
    static_cast<void>(described<T, Op>{});
    using result = std::conditional_t<std::is_void_v<R>, default_result<T, Op>, R>;
    return source_traits<Data>::template reduce<Op, result>(data, what..., nullptr);
  }
}

/// How what a view is made from is reduced.
template <viewable M>
struct viewed_source {
  using element_type = viewed_element<M>;
  static constexpr bool has_axes = true;
  template <class R>
  using results = R;

  template <class Op, class R>
  static R reduce(const M& array, const options& how, const Op& op, run_report* ran) {
    return reduce_all<element_type, Op, R>(array_view(array), how, op, ran);
  }
  template <class Op, class R>
  static result_array<R> reduce(const M& array, const over& along, const options& how, const Op& op, run_report* ran) {
    return reduce_axes<element_type, Op, R>(array_view(array), along, how, op, ran);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail

inline namespace ONEFOLD_LEVEL {

/// Reduces a view over some axes with operation Op into out[0 .. number of results), in C order of the axes that are
/// left. Throws onefold::error as plan's constructor and call do, and invalid_argument for axes that the view does not
/// have, where `out` is too small, and where it overlaps the data; nothing is written then.
template <class T, class Op, class R = default_result<T, Op>>
void reduce(const array_view<std::type_identity_t<T>>& view, const over& along, std::span<std::type_identity_t<R>> out,
            const options& how = {}, Op op = {}) {
  problem shape;
  detail::make_problem(view.axes(), along, &shape);
  detail::reduce_view<T, Op, R>(view, shape, out, how, op, nullptr);
}

/// The same into an array of its own: `reduce<float, op::sum>(view, {.axes = {0}})`.
template <class T, class Op, class R = default_result<T, Op>>
result_array<R> reduce(const array_view<std::type_identity_t<T>>& view, const over& along, const options& how = {},
                       Op op = {}) {
  return detail::reduce_axes<T, Op, R>(view, along, how, op, nullptr);
}

/// The same over one axis: `reduce<float, op::sum>(view, 0)`. A negative axis counts from the last one.
template <class T, class Op, class R = default_result<T, Op>, std::integral Axis>
result_array<R> reduce(const array_view<std::type_identity_t<T>>& view, Axis axis, const options& how = {},
                       Op op = {}) {
  return detail::reduce_axes<T, Op, R>(view, over{axis}, how, op, nullptr);
}
/// The same over all axes, to one result: `reduce<float, op::sum>(view)`. (A range is no view here.)
template <class T, class Op, class R = default_result<T, Op>, class View>
requires detail::is_array_view<View> R reduce(const View& view, const options& how = {}, Op op = {}) {
  return detail::reduce_all<T, Op, R>(array_view<T>(view), how, op, nullptr);
}

/// Reduces whatever can be reduced with operation Op, to the operation's own result type or R: `reduce<op::sum>(x)`.
/// Throws as plan's constructor and call do.
template <class Op, class R = void, verb_argument Data>
requires detail::operation_on<Op, Data>
auto reduce(const Data& data, const options& how = {}, Op op = {}) { return detail::reduce_data<Op, R>(data, how, op); }
/// The same over some axes: `reduce<op::max>(view, 1)`, `reduce<op::max>(view, {0, 2})`.
template <class Op, class R = void, axes_argument Data>
requires detail::operation_on<Op, Data>
auto reduce(const Data& data, const axis_list& axes, const options& how = {}, Op op = {}) {
  return detail::reduce_data<Op, R>(data, over{axes}, how, op);
}

/// Views are reduced to one result, or over some axes.
template <class T>
struct source_traits<array_view<T>> {
  using element_type = std::remove_const_t<T>;
  static constexpr bool has_axes = true;
  template <class R>
  using results = R;

  template <class Op, class R>
  static R reduce(const array_view<element_type>& view, const options& how, const Op& op, run_report* ran) {
    return detail::reduce_all<element_type, Op, R>(view, how, op, ran);
  }
  template <class Op, class R>
  static result_array<R> reduce(const array_view<element_type>& view, const over& along, const options& how,
                                const Op& op, run_report* ran) {
    return detail::reduce_axes<element_type, Op, R>(view, along, how, op, ran);
  }
};

/// So is what a view is made from.
template <viewable M>
struct source_traits<M> : detail::viewed_source<M> {};
/// And a range with axes, as results are.
template <viewable M>
requires contiguous_elements<M>
struct source_traits<M> : detail::viewed_source<M> {
};

/// A reduction over some axes that is chosen once and run many times, without allocating: for all arrays with the
/// extents and strides of a view. Like a plan, it serves one thread at a time, and can be moved.
template <class T, class Op, class R = default_result<T, Op>>
class shaped_plan : detail::described<T, Op> {
 public:
  /// Chooses a backend. The view's data is not looked at. Throws as reduce does.
  explicit shaped_plan(const array_view<T>& like, const over& along = {}, const options& how = {}, Op op = {})
      : op_(op),
        extents_(detail::make_problem(like.axes(), along, &shape_)),
        init_(detail::initial_value<R, Op>(how.init)),
        engine_(detail::request_for_shape<T, Op, R>(shape_, init_.has_value()), how) {}

  /// The extents of the results, and how many there are.
  const onefold::extents& extents() const { return extents_; }
  /// How many results there are.
  std::int64_t size() const { return shape_.outputs; }

  /// Reduces the array at `data` into out[0 .. size()). Throws onefold::error as reduce does.
  void operator()(const T* data, std::span<R> out) {
    engine_.run_shape(detail::object_of(op_), data, init_ ? &*init_ : nullptr, out.data(),
                      static_cast<std::int64_t>(out.size()));
  }

  /// Enqueues the reduction of the array at `data` into out[0 .. size()), both in device memory, on a CUDA stream, and
  /// returns at once. Can be captured into a CUDA graph. The plan must live until the work is done, and has room for
  /// one reduction at a time: enqueue the next one in order after it. Throws onefold::error as plan::enqueue does.
  void enqueue(const T* data, std::span<R> out, CUstream_st* stream) {
    engine_.enqueue_shape(detail::object_of(op_), data, init_ ? &*init_ : nullptr, out.data(),
                          static_cast<std::int64_t>(out.size()), stream);
  }

  /// What runs it, and why.
  run_report report() const { return engine_.report(); }

 private:
  [[no_unique_address]] Op op_;
  problem shape_ = {};
  onefold::extents extents_;
  std::optional<R> init_;
  detail::engine engine_;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
