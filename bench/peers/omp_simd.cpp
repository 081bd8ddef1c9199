// omp parallel for simd reduction: the loop that OpenMP programs have.

#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

struct omp_simd {
  static constexpr const char* name = "omp simd";
  static constexpr runtime needs = runtime::openmp;
  template <class T>
  static total<T> sum(const T* p, std::int64_t n, int threads) {
    total<T> s{};
#pragma omp parallel for simd schedule(static) num_threads(threads) reduction(+ : s)
    for (std::int64_t i = 0; i < n; ++i) s += p[i];
    return s;
  }
  template <class T>
  static T max(const T* p, std::int64_t n, int threads) {
    T m = *p;
#pragma omp parallel for simd schedule(static) num_threads(threads) reduction(max : m)
    for (std::int64_t i = 0; i < n; ++i) m = p[i] > m ? p[i] : m;
    return m;
  }
};

ONEFOLD_BENCH_PEER(omp_simd)

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
