// The catalog's folds over one element type for the device. The build defines ONEFOLD_ELEMENT, and
// ONEFOLD_UNSIGNED_BUILT: whether folds over the unsigned integers of its size are compiled, too.
#include "instances.hpp"
#include "ladder/ladder.cuh"
#include "onefold/catalog.hpp"
#include "onefold/detail/folds.hpp"
#include "strategies.cuh"

namespace onefold::cuda {
namespace {

/// The fold of an operation; none where only the bits of elements count, and the table of unsigned ones has it.
template <class Op, class T, accuracy A>
constexpr device_fold instance() {
  using Full = detail::fold_of<Op, T, A>;
  using E = detail::kernel_element<Full, T>;
  using F = detail::kernel_t<Full>;
  if constexpr (!__is_same(E, T) && ONEFOLD_UNSIGNED_BUILT)
    return {};
  else
    return detail::make_device_fold<F, T, ladder<F, T>>();
}

template <class T, class... Ops>
constexpr fold_table table_of(type_list<Ops...>) {
  fold_table t{};
  int i = 0;
  const auto row = [&]<class Op>() {
    if constexpr (cataloged<Op, T>)
      for_each_accuracy<Op, T>(
          [&]<class, class, accuracy A>() { t.rows[i][static_cast<int>(A)] = instance<Op, T, A>(); });
    ++i;
  };
  (row.template operator()<Ops>(), ...);
  return t;
}

constinit const fold_table table = table_of<ONEFOLD_ELEMENT>(operations{});

}  // namespace

template <>
const fold_table& folds_over<ONEFOLD_ELEMENT>() {
  return table;
}

}  // namespace onefold::cuda
