// Functions of computed elements, as functions of the elements of their arrays: mapped(f, mapped(g, x), y).
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "onefold/detail/compute.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A function of `arity` elements that computes an argument of type R of another function.
template <class G, class R, std::size_t arity>
struct inner_function {
  using returned = R;
  static constexpr std::size_t takes = arity;
  G g;
};

/// The inner function of an array, whose elements are themselves the arguments.
struct given_element {
  template <class X>
  constexpr const X& operator()(const X& x) const {
    return x;
  }
};

/// f(g(x...), h(y...), ...), of all elements that the inner functions take, one after another.
template <class F, class... Inner>
class composed {
 public:
  constexpr composed(F f, const Inner&... inner) : f_(std::move(f)), inner_(inner...) {}

  template <class... X>
  requires(sizeof...(X) == (Inner::takes + ...) &&
           std::is_invocable_v<const F&, typename Inner::returned...>) constexpr auto
  operator()(const X&... x) const {
    return outer(std::index_sequence_for<Inner...>{}, std::tie(x...));
  }
  /// Not defined: a function that changes itself is known by this.
  template <class... X>
  requires(sizeof...(X) == (Inner::takes + ...) && !std::is_invocable_v<const F&, typename Inner::returned...> &&
           std::is_invocable_v<F&, typename Inner::returned...>) int
  operator()(const X&...);

 private:
  /// How many elements the inner functions before number i take.
  static constexpr std::size_t before(std::size_t i) {
    const std::size_t takes[] = {Inner::takes...};
    std::size_t sum = 0;
    for (std::size_t k = 0; k < i; ++k) sum += takes[k];
    return sum;
  }
  template <std::size_t first, class G, std::size_t... K, class All>
  static constexpr decltype(auto) argument(const G& g, std::index_sequence<K...>, const All& all) {
    return call(g, std::get<first + K>(all)...);
  }
  template <std::size_t... I, class All>
  constexpr auto outer(std::index_sequence<I...>, const All& all) const {
    return call(f_, argument<before(I)>(std::get<I>(inner_).g, std::make_index_sequence<Inner::takes>{}, all)...);
  }

  F f_;
  std::tuple<Inner...> inner_;
};

/// An argument of a function: what computes it, and where the arrays of that begin.
template <class Inner, class... Places>
struct computed_argument {
  using function = Inner;
  Inner inner;
  std::tuple<placed<Places>...> arrays;
};

/// How many arrays elements are of.
template <class Data>
inline constexpr std::size_t arrays_of = 1;
template <class Data>
requires is_mapped<Data>
inline constexpr std::size_t arrays_of<Data> = decltype(std::declval<const Data&>().argument())::function::takes;

/// An argument of a function: computed elements, or those of an array.
template <class Given>
auto argument_of(Given&& given) {
  if constexpr (is_mapped<std::remove_cvref_t<Given>>) {
    return given.argument();
  } else {
    const auto p = place(std::forward<Given>(given));
    using inner = inner_function<given_element, decltype(element_at(p.first, 0)), 1>;
    return computed_argument<inner, std::remove_const_t<decltype(p.first)>>{{}, {p}};
  }
}

/// What a function returns for the elements of arrays.
template <class F, class... Places, std::size_t... I>
auto mapped_at(F f, const std::tuple<placed<Places>...>& arrays, std::index_sequence<I...>) {
  return mapped_elements<F, Places...>(std::move(f), std::get<I>(arrays)...);
}

/// What a function returns for arguments of which some are computed.
template <class F, class... Arguments>
auto compose(F f, const Arguments&... arguments) {
  constexpr std::size_t arrays = (Arguments::function::takes + ...);
  constexpr bool fits = arrays <= most_mapped_arrays;
  static_assert(fits, "onefold: a function of computed elements takes those of up to three arrays in all");
  if constexpr (fits)
    return mapped_at(composed<F, typename Arguments::function...>(std::move(f), arguments.inner...),
                     std::tuple_cat(arguments.arrays...), std::make_index_sequence<arrays>{});
  else  // a stand-in, of a type that depends on F, since the class is not defined yet
    return mapped_elements<std::conditional_t<fits, F, given_element>, const double*>({}, placed<const double*>{});
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
