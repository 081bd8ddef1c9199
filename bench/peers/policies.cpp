// std::reduce with an execution policy: seq, unseq (SIMD by OpenMP pragmas), par_unseq (TBB's threads too).
#include <algorithm>
#include <execution>
#include <numeric>

#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

template <const auto& policy>
struct with_policy {
  template <class T>
  static total<T> sum(const T* p, std::int64_t n, int) {
    return std::reduce(policy, p, p + n, total<T>{});
  }
  template <class T>
  static T max(const T* p, std::int64_t n, int) {
    return std::reduce(policy, p, p + n, *p, [](T a, T b) { return std::max(a, b); });
  }
};

struct seq : with_policy<std::execution::seq> {
  static constexpr const char* name = "std::reduce(seq)";
  static constexpr runtime needs = runtime::none;
};
struct unseq : with_policy<std::execution::unseq> {
  static constexpr const char* name = "std::reduce(unseq)";
  static constexpr runtime needs = runtime::none;
};
struct par_unseq : with_policy<std::execution::par_unseq> {
  static constexpr const char* name = "std::reduce(par_unseq)";
  static constexpr runtime needs = runtime::tbb;
};

ONEFOLD_BENCH_PEER(seq)
ONEFOLD_BENCH_PEER(unseq)
ONEFOLD_BENCH_PEER(par_unseq)

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
