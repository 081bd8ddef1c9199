// The catalogue's folds over one element type for the device. The build defines ONEFOLD_ELEMENT.
#include "instances.hpp"
#include "kernels/ladder.cuh"
#include "onefold/catalog.hpp"
#include "onefold/detail/cuda/make_device_fold.cuh"

namespace onefold::cuda {
namespace {

template <class Op, class T, accuracy A>
constexpr device_fold instance() {
  if constexpr (catalogued<Op, T>) {
    if constexpr (Op::template declines<T>(A) == nullptr) {
      using F = typename detail::kernel_of<typename Op::template fold<T, A>>::type;
      return detail::make_device_fold<F, T, ladder<F, T>>();
    }
  }
  return {};
}

template <class T, class... Ops>
constexpr fold_table table_of(type_list<Ops...>) {
  fold_table t{};
  int i = 0;
  ((t.rows[i][0] = instance<Ops, T, accuracy::native>(), t.rows[i][1] = instance<Ops, T, accuracy::wide>(),
    t.rows[i][2] = instance<Ops, T, accuracy::kahan>(), t.rows[i][3] = instance<Ops, T, accuracy::exact>(), ++i),
   ...);
  return t;
}

constinit const fold_table table = table_of<ONEFOLD_ELEMENT>(operations{});

}  // namespace

template <>
const fold_table& folds_over<ONEFOLD_ELEMENT>() {
  return table;
}

}  // namespace onefold::cuda
