// std::accumulate: one loop from first to last.
#include <algorithm>
#include <numeric>

#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

struct accumulate {
  static constexpr const char* name = "std::accumulate";
  static constexpr runtime needs = runtime::none;
  template <class T>
  static total<T> sum(const T* p, std::int64_t n, int) {
    return std::accumulate(p, p + n, total<T>{});
  }
  template <class T>
  static T max(const T* p, std::int64_t n, int) {
    return std::accumulate(p, p + n, *p, [](T a, T b) { return std::max(a, b); });
  }
};

ONEFOLD_BENCH_PEER(accumulate)

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
