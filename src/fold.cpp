// The catalogue's folds over one element type, compiled once per instruction-set level.
//
// The build defines ONEFOLD_LEVEL (the level's name, part of every symbol) and ONEFOLD_ELEMENT (the type).
#include "instances.hpp"

#include "onefold/catalog.hpp"
#include "onefold/detail/make_recipe.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {
namespace {

template <class Op, class T>
using results = pick_type<!Op::rounded, type_list<result_of<Op, T>>,
                          pick_type<is_float<T>, type_list<result_of<Op, T>, float, double, f16, bf16>,
                                    type_list<result_of<Op, T>, float, double>>>;

template <class Op, class T, accuracy A>
constexpr recipe instance() {
  return make_recipe<typename Op::template fold<T, A>, T, results<Op, T>>(Op::name, Op::empty_allowed);
}

template <class T, class... Ops>
constexpr recipe_table table_of(type_list<Ops...>) {
  recipe_table t{};
  int i = 0;
  const auto row = [&]<class Op>() {
    if constexpr (catalogued<Op, T>)
      for_each_accuracy<Op, T>(
          [&]<class, class, accuracy A>() { t.rows[i][static_cast<int>(A)] = instance<Op, T, A>(); });
    ++i;
  };
  (row.template operator()<Ops>(), ...);
  return t;
}

constinit const recipe_table table = table_of<ONEFOLD_ELEMENT>(operations{});

}  // namespace
}  // namespace ONEFOLD_LEVEL

template <>
const recipe_table& instances<ONEFOLD_ELEMENT, level::ONEFOLD_LEVEL>() {
  return table;
}

}  // namespace onefold::detail
