// Thrust on OpenMP: reduce with the policy of that system.
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/system/omp/execution_policy.h>

#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

struct thrust_omp {
  static constexpr const char* name = "Thrust (OpenMP)";
  static constexpr runtime needs = runtime::openmp;
  template <class T>
  static total<T> sum(const T* p, std::int64_t n, int) {
    return thrust::reduce(thrust::omp::par, p, p + n, total<T>{}, thrust::plus<total<T>>());
  }
  template <class T>
  static T max(const T* p, std::int64_t n, int) {
    return thrust::reduce(thrust::omp::par, p, p + n, *p, thrust::maximum<T>());
  }
};

ONEFOLD_BENCH_PEER(thrust_omp)

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
