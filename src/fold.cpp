// The catalogue's folds over one element type, compiled once per instruction-set level.
//
// The build defines ONEFOLD_LEVEL (the level's name, part of every symbol), ONEFOLD_ELEMENT (the type),
// ONEFOLD_LOWEST_LEVEL (the lowest level that is built) and ONEFOLD_FINISHES (whether it is this one).
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

template <class F, class Results>
inline constexpr char tag{};

/// What tells the folds of T apart, of every operation and accuracy; null: there is none.
template <class T>
constexpr auto tags = [] {
  struct {
    const char* of[operations::size][accuracy_count];
  } t{};
  for_each_type(operations{}, [&]<class Op>() {
    if constexpr (catalogued<Op, T>)
      for_each_accuracy<Op, T>([&]<class, class, accuracy A>() {
        t.of[operation_index<Op>][static_cast<int>(A)] = &tag<typename Op::template fold<T, A>, results<Op, T>>;
      });
  });
  return t;
}();

/// The first entry with the same fold: they share their functions.
struct entry {
  int operation;
  accuracy mode;
};
template <class T>
constexpr entry first_like(int operation, accuracy mode) {
  const char* const mine = tags<T>.of[operation][static_cast<int>(mode)];
  for (int i = 0;; ++i)
    for (int a = 0; a < accuracy_count; ++a)
      if (tags<T>.of[i][a] == mine) return {i, static_cast<accuracy>(a)};
}

template <class Op, class T, accuracy A>
constexpr recipe instance() {
  constexpr entry first = first_like<T>(operation_index<Op>, A);
  return make_recipe<typename Op::template fold<T, A>, T, results<Op, T>,
                     finish_at<level::ONEFOLD_LOWEST_LEVEL, first.operation, first.mode, dtype_of<T>>>(
      Op::name, Op::empty_allowed);
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
  return recipe_functions<typename Op::template fold<T, Accuracy>, T, results<Op, T>>::finish(
      op, state, n, init, result_type, result, room);
}
#endif

template <>
const recipe_table& instances<ONEFOLD_ELEMENT, level::ONEFOLD_LEVEL>() {
  return table;
}

}  // namespace onefold::detail
