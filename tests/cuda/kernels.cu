// Operations with each way to the kernels of shapes, and functions of elements; kernels.sh looks for what nvcc makes of
// them.
#include <span>

#include "onefold/catalog.hpp"
#include "onefold/detail/folds.hpp"
#include "strategies.cuh"

#include "onefold/map_reduce.hpp"

#include "onefold/cuda.cuh"  // after them: its verbs must not hide what device code calls
#include "support/custom_operations.hpp"

namespace {

template <class Op>
using fold = onefold::detail::kernel_t<onefold::detail::fold_of<Op, float, onefold::accuracy::native>>;

}  // namespace

extern const onefold::device_fold strips, search;
constinit const onefold::device_fold strips = onefold::detail::make_device_fold<fold<onefold::op::sum>, float>();
constinit const onefold::device_fold search = onefold::detail::make_device_fold<fold<onefold::op::argmax>, float>();

float custom(const float* x, std::size_t n) { return onefold::reduce<float, support::absolute_sum>(std::span(x, n)); }

struct twice {
  constexpr float operator()(float x) const { return 2 * x; }
};
float computed(const float* x, std::size_t n) {
  return onefold::map_reduce<onefold::op::sum>(twice{}, std::span(x, n)) +
         onefold::map_reduce<onefold::op::sum>([] __host__ __device__(float y) { return 3 * y; }, std::span(x, n));
}
