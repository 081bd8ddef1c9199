// The elementary functions over arrays, compiled for one instruction-set level: as scalars and as packs of each width.
#include <iterator>

#include "functions.hpp"
#include "onefold/math.hpp"

namespace {

#define ONEFOLD_MATH_CALL(f)          \
  struct call_##f {                   \
    template <class V>                \
    ONEFOLD_INLINE static V of(V x) { \
      return onefold::f(x);           \
    }                                 \
  };
ONEFOLD_MATH_FUNCTIONS(ONEFOLD_MATH_CALL)
#undef ONEFOLD_MATH_CALL

template <class F, class T, int Width>
void run(const void* in, void* out, std::int64_t n) {
  using V = onefold::detail::pack<T, Width>;
  const T* p = static_cast<const T*>(in);
  T* q = static_cast<T*>(out);
  for (std::int64_t i = 0; i < n; i += Width) {
    V x;
    __builtin_memcpy(&x, p + i, sizeof x);
    x = F::of(x);
    __builtin_memcpy(q + i, &x, sizeof x);
  }
}

#define ONEFOLD_MATH_KERNELS(f)                                                                                  \
  {#f, 4, 1, run<call_##f, float, 1>}, {#f, 4, 2, run<call_##f, float, 2>}, {#f, 4, 4, run<call_##f, float, 4>}, \
      {#f, 4, 8, run<call_##f, float, 8>}, {#f, 4, 16, run<call_##f, float, 16>},                                \
      {#f, 8, 1, run<call_##f, double, 1>}, {#f, 8, 2, run<call_##f, double, 2>},                                \
      {#f, 8, 4, run<call_##f, double, 4>}, {#f, 8, 8, run<call_##f, double, 8>},
constexpr math::kernel kernels[] = {ONEFOLD_MATH_FUNCTIONS(ONEFOLD_MATH_KERNELS)};
#undef ONEFOLD_MATH_KERNELS

}  // namespace

std::span<const math::kernel> ONEFOLD_MATH_KERNELS_OF_LEVEL() { return kernels; }
