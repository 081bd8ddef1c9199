// The catalogue's folds over one element type, compiled once per instruction-set level.
//
// The build defines ONEFOLD_LEVEL (the level's name, part of every symbol), ONEFOLD_ELEMENT (the type),
// ONEFOLD_LOWEST_LEVEL (the lowest level that is built) and ONEFOLD_FINISHES (whether it is this one).
#include "instances.hpp"

#include <type_traits>

#include "onefold/catalog.hpp"
#include "onefold/detail/folds.hpp"
#include "onefold/detail/make_recipe.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {
namespace {

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

template <class Op, class T, accuracy A>
constexpr recipe instance() {
  constexpr entry first = first_like<Op, T, A>;
  return make_recipe<fold_of<Op, T, A>, T, results<Op, T>,
                     finish_at<level::ONEFOLD_LOWEST_LEVEL, first.operation, first.mode, dtype_of<T>>>(
      Op::name, Op::empty_allowed);
}

/// The recipes without those that repeat the one of a lower accuracy.
struct recipes {
  recipe list[operations::size * accuracy_count];
  int count;
  unsigned char place[operations::size][accuracy_count];
};
template <class T>
constexpr recipes collected = [] {
  recipes all{};
  for (auto& row : all.place)
    for (auto& place : row) place = recipe_table::none;
  for_each_type(operations{}, [&]<class Op>() {
    [[maybe_unused]] entry first[accuracy_count]{};
    if constexpr (catalogued<Op, T>)
      for_each_accuracy<Op, T>([&]<class, class, accuracy A>() {
        constexpr int o = operation_index<Op>, a = static_cast<int>(A);
        first[a] = first_like<Op, T, A>;
        for (int lower = 0; lower < a; ++lower)
          if (all.place[o][lower] != recipe_table::none && first[lower] == first[a]) {
            all.place[o][a] = all.place[o][lower];
            return;
          }
        all.list[all.count] = instance<Op, T, A>();
        all.place[o][a] = static_cast<unsigned char>(all.count++);
      });
  });
  return all;
}();

struct entries {
  recipe list[collected<ONEFOLD_ELEMENT>.count];
};
constinit const entries list = [] {
  entries e{};
  for (int i = 0; i < collected<ONEFOLD_ELEMENT>.count; ++i) e.list[i] = collected<ONEFOLD_ELEMENT>.list[i];
  return e;
}();

constinit const recipe_table table = [] {
  recipe_table t{};
  t.recipes = list.list;
  for (int o = 0; o < operations::size; ++o)
    for (int a = 0; a < accuracy_count; ++a) t.place[o][a] = collected<ONEFOLD_ELEMENT>.place[o][a];
  return t;
}();

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
  return table;
}

}  // namespace onefold::detail
