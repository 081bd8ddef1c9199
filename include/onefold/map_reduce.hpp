// Reductions of computed elements: map_reduce<Op>(f, x, y), sum(mapped(f, x)), mapped_plan. The elements are what a
// function returns for the elements of up to three arrays; they are never stored as a whole.
//
// Each result has the bits of `reduce` over an array that the function's values were written to (docs/map-reduce.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "onefold/detail/composed.hpp"
#include "onefold/detail/compute.hpp"
#include "onefold/detail/device_map_of.hpp"
#include "onefold/detail/mapping.hpp"
#include "onefold/shapes.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// What a function returns for the elements of arrays, which the caller owns. `mapped` makes it; it is reduced as an
/// array is.
template <class F, class... Places>
class mapped_elements {
 public:
  /// The type of what is reduced: what the function returns; std::uint8_t for bool.
  using element_type = typename detail::computed_by<F, Places...>::element;

  /// A function, and arrays with the same extents. Throws as `mapped`.
  mapped_elements(F f, const detail::placed<Places>&... arrays)
      : f_(std::move(f)), places_(arrays.first...), arrays_{arrays.array...}, axes_{arrays.axes...} {
    detail::check_mapped_axes(axes_);
  }

  /// The axes of each array.
  std::span<const detail::mapped_axes> axes() const { return axes_; }
  /// What computes the elements, as long as this object lives.
  mapped_source source() const {
    mapped_source s{this, compute, sizeof(element_type)};
    s.device = {std::addressof(f_), detail::device_map_of<F, element_type, Places...>::value, detail::known_as<F>,
                dtype_of<canonical_t<element_type>>};
    std::copy_n(arrays_, sizeof...(Places), s.arrays);
    return s;
  }

  /// The elements as arguments of another function.
  auto argument() const {
    using returned = typename detail::computed_by<F, Places...>::returned;
    static_assert(std::is_copy_constructible_v<F>,
                  "onefold: a function whose values are the argument of another one is copied: give it what can be "
                  "copied, as a std::shared_ptr");
    if constexpr (!std::is_copy_constructible_v<F>)  // a stand-in
      return detail::computed_argument<detail::inner_function<detail::given_element, returned, 1>, const returned*>{};
    else
      return [this]<std::size_t... I>(std::index_sequence<I...>) {
        return detail::computed_argument<detail::inner_function<F, returned, sizeof...(Places)>, Places...>{
            {f_}, {detail::placed<Places>{std::get<I>(places_), arrays_[I], axes_[I]}...}};
      }
    (std::index_sequence_for<Places...>{});
  }

 private:
  static void compute(const void* self, const mapped_lines& which, void* to) noexcept {
    const auto& what = *static_cast<const mapped_elements*>(self);
    std::apply(
        [&](const Places&... places) {
          detail::compute_lines(what.f_, which, static_cast<element_type*>(to), places...);
        },
        what.places_);
  }

  F f_;
  std::tuple<Places...> places_;
  mapped_array arrays_[sizeof...(Places)];
  detail::mapped_axes axes_[sizeof...(Places)];
};

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// Whether F is not an array, but may be a function of elements.
template <class F>
concept is_function = (std::is_class_v<F> && !function_argument<F> && !std::is_same_v<F, options> &&
                       !std::is_same_v<F, over>) ||
                      std::is_member_pointer_v<F> || std::is_function_v<std::remove_pointer_t<F>>;

/// Says that a function stands before its arrays.
template <class X>
void refuse_function_last() {
  static_assert(!function_argument<X>,
                "onefold: the function comes first: write map_reduce<op::sum>(f, x), sum(mapped(f, x)) or sum(x, f)");
}

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

/// The values f(x[i]), f(x[i], y[i]) or f(x[i], y[i], z[i]) of arrays with equal extents, as elements to reduce:
/// `sum(mapped(&order::price, orders))`, `argmax(mapped(f, matrix, weights), 0)`. f is a function object, a lambda, or
/// a pointer to a function or a member, and is copied. Several threads call it at once, through a const reference; it
/// must depend on its arguments alone, and must not throw. Compilers may fuse a multiplication and an addition inside
/// f, and across f and a function that computes its arguments, unless -ffp-contract=off is set. What it returns is the
/// element type of the reduction (bool becomes std::uint8_t). An array is an array_view or what one is made from, or a
/// range with random access, whose elements may be of any type (a vector of structs, a std::deque, std::views::iota),
/// or computed elements, of three arrays at most in all, on CPUs. Arrays are not copied: they must outlive the result,
/// so that temporaries serve only within the expression that reduces it. Throws invalid_argument where extents differ.
template <class F, detail::function_argument... Arrays>
requires(sizeof...(Arrays) > 0 && sizeof...(Arrays) <= most_mapped_arrays) auto mapped(F f, Arrays&&... arrays) {
  if constexpr ((detail::is_mapped<std::remove_cvref_t<Arrays>> || ...))
    return detail::compose(std::move(f), detail::argument_of(std::forward<Arrays>(arrays))...);
  else
    return mapped_elements<F, detail::place_of<Arrays>...>(std::move(f),
                                                           detail::place(std::forward<Arrays>(arrays))...);
}

/// @cond
// Diagnostics for an array before its function.
template <detail::function_argument X, class... Rest>
requires(detail::is_function<Rest> || ...) auto mapped(const X&, const Rest&...) { detail::refuse_function_last<X>(); }
/// @endcond

/// Computed elements are reduced to one result, or over the axes of their arrays.
template <class M>
requires detail::is_mapped<M>
struct source_traits<M> {
  using element_type = typename M::element_type;
  static constexpr bool has_axes = true;
  template <class R>
  using results = R;

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

/// Reduces what f returns for the elements of an array with operation Op, to the operation's own result type or R:
/// `map_reduce<op::sum>(&order::price, orders)`. Function and array are as for `mapped`. A function that a .cu file
/// compiled with <onefold/cuda.cuh> runs on a GPU, too; for another one data in device memory is an error
/// (invalid_argument), and so is a GPU's backend (unsupported). Arrays of which only some are in device memory are an
/// error (invalid_argument) unless a GPU's backend is requested. Throws onefold::error as plan's constructor and call
/// do, and as `mapped`.
template <class Op, class R = void, class F, detail::function_argument X>
auto map_reduce(F f, X&& x, const options& how = {}, Op op = {}) {
  return detail::reduce_mapped<Op, R>(mapped(std::move(f), std::forward<X>(x)), how, op);
}
/// The same of two arrays: `map_reduce<op::max>([](float a, float b) { return a * b; }, x, y)`.
template <class Op, class R = void, class F, detail::function_argument X, detail::function_argument Y>
auto map_reduce(F f, X&& x, Y&& y, const options& how = {}, Op op = {}) {
  return detail::reduce_mapped<Op, R>(mapped(std::move(f), std::forward<X>(x), std::forward<Y>(y)), how, op);
}
/// The same of three arrays.
template <class Op, class R = void, class F, detail::function_argument X, detail::function_argument Y,
          detail::function_argument Z>
auto map_reduce(F f, X&& x, Y&& y, Z&& z, const options& how = {}, Op op = {}) {
  return detail::reduce_mapped<Op, R>(mapped(std::move(f), std::forward<X>(x), std::forward<Y>(y), std::forward<Z>(z)),
                                      how, op);
}
/// The same over some axes, into an array of its own: `map_reduce<op::sum>(f, matrix, {.axes = {1}})`. Throws also
/// invalid_argument for axes that the arrays do not have.
template <class Op, class R = void, class F, detail::function_argument X>
auto map_reduce(F f, X&& x, const over& along, const options& how = {}, Op op = {}) {
  return detail::reduce_mapped<Op, R>(mapped(std::move(f), std::forward<X>(x)), along, how, op);
}
/// The same of two arrays.
template <class Op, class R = void, class F, detail::function_argument X, detail::function_argument Y>
auto map_reduce(F f, X&& x, Y&& y, const over& along, const options& how = {}, Op op = {}) {
  return detail::reduce_mapped<Op, R>(mapped(std::move(f), std::forward<X>(x), std::forward<Y>(y)), along, how, op);
}
/// The same of three arrays.
template <class Op, class R = void, class F, detail::function_argument X, detail::function_argument Y,
          detail::function_argument Z>
auto map_reduce(F f, X&& x, Y&& y, Z&& z, const over& along, const options& how = {}, Op op = {}) {
  return detail::reduce_mapped<Op, R>(mapped(std::move(f), std::forward<X>(x), std::forward<Y>(y), std::forward<Z>(z)),
                                      along, how, op);
}

/// @cond
template <class Op, class R = void, detail::function_argument X, class... Rest>
requires(detail::is_function<Rest> || ...) auto map_reduce(const X&, const Rest&...) {
  detail::refuse_function_last<X>();
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
