// The catalogue's scans over one element type, compiled once per instruction-set level, as fold.cpp.
//
// Those that have a verb are compiled for every level, over packs where such are folded at all; the others for the
// lowest one. Their bits are the same.
#include "kinds.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/scan/make_scan.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {
namespace {

template <class Op, class T, accuracy A>
constexpr scan_recipe instance() {
  constexpr entry first = first_like<Op, T, A>;
  return make_scan_recipe < fold_of<Op, T, A>, T, results<Op, T>, Op::has_scan_verb && level_folds_many,
         finish_at < level::ONEFOLD_LOWEST_LEVEL, first.operation, first.mode, dtype_of < T >>> ();
}

/// The scan recipes without those that repeat the one of a lower accuracy.
struct scans {
  scan_recipe list[operations::size * accuracy_count];
  int count;
  unsigned char place[operations::size][accuracy_count];
};
template <class T>
constexpr scans collected = [] {
  scans all{};
  for (auto& row : all.place)
    for (auto& place : row) place = scan_table::none;
  for_each_type(operations{}, [&]<class Op>() {
    [[maybe_unused]] entry first[accuracy_count]{};
    if constexpr (catalogued<Op, T> && (ONEFOLD_FINISHES || Op::has_scan_verb))
      for_each_accuracy<Op, T>([&]<class, class, accuracy A>() {
        if constexpr (!adds_exactly<fold_of<Op, T, A>>) {
          constexpr int o = operation_index<Op>, a = static_cast<int>(A);
          first[a] = first_like<Op, T, A>;
          for (int lower = 0; lower < a; ++lower)
            if (all.place[o][lower] != scan_table::none && first[lower] == first[a]) {
              all.place[o][a] = all.place[o][lower];
              return;
            }
          all.list[all.count] = instance<Op, T, A>();
          all.place[o][a] = static_cast<unsigned char>(all.count++);
        }
      });
  });
  return all;
}();

struct entries {
  scan_recipe list[collected<ONEFOLD_ELEMENT>.count];
};
constinit const entries list = [] {
  entries e{};
  for (int i = 0; i < collected<ONEFOLD_ELEMENT>.count; ++i) e.list[i] = collected<ONEFOLD_ELEMENT>.list[i];
  return e;
}();

constinit const scan_table table = [] {
  scan_table t{};
  t.recipes = list.list;
  for (int o = 0; o < operations::size; ++o)
    for (int a = 0; a < accuracy_count; ++a) t.place[o][a] = collected<ONEFOLD_ELEMENT>.place[o][a];
  return t;
}();

}  // namespace
}  // namespace ONEFOLD_LEVEL

template <>
const scan_table& scan_instances<ONEFOLD_ELEMENT, level::ONEFOLD_LEVEL>() {
  return table;
}

}  // namespace onefold::detail
