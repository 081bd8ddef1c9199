// Thrust's sequential system: reduce with its policy.
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/system/cpp/execution_policy.h>

#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

struct thrust_cpp {
  static constexpr const char* name = "Thrust (CPP)";
  static constexpr runtime needs = runtime::none;
  template <class T>
  static total<T> sum(const T* p, std::int64_t n, int) {
    return thrust::reduce(thrust::cpp::par, p, p + n, total<T>{}, thrust::plus<total<T>>());
  }
  template <class T>
  static T max(const T* p, std::int64_t n, int) {
    return thrust::reduce(thrust::cpp::par, p, p + n, *p, thrust::maximum<T>());
  }
};

ONEFOLD_BENCH_PEER(thrust_cpp)

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
