// sum, mean: additions of numbers.
#pragma once

#include "onefold/accuracy.hpp"
#include "onefold/operation.hpp"
#include "onefold/operations/additive.hpp"
#include "onefold/operations/exact.hpp"

namespace onefold {
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The native accumulator of a floating-point sum; integers only where a sum of them is rounded (mean).
template <class T>
struct accumulator {
  using type = double;
};
template <>
struct accumulator<float> {
  using type = float;
};
template <>
struct accumulator<f16> {
  using type = float;
};
template <>
struct accumulator<bf16> {
  using type = float;
};

/// The fold of rounded additions at an accuracy.
template <class T, accuracy A>
struct rounded_additive : additive<T, typename accumulator<T>::type, plain> {};
template <class T>
struct rounded_additive<T, accuracy::kahan> : additive<T, typename accumulator<T>::type, compensated> {};
template <class T>
struct rounded_additive<T, accuracy::wide> : additive<T, double, plain> {};
template <class T>
requires(__is_same(typename accumulator<T>::type, double)) struct rounded_additive<T, accuracy::wide>
    : additive<T, double, double_double> {
};

/// The result of adding or multiplying elements of type T.
template <class T>
struct arithmetic_result {
  using type = wide_integer<T>;
};
template <>
struct arithmetic_result<double> {
  using type = double;
};
template <>
struct arithmetic_result<float> {
  using type = float;
};
template <>
struct arithmetic_result<f16> {
  using type = float;
};
template <>
struct arithmetic_result<bf16> {
  using type = float;
};

template <class T, accuracy A>
struct sum_fold : rounded_additive<T, A> {
  using base = rounded_additive<T, A>;
  using kernel = base;
  using number = typename base::template state<typename base::value>;
  // Without an initial value a sum's zero is +0 (docs/semantics.md): adding 0.0 changes -0.0 only, which the identity
  // leaves behind.
  template <class R>
  static constexpr R finish(number s, std::int64_t) {
    const two_doubles v = s.value();
    return round_to<R>(v.hi + 0.0, v.lo);
  }
  template <class R>
  static constexpr R finish(number s, std::int64_t, R init) {
    return s.value().plus(as_double(init)).template round<R>();
  }
};

template <class T, accuracy A>
requires(is_integer<T>) struct sum_fold<T, A> : additive<T, typename page_accumulator<T>::type, wrapping> {
  using total = wrapping<std::uint64_t>;
  using base = additive<T, typename page_accumulator<T>::type, wrapping>;
  using base::combine;
  static constexpr total combine(total a, total b) { return total::merge(a, b); }
  static constexpr total close(wrapping<typename base::value> s) { return {static_cast<std::uint64_t>(s.s)}; }
  template <class R>
  static constexpr R finish(wrapping<std::uint64_t> s, std::int64_t) {
    return static_cast<R>(static_cast<wide_integer<T>>(s.s));
  }
  /// An initial value of an integer result wraps as the elements do; one of a rounded result joins their sum exactly.
  template <class R>
  static constexpr R finish(wrapping<std::uint64_t> s, std::int64_t n, R init) {
    if constexpr (is_integer<R>)
      return finish<R>(total::merge(s, {static_cast<std::uint64_t>(init)}), n);
    else
      return round_with(integer_total::from(static_cast<wide_integer<T>>(s.s)), n, init);
  }
};

template <class T, accuracy A>
struct mean_fold : rounded_additive<T, A> {
  using base = rounded_additive<T, A>;
  using kernel = base;
  template <class R>
  static constexpr R finish(typename base::template state<typename base::value> s, std::int64_t n) {
    return s.template mean<R>(n);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail

inline namespace ONEFOLD_LEVEL {
namespace op {

/// The sum of all elements. Integers add in i64 or u64 and wrap (at accuracy exact: an error instead); f16 and bf16
/// give f32. Empty: 0.
struct sum {
  static constexpr const char* name = "sum";
  static constexpr const char* summary = "sum of all elements";
  static constexpr bool empty_allowed = true;
  static constexpr bool takes_init = true;
  static constexpr bool rounded = true;
  template <class T>
  static constexpr bool accepts = true;
  template <class T>
  using result = typename detail::arithmetic_result<T>::type;
  template <class T>
  static constexpr const char* declines(accuracy) {
    return nullptr;
  }
  template <class T, accuracy A>
  using fold = detail::pick_type<A == accuracy::exact, detail::exact_sum_fold<T>,
                                 detail::sum_fold<T, detail::is_integer<T> ? accuracy::native : A>>;
};

/// The arithmetic mean; f32 for f32, f16 and bf16, f64 for f64 and integers. Integers add in f64 (at
/// accuracy exact: exactly). Empty: an error.
struct mean {
  static constexpr const char* name = "mean";
  static constexpr const char* summary = "arithmetic mean";
  static constexpr bool empty_allowed = false;
  static constexpr bool takes_init = false;
  static constexpr bool rounded = true;
  template <class T>
  static constexpr bool accepts = true;
  template <class T>
  using result = typename detail::accumulator<T>::type;
  template <class T>
  static constexpr const char* declines(accuracy) {
    return nullptr;
  }
  template <class T, accuracy A>
  using fold = detail::pick_type<A == accuracy::exact, detail::exact_mean_fold<T>, detail::mean_fold<T, A>>;
};

}  // namespace op
}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
