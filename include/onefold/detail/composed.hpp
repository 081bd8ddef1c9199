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

/// f(g(x...), h(y...), ...), of all elements that the inner functions take, one after the other.
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

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
