// Exact sums of elements that the kernel computes.
#pragma once

#include "exact/sums.cuh"
#include "onefold/detail/cuda/map_fold.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

template <class Adder, class T, class F, class... X>
__global__ void __launch_bounds__(32 * Adder::warps, exact_blocks)
    fold_computed_exactly(const __grid_constant__ exact_arguments<T, typename Adder::total> a,
                          const __grid_constant__ computed_elements<F, T, X...> elements, const bool aligned) {
  fold_exact_of<Adder>(a, elements, aligned);
}

/// mapped_fold::launch of the exact sum of the Ts that F returns for elements X.
template <class T, class F, class... X>
int launch_computed_exactly(const device_launch& how, const map_launch& from) {
  const auto elements = first_computed<T, F, X...>(from, true);
  return with_exact_adder<superaccumulator, T>(how, [&]<class Adder>() {
    return launch_exact_by<Adder>(how, fold_computed_exactly<Adder, T, F, X...>, elements, elements.begin_at_words());
  });
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
