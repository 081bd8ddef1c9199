// The catalog's scans over one element type, compiled once per instruction-set level, as fold.cpp.
//
// Those that have a verb are compiled for every level, over packs where such are folded at all; the others for the
// lowest one. Their bits are the same.
#include "kinds.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/scan/make_scan.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {
namespace {

struct scans {
  using record = scan_recipe;
  template <class Op, class T, accuracy A>
  static constexpr bool has = (ONEFOLD_FINISHES || Op::has_scan_verb) && !adds_exactly<fold_of<Op, T, A>>;
  template <class Op, class T, accuracy A>
  static constexpr scan_recipe make() {
    constexpr entry first = first_like<Op, T, A>;
    return make_scan_recipe < fold_of<Op, T, A>, T, results<Op, T>, Op::has_scan_verb && level_folds_many,
           finish_at < level::ONEFOLD_LOWEST_LEVEL, first.operation, first.mode, dtype_of < T >>> ();
  }
};

}  // namespace
}  // namespace ONEFOLD_LEVEL

template <>
const scan_table& scan_instances<ONEFOLD_ELEMENT, level::ONEFOLD_LEVEL>() {
  return table_of<scans, ONEFOLD_ELEMENT>;
}

}  // namespace onefold::detail
