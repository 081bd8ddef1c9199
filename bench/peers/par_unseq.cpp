// std::reduce with the policy par_unseq: TBB threads, SIMD by OpenMP pragmas.
#include <algorithm>
#include <execution>
#include <numeric>

#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

struct par_unseq {
  static constexpr const char* name = "std::reduce(par_unseq)";
  static constexpr runtime needs = runtime::tbb;
  template <class T>
  static total<T> sum(const T* p, std::int64_t n, int) {
    return std::reduce(std::execution::par_unseq, p, p + n, total<T>{});
  }
  template <class T>
  static T max(const T* p, std::int64_t n, int) {
    return std::reduce(std::execution::par_unseq, p, p + n, *p, [](T a, T b) { return std::max(a, b); });
  }
};

ONEFOLD_BENCH_PEER(par_unseq)

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
