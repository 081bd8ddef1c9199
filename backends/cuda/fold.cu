// The catalogue's folds over one element type for the device. The build defines ONEFOLD_ELEMENT.
#include "instances.hpp"
#include "ladder/ladder.cuh"
#include "onefold/catalog.hpp"
#include "onefold/detail/folds.hpp"
#include "strategies.cuh"

namespace onefold::cuda {
namespace {

template <class Op, class T, accuracy A>
constexpr device_fold instance() {
  using F = detail::kernel_t<detail::fold_of<Op, T, A>>;
  return detail::make_device_fold<F, T, ladder<F, T>>();
}

template <class T, class... Ops>
constexpr fold_table table_of(type_list<Ops...>) {
  fold_table t{};
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

constinit const fold_table table = table_of<ONEFOLD_ELEMENT>(operations{});

}  // namespace

template <>
const fold_table& folds_over<ONEFOLD_ELEMENT>() {
  return table;
}

}  // namespace onefold::cuda
