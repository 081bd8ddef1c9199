// Which functions of the library there are, for which element types, and their records.
#pragma once

#include <span>
#include <type_traits>

#include "exact/computed.cuh"
#include "map.hpp"
#include "onefold/detail/cuda/map.cuh"
#include "onefold/detail/cuda/map_fold.cuh"
#include "onefold/detail/cuda/ptx.cuh"
#include "onefold/detail/exact/product_parts.hpp"
#include "onefold/detail/vector_functions.hpp"
#include "results.cuh"

namespace onefold::cuda {
namespace {

/// An element as a function takes it: f16 as f32, by the device's own instruction.
template <class X>
__device__ auto taken(X x) {
  if constexpr (std::is_same_v<X, f16>)
    return detail::float_from_half(x.bits);
  else
    return x;
}

/// A function of elements whose f16 are widened.
template <class F>
struct of_taken {
  template <class... X>
  __device__ auto operator()(X... x) const {
    return F{}(taken(x)...);
  }
};

/// The operations whose folds compute by themselves what F returns: those of the verbs of vectors.
template <class F>
struct folds_of {
  using type = type_list<>;
};
template <class F>
struct folds_of<of_taken<F>> : folds_of<F> {};
template <class V>
struct folds_of<detail::product_as<V>> {
  using type = type_list<op::sum>;
};
template <class V>
struct folds_of<detail::distance_as<V>> {
  using type = type_list<op::sum, op::norm2, op::max>;
};
template <>
struct folds_of<detail::absolute_value> {
  using type = type_list<op::sum, op::max>;
};
template <>
struct folds_of<detail::same_value> {
  using type = type_list<op::sum>;
};

/// Whether sums of accuracy wide do so, too: those of weighted_mean.
template <class F>
inline constexpr bool adds_wide = false;
template <class F>
inline constexpr bool adds_wide<of_taken<F>> = adds_wide<F>;
template <class V>
inline constexpr bool adds_wide<detail::product_as<V>> = true;
template <>
inline constexpr bool adds_wide<detail::same_value> = true;

/// Whether exact sums compute by themselves what F returns: exact products, and parts of them.
template <class F>
inline constexpr bool sums_exactly = false;
template <class F>
inline constexpr bool sums_exactly<of_taken<F>> = sums_exactly<F>;
template <>
inline constexpr bool sums_exactly<detail::product_as<double>> = true;
template <>
inline constexpr bool sums_exactly<detail::rounded_product> = true;
template <>
inline constexpr bool sums_exactly<detail::lost_product> = true;

template <class F, class T, class... X>
constexpr mapped_fold exact_sum = {detail::launch_computed_exactly<T, F, X...>, nullptr};

/// As device_map::fold_of: at accuracy native, and for some wide and exact, of floating-point arrays of one type.
template <class F, class T, class X, class... More>
const mapped_fold* fold_of(int operation, accuracy mode) {
  const mapped_fold* found = nullptr;
  if constexpr (detail::is_float<X> && (std::is_same_v<X, More> && ...)) {
    if constexpr (sums_exactly<F>)
      if (operation == operation_index<op::sum> && mode == accuracy::exact) found = &exact_sum<F, T, X, More...>;
    for_each_type(typename folds_of<F>::type{}, [&]<class Op>() {
      const auto look = [&]<accuracy A>() {
        using fold = detail::kernel_t<detail::fold_of<Op, T, A>>;
        if (operation == operation_index<Op> && mode == A) found = &detail::fold_of_computed<fold, T, F, X, More...>;
      };
      look.template operator()<accuracy::native>();
      if constexpr (adds_wide<F> && std::is_same_v<Op, op::sum> && !std::is_same_v<T, double>)
        look.template operator()<accuracy::wide>();
    });
  }
  return found;
}

template <class F, class T, class... X>
constexpr device_map record = {sizeof(device_map), detail::launch_map<F, T, X...>, fold_of<F, T, X...>};

/// The record of F for elements X, if that returns `result`; else null.
template <class F, class... X>
const device_map* if_returns(dtype result) {
  using T = decltype(F{}(X{}...));
  return result == dtype_of<T> ? &record<of_taken<F>, T, X...> : nullptr;
}

/// The same of either of two functions.
template <class F, class G, class... X>
const device_map* of_either(dtype result) {
  const device_map* const first = if_returns<F, X...>(result);
  return first ? first : if_returns<G, X...>(result);
}

template <class X, class Y>
const device_map* map_of_two(known_function function, dtype result) {
  using V = typename detail::common_working<X, Y>::type;
  if constexpr (std::is_same_v<X, double> && std::is_same_v<Y, double>) {
    using band = detail::band_of_product;
    using part = detail::part_of_product;
    if (function == known_function::rounded_product) return &record<detail::rounded_product, double, double, double>;
    if (function == known_function::lost_product) return &record<detail::lost_product, double, double, double>;
    if (function == known_function::band_of_product) return &record<band, std::uint8_t, double, double>;
    if (function == known_function::part_of_product) return &record<part, double, double, double>;
  }
  if (function == known_function::product)
    return of_either<detail::product_as<V>, detail::product_as<double>, X, Y>(result);
  if (function != known_function::distance) return nullptr;
  if constexpr (detail::is_float<V>)
    return if_returns<detail::distance_as<V>, X, Y>(result);
  else
    return of_either<detail::distance_as<V>, detail::real_distance_as<V>, X, Y>(result);
}

template <class X>
const device_map* map_of_one(known_function function, dtype result) {
  // The elements' own bits are returned, so that f16 stays as it is.
  if (function == known_function::itself && result == dtype_of<X>) return &record<detail::same_value, X, X>;
  if constexpr (detail::is_integer<X> && sizeof(X) == 8)
    if (function == known_function::itself && result == dtype::f64)
      return &record<detail::number_as<double>, double, X>;
  if (function != known_function::magnitude) return nullptr;
  using T = decltype(detail::absolute_value{}(X{}));
  return result == dtype_of<T> ? &record<detail::absolute_value, T, X> : nullptr;
}

/// As find_map.
inline const device_map* map_of(known_function function, dtype result, std::span<const dtype> arrays) {
  const device_map* found = nullptr;
  for_each_type(element_types{}, [&]<class X>() {
    if (arrays[0] != dtype_of<X>) return;
    if (arrays.size() == 1) found = map_of_one<X>(function, result);
    if (arrays.size() == 2)
      for_each_type(element_types{}, [&]<class Y>() {
        if constexpr (std::is_same_v<X, Y> || (detail::is_float<X> && detail::is_float<Y>))
          if (arrays[1] == dtype_of<Y>) found = map_of_two<X, Y>(function, result);
      });
  });
  return found;
}

}  // namespace
}  // namespace onefold::cuda
