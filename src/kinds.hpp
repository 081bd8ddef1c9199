// The entries of the catalogue over one element type, as the files see them that are compiled once per level: which of
// them share their functions.
#pragma once

#include <type_traits>

#include "instances.hpp"
#include "onefold/detail/folds.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The types of results that an entry can give, its own first.
template <class Op, class T>
using results =
    std::conditional_t<!Op::rounded, type_list<element_result<Op, T>>,
                       std::conditional_t<is_float<T>, type_list<element_result<Op, T>, float, double, f16, bf16>,
                                          type_list<element_result<Op, T>, float, double>>>;

/// A fold and its results: entries of the catalogue that have the same share their functions.
template <class F, class Results>
struct kind;

template <class Op, class T, accuracy A>
constexpr auto kind_of() {
  if constexpr (!catalogued<Op, T>)
    return std::type_identity<void>{};
  else if constexpr (Op::template declines<T>(A) != nullptr)
    return std::type_identity<void>{};
  else
    return std::type_identity<kind<fold_of<Op, T, A>, results<Op, T>>>{};
}

/// An entry of the catalogue over T.
struct entry {
  int operation;
  accuracy mode;
  friend constexpr bool operator==(const entry&, const entry&) = default;
};

/// The first entry of this kind. By types: a sanitizer takes from the compiler what it knows of addresses.
template <class Kind, class T, class... Ops>
constexpr entry first_of_kind(type_list<Ops...>) {
  int i = 0;
  const auto found = [&]<class Op, int... A>(std::integer_sequence<int, A...>) {
    return ((__is_same(decltype(kind_of<Op, T, static_cast<accuracy>(A)>()), Kind) || (++i, false)) || ...);
  };
  static_cast<void>((found.template operator()<Ops>(std::make_integer_sequence<int, accuracy_count>{}) || ...));
  return {i / accuracy_count, static_cast<accuracy>(i % accuracy_count)};
}
template <class Op, class T, accuracy A>
constexpr entry first_like = first_of_kind<decltype(kind_of<Op, T, A>()), T>(operations{});

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
