// The catalog's folds over one element type, compiled once per instruction-set level.
//
// The build defines ONEFOLD_LEVEL (the level's name, part of every symbol), ONEFOLD_ELEMENT (the type),
// ONEFOLD_LOWEST_LEVEL (the lowest level that is built) and ONEFOLD_FINISHES (whether it is this one).
#include "instances.hpp"

#include <type_traits>

#include "kinds.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/make_recipe.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {
namespace {

struct recipes {
  using record = recipe;
  template <class Op, class T, accuracy A>
  static constexpr bool has = true;
  template <class Op, class T, accuracy A>
  static constexpr recipe make() {
    constexpr entry first = first_like<Op, T, A>;
    return make_recipe<fold_of<Op, T, A>, T, results<Op, T>,
                       finish_at<level::ONEFOLD_LOWEST_LEVEL, first.operation, first.mode, dtype_of<T>>>(
        Op::name, Op::empty_allowed);
  }
};

}  // namespace
}  // namespace ONEFOLD_LEVEL

#if ONEFOLD_FINISHES
template <int I, class First, class... Rest>
auto operation_at(type_list<First, Rest...>) {
  if constexpr (I == 0)
    return std::type_identity<First>{};
  else
    return operation_at<I - 1>(type_list<Rest...>{});
}

template <class Level, int Operation, accuracy Accuracy, dtype Element>
const char* finish_at(const void* op, const void* state, std::int64_t n, const void* init, dtype result_type,
                      void* result, void* room) {
  using T = ONEFOLD_ELEMENT;
  using Op = typename decltype(operation_at<Operation>(operations{}))::type;
  return recipe_functions<fold_of<Op, T, Accuracy>, T, results<Op, T>>::finish(op, state, n, init, result_type, result,
                                                                               room);
}
#endif

template <>
const recipe_table& instances<ONEFOLD_ELEMENT, level::ONEFOLD_LEVEL>() {
  return table_of<recipes, ONEFOLD_ELEMENT>;
}

}  // namespace onefold::detail
