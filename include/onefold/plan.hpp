// A reduction of arrays that is chosen once and run many times: plan; and the type of a reduction's result.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "onefold/catalog.hpp"
#include "onefold/detail/element_types.hpp"
#include "onefold/detail/engine.hpp"
#include "onefold/error.hpp"
#include "onefold/options.hpp"
#include "onefold/recipe.hpp"
#include "onefold/report.hpp"

namespace onefold {

namespace detail {
inline namespace ONEFOLD_LEVEL {

/// A user-defined operation over elements T; <onefold/custom.hpp> defines it.
template <class Op, class T>
struct custom;

/// Whether T is std::complex or the like.
template <class T>
inline constexpr bool is_complex = requires(const T& x) {
  x.real();
  x.imag();
};

/// Whether T is a string: a std::string, a std::string_view or a pointer to characters.
template <class T>
inline constexpr bool is_string = std::is_convertible_v<const T&, std::string_view>;

/// Whether T is a range and not a string.
template <class T>
inline constexpr bool is_range = !is_string<T> && requires(const T& x) {
  x.begin();
  x.end();
};

/// A reduction of complex numbers T with Op, and its result; <onefold/complex.hpp> defines those that are supported.
template <class T, class Op>
struct complex_reduction;
template <class T, class Op>
concept reduces_complex = requires {
  typename complex_reduction<T, Op>::result;
};

/// Whether Op is an operation at all, as far as the headers that are included can tell.
template <class T, class Op>
inline constexpr bool is_operation = [] {
  if constexpr (cataloged_operation<Op>)
    return true;
  else
    return requires { sizeof(custom<Op, T>); };
}();

/// Whether reduce<T, Op> is supported.
template <class T, class Op>
inline constexpr bool is_supported = [] {
  if constexpr (cataloged_operation<Op>)
    return cataloged_element<Op, T>;
  else if constexpr (is_operation<T, Op>)
    return custom<Op, T>::complete;
  else
    return false;
}();

/// Says why a reduction with the operation is not supported: once, for all that follows is made of harmless stand-ins.
template <class T, class Op>
struct described {
  static_assert(is_operation<T, Op>,
                "onefold: not an operation of the catalog; for one of your own, include "
                "onefold/custom.hpp; see docs/operations.md");
  static_assert(
      !cataloged_operation<Op> || !is_complex<T> || reduces_complex<T, Op>,
      "onefold: complex numbers support sum, mean, product, sum_squares and norm2, of std::complex<float> and "
      "std::complex<double>, with <onefold/complex.hpp>; for other operations reduce their real and "
      "imaginary parts separately, each as an onefold::array_view with a stride of 2, or reduce computed "
      "elements: max(mapped(f, x))");
  static_assert(!cataloged_operation<Op> || !is_string<T>,
                "onefold: elements must be numbers, not strings: convert each string to a number first");
  static_assert(!cataloged_operation<Op> || !is_range<T>,
                "onefold: the elements of this range are ranges themselves: write sum(concatenated(pieces))");
  static_assert(!cataloged_operation<Op> || !std::is_array_v<T>,
                "onefold: the elements of this array are arrays themselves: make a view of the first element, "
                "sum(array_view(&m[0][0], {2, 3}))");
  static_assert(!cataloged_operation<Op> || element<T> || is_complex<T> || is_string<T> || is_range<T> ||
                    std::is_array_v<T>,
                "onefold: the operations of the catalog take f32, f64, f16, bf16, integers, bool and enumerations; for "
                "elements of another type write an operation of your own, or reduce a member of each: "
                "sum(mapped(&order::price, orders))");
  static_assert(!cataloged_operation<Op> || !element<T> || is_supported<T, Op>,
                "onefold: this operation is not defined for the element type: bit operations take integers only (for "
                "bool, take all, any or count), sum_with_bound takes floating-point numbers only");
};
template <class T, class Op>
requires(!cataloged_operation<Op> && is_operation<T, Op>) struct described<T, Op> : custom<Op, T>::described {
};

/// The result of what is refused: any number will do.
template <class T, class Op>
struct default_result_of {
  using type = int;
};
template <class T, class Op>
requires cataloged_element<Op, T>
struct default_result_of<T, Op> {
  using type = typename result_of_elements<T, Op>::type;
};
template <class T, class Op>
requires(!cataloged_operation<Op> && is_supported<T, Op>) struct default_result_of<T, Op> {
  using type = typename custom<Op, T>::result;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail

/// The type that `reduce<T, Op>` returns by itself: what the operation says of elements T, in the catalog as
/// `Op::result<T>`.
template <class T, class Op>
using default_result = typename detail::default_result_of<T, Op>::type;

namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The request for a reduction of n elements of type T with Op to a result of type R.
template <class T, class Op, class R>
request request_for(std::int64_t n, bool has_init) {
  request q;
  q.n = n;
  q.result_size = sizeof(R);
  q.has_init = has_init;
  static_assert(
      !reduces_complex<T, Op>,
      "onefold: complex numbers are reduced by verbs over contiguous ranges and views; plans, partials, segments and "
      "groups do not support them: reduce their real and imaginary parts separately");
  if constexpr (!is_supported<T, Op>) {
    return q;
  } else if constexpr (cataloged_operation<Op>) {
    static_assert(
        (std::is_same_v<R, default_result<T, Op>> || returns<Op, T, R>),
        "onefold: this operation does not return that type: rounded results (sum, product, mean, variances) can "
        "be f32 or f64, of floating-point elements also f16 or bf16; all others return their own type");
    q.operation = operation_index<Op>;
    q.element = element_dtype<T>;
    q.result = std::is_same_v<R, default_result<T, Op>> ? dtype::other : dtype_of<R>;
    q.takes_init = Op::takes_init;
  } else {
    static_assert(std::is_same_v<R, default_result<T, Op>>,
                  "onefold: an operation of your own returns what its finish returns");
    q.own = &custom<Op, T>::record();
    q.takes_init = custom<Op, T>::takes_init;
    if constexpr (requires { custom<Op, T>::gives_index; }) q.own_gives_index = custom<Op, T>::gives_index;
  }
  return q;
}

/// The operation object as a recipe takes it: the catalog's have no members.
template <class Op>
const void* object_of(const Op& op) {
  return cataloged_operation<Op> ? nullptr : static_cast<const void*>(&op);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail

inline namespace ONEFOLD_LEVEL {

/// A reduction that is chosen once and run many times, without allocating: operation Op over at most n elements
/// of type T, to a result of type R.
///
/// A plan owns its scratch: one thread at a time may run it; different plans run concurrently. A plan may be
/// made before the process loads CUDA and then called on device memory; docs/semantics.md has the one exception, device
/// memory at addresses where the plan was called on host memory before.
/// A plan that was moved from can be assigned to and destroyed; everything else throws invalid_argument.
template <class T, class Op, class R = default_result<T, Op>>
class plan : detail::described<T, Op> {
 public:
  /// Chooses a backend for up to n elements. Throws onefold::error where what `how` asks for is not available:
  /// a forced backend that cannot run (backend_unavailable), an accuracy that the operation does not have
  /// (unsupported), an option out of its range (invalid_argument).
  explicit plan(std::int64_t n, const options& how = {}, Op op = {})
      : op_(op),
        n_(n),
        init_(detail::initial_value<R, Op>(how.init)),
        engine_(detail::request_for<T, Op, R>(n, init_.has_value()), how) {}

  /// Reduces data[0 .. n). Throws onefold::error if n is negative or above the plan's, if data is null, and
  /// for no elements where the operation has no identity (empty_input).
  R operator()(const T* data, std::int64_t n) {
    R result;
    engine_.run(detail::object_of(op_), data, n, init_ ? &*init_ : nullptr, &result);
    return result;
  }
  /// Reduces a contiguous range, as above.
  R operator()(std::span<const T> data) { return (*this)(data.data(), static_cast<std::int64_t>(data.size())); }

  /// Enqueues the reduction of data[0 .. n) on a CUDA stream (a cudaStream_t of the plan's device) and returns at once;
  /// the result is written to *result in stream order. Both are device memory. Can be captured into a CUDA graph. The
  /// plan must live until the work is done, and has room for one reduction at a time: enqueue the next one in order
  /// after it. Throws onefold::error as the call does, and where backend cuda cannot run.
  void enqueue(const T* data, std::integral auto n, R* result, CUstream_st* stream) {
    engine_.enqueue(detail::object_of(op_), data, static_cast<std::int64_t>(n), nullptr, init_ ? &*init_ : nullptr,
                    result, stream);
  }
  /// As above, where the number of elements is in device memory too and known only once the stream gets there; it is
  /// taken as 0 if negative, and as the plan's if above. No elements give the identity, for min and the like too.
  void enqueue(const T* data, const std::int64_t* n, R* result, CUstream_st* stream) {
    engine_.enqueue(detail::object_of(op_), data, n_, n, init_ ? &*init_ : nullptr, result, stream);
  }

  /// What runs it, and why.
  run_report report() const { return engine_.report(); }

 private:
  [[no_unique_address]] Op op_;
  std::int64_t n_;
  std::optional<R> init_;
  detail::engine engine_;
};

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The reduction of an array; `ran` is null, or gets what ran.
template <class T, class Op, class R>
R reduce_array(const T* data, std::int64_t n, const options& how, const Op& op, run_report* ran) {
  static_cast<void>(described<T, Op>{});
  const std::optional<R> init = initial_value<R, Op>(how.init);
  R result;
  run_once(request_for<T, Op, R>(n, init.has_value()), how, object_of(op), data, init ? &*init : nullptr, &result, ran);
  return result;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
}  // namespace onefold
