// The entries of the catalog over one element type, as the files see them that are compiled once per level: which of
// them share their functions, and the tables of what is made for them.
#pragma once

#include <type_traits>

#include "instances.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/folds.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The types of results that an entry can give, its own first.
template <class Op, class T>
using results =
    std::conditional_t<!Op::rounded, type_list<element_result<Op, T>>,
                       std::conditional_t<is_float<T>, type_list<element_result<Op, T>, float, double, f16, bf16>,
                                          type_list<element_result<Op, T>, float, double>>>;

/// A fold and its results: entries of the catalog that have the same share their functions.
template <class F, class Results>
struct kind;

template <class Op, class T, accuracy A>
constexpr auto kind_of() {
  if constexpr (!cataloged<Op, T>)
    return std::type_identity<void>{};
  else if constexpr (Op::template declines<T>(A) != nullptr)
    return std::type_identity<void>{};
  else
    return std::type_identity<kind<fold_of<Op, T, A>, results<Op, T>>>{};
}

/// An entry of the catalog over T.
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

/// Records of the entries over T, without those that repeat the one of a lower accuracy.
template <class Record>
struct collection {
  Record list[operations::size * accuracy_count];
  int count;
  unsigned char place[operations::size][accuracy_count];
};
/// Those that a Maker makes: it has their type, `record`, says by has<Op, T, A> which entries have one, and makes it by
/// make<Op, T, A>().
template <class Maker, class T>
constexpr collection<typename Maker::record> collected = [] {
  constexpr unsigned char none = entry_table<typename Maker::record>::none;
  collection<typename Maker::record> all{};
  for (auto& row : all.place)
    for (auto& place : row) place = none;
  for_each_type(operations{}, [&]<class Op>() {
    [[maybe_unused]] entry first[accuracy_count]{};
    if constexpr (cataloged<Op, T>)
      for_each_accuracy<Op, T>([&]<class, class, accuracy A>() {
        if constexpr (Maker::template has<Op, T, A>) {
          constexpr int o = operation_index<Op>, a = static_cast<int>(A);
          first[a] = first_like<Op, T, A>;
          for (int lower = 0; lower < a; ++lower)
            if (all.place[o][lower] != none && first[lower] == first[a]) {
              all.place[o][a] = all.place[o][lower];
              return;
            }
          all.list[all.count] = Maker::template make<Op, T, A>();
          all.place[o][a] = static_cast<unsigned char>(all.count++);
        }
      });
  });
  return all;
}();

/// The same in no more memory than they take.
template <class Maker, class T>
struct listed {
  typename Maker::record list[collected<Maker, T>.count];
};
template <class Maker, class T>
constinit const listed<Maker, T> records = [] {
  listed<Maker, T> r{};
  for (int i = 0; i < collected<Maker, T>.count; ++i) r.list[i] = collected<Maker, T>.list[i];
  return r;
}();

template <class Maker, class T>
constinit const entry_table<typename Maker::record> table_of = [] {
  entry_table<typename Maker::record> t{};
  t.records = records<Maker, T>.list;
  for (int o = 0; o < operations::size; ++o)
    for (int a = 0; a < accuracy_count; ++a) t.place[o][a] = collected<Maker, T>.place[o][a];
  return t;
}();

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
