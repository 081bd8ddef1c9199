// Reductions of computed elements: map_reduce<Op>(x, y, f), sum(mapped(f, x)), mapped_plan. The elements are what a
// function returns for the elements of up to three arrays; they are never stored as a whole.
//
// Each result has the bits of `reduce` over an array that the function's values were written to (docs/map-reduce.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "onefold/mapped.hpp"
#include "onefold/shapes.hpp"

namespace onefold {
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// Computed elements of type T.
template <class M, class T>
concept mapped_to = is_mapped<M> && std::is_same_v<typename M::element_type, T>;

/// The problem of reducing computed elements over some axes.
template <class T>
struct mapped_problem {
  mapping maps;
  extents kept;

  mapped_problem(std::span<const mapped_axes> arrays, const over& along) : kept(make_mapping(arrays, along, &maps)) {}

  std::int64_t outputs() const { return maps.of[0].outputs; }
  template <class Op, class R>
  request request_for(bool has_init, const mapped_device& device) const {
    static_assert(std::is_trivially_copyable_v<T>, "onefold: what the function returns must be trivially copyable");
    request q = detail::request_for<T, Op, R>(outputs() * maps.of[0].n, has_init);
    q.shape = &maps.of[0];
    q.maps = &maps;
    q.maps_on_device = device.exists();
    return q;
  }
  template <class Op, class R>
  void reduce(const mapped_source& from, std::span<R> out, const options& how, const Op& op, run_report* ran) const {
    const std::optional<R> init = initial_value<R, Op>(how.init);
    run_mapped_once(request_for<Op, R>(init.has_value(), from.device), how, object_of(op), from,
                    init ? &*init : nullptr, out.data(), static_cast<std::int64_t>(out.size()), ran);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// Computed elements are reduced to one result, or over the axes of their arrays.
template <class M>
requires detail::is_mapped<M>
struct source_traits<M> {
  using element_type = typename M::element_type;
  static constexpr bool has_axes = true;
  template <class R>
  using results = R;

  /// The elements in C order.
  static result_array<element_type> stored(const M& what) {
    const detail::mapped_problem<element_type> all(what.axes(), over{});
    result_array<element_type> elements({all.maps.of[0].n});
    detail::store_elements(all.maps, what.source(), elements.data());
    return elements;
  }

  template <class Op, class R>
  static R reduce(const M& what, const options& how, const Op& op, run_report* ran) {
    R result;
    detail::mapped_problem<element_type>(what.axes(), over{})
        .reduce(what.source(), std::span(&result, 1), how, op, ran);
    return result;
  }
  template <class Op, class R>
  static result_array<R> reduce(const M& what, const over& along, const options& how, const Op& op, run_report* ran) {
    const detail::mapped_problem<element_type> problem(what.axes(), along);
    result_array<R> out(problem.kept);
    problem.reduce(what.source(), std::span(out.data(), out.size()), how, op, ran);
    return out;
  }
};

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The result type of a reduction with Op of computed elements: R, or the operation's own where R is void.
template <class M, class Op, class R>
using mapped_result = std::conditional_t<std::is_void_v<R>, default_result<typename M::element_type, Op>, R>;

template <class Op, class R, class M>
mapped_result<M, Op, R> reduce_mapped(const M& what, const options& how, const Op& op) {
  static_cast<void>(described<typename M::element_type, Op>{});
  return source_traits<M>::template reduce<Op, mapped_result<M, Op, R>>(what, how, op, nullptr);
}
template <class Op, class R, class M>
result_array<mapped_result<M, Op, R>> reduce_mapped(const M& what, const over& along, const options& how,
                                                    const Op& op) {
  static_cast<void>(described<typename M::element_type, Op>{});
  return source_traits<M>::template reduce<Op, mapped_result<M, Op, R>>(what, along, how, op, nullptr);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// Reduces what a function returns for the elements of an array with operation Op, to the operation's own result type
/// or R: `map_reduce<op::sum>(orders, &order::price)`, or with the function first, `map_reduce<op::sum>(&order::price,
/// orders)`. Function and array are as for `mapped`. A function that a .cu file compiled with <onefold/cuda.cuh> runs
/// on a GPU, too; for another one data in device memory is an error (invalid_argument), and so is a GPU's backend
/// (unsupported). Arrays of which only some are in device memory are an error (invalid_argument) unless a GPU's backend
/// is requested. Throws onefold::error as plan's constructor and call do, and as `mapped`.
template <class Op, class R = void, class A, class B>
requires detail::function_and_arrays<A, B>
auto map_reduce(A&& a, B&& b, const options& how = {}, Op op = {}) {
  return detail::reduce_mapped<Op, R>(onefold::mapped(std::forward<A>(a), std::forward<B>(b)), how, op);
}
/// The same of two arrays: `map_reduce<op::max>(x, y, [](float a, float b) { return a * b; })`.
template <class Op, class R = void, class A, class B, class C>
requires detail::function_and_arrays<A, B, C>
auto map_reduce(A&& a, B&& b, C&& c, const options& how = {}, Op op = {}) {
  return detail::reduce_mapped<Op, R>(onefold::mapped(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c)), how,
                                      op);
}
/// The same of three arrays.
template <class Op, class R = void, class A, class B, class C, class D>
requires detail::function_and_arrays<A, B, C, D>
auto map_reduce(A&& a, B&& b, C&& c, D&& d, const options& how = {}, Op op = {}) {
  return detail::reduce_mapped<Op, R>(
      onefold::mapped(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c), std::forward<D>(d)), how, op);
}
/// The same over some axes, into an array of its own: `map_reduce<op::sum>(matrix, f, {.axes = {1}})`. Throws also
/// invalid_argument for axes that the arrays do not have.
template <class Op, class R = void, class A, class B>
requires detail::function_and_arrays<A, B>
auto map_reduce(A&& a, B&& b, const over& along, const options& how = {}, Op op = {}) {
  return detail::reduce_mapped<Op, R>(onefold::mapped(std::forward<A>(a), std::forward<B>(b)), along, how, op);
}
/// The same of two arrays.
template <class Op, class R = void, class A, class B, class C>
requires detail::function_and_arrays<A, B, C>
auto map_reduce(A&& a, B&& b, C&& c, const over& along, const options& how = {}, Op op = {}) {
  return detail::reduce_mapped<Op, R>(onefold::mapped(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c)),
                                      along, how, op);
}
/// The same of three arrays.
template <class Op, class R = void, class A, class B, class C, class D>
requires detail::function_and_arrays<A, B, C, D>
auto map_reduce(A&& a, B&& b, C&& c, D&& d, const over& along, const options& how = {}, Op op = {}) {
  return detail::reduce_mapped<Op, R>(
      onefold::mapped(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c), std::forward<D>(d)), along, how, op);
}

/// @cond
template <class Op, class R = void, class... Given>
requires detail::too_many_arrays<Given...>
int map_reduce(const Given&...) {
  detail::refuse_many_arrays<Given...>();
  return {};
}
/// @endcond

/// A reduction of computed elements of type T that is chosen once and run many times, without allocating: of all
/// functions that return T, and all arrays with the extents and strides of those that it is made for. Like a plan, it
/// serves one thread at a time, and can be moved.
template <class T, class Op, class R = default_result<T, Op>>
class mapped_plan : detail::described<T, Op> {
 public:
  /// Chooses a backend. The arrays' elements are not looked at. Throws as map_reduce does.
  template <detail::mapped_to<T> M>
  explicit mapped_plan(const M& like, const over& along = {}, const options& how = {}, Op op = {})
      : op_(op),
        arrays_(like.axes().size()),
        problem_(like.axes(), along),
        init_(detail::initial_value<R, Op>(how.init)),
        engine_(problem_.template request_for<Op, R>(init_.has_value(), like.source().device), how) {
    std::ranges::copy(like.axes(), axes_);
  }

  /// The extents of the results, and how many there are.
  const onefold::extents& extents() const { return problem_.kept; }
  /// How many results there are.
  std::int64_t size() const { return problem_.outputs(); }

  /// Reduces into out[0 .. size()). Throws onefold::error as map_reduce does, and invalid_argument where the number of
  /// arrays, their extents or strides are not those of the plan, and where `out` is too small or overlaps an array;
  /// nothing is written then.
  template <detail::mapped_to<T> M>
  void operator()(const M& what, std::span<R> out) {
    if (!std::ranges::equal(what.axes(), std::span(axes_, arrays_)))
      throw error(error_code::invalid_argument,
                  "the arrays do not have the number, the extents and the strides that the plan was made for");
    engine_.run_mapped(detail::object_of(op_), what.source(), init_ ? &*init_ : nullptr, out.data(),
                       static_cast<std::int64_t>(out.size()));
  }

  /// What runs it, and why.
  run_report report() const { return engine_.report(); }

 private:
  [[no_unique_address]] Op op_;
  std::size_t arrays_;
  detail::mapped_axes axes_[most_mapped_arrays];
  detail::mapped_problem<T> problem_;
  std::optional<R> init_;
  detail::engine engine_;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold

#include "onefold/verbs/functions.hpp"
