// std::reduce: the standard library may reorder, and adds four at a time.
#include <algorithm>
#include <numeric>

#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

struct reduce {
  static constexpr const char* name = "std::reduce";
  static constexpr runtime needs = runtime::none;
  template <class T>
  static total<T> sum(const T* p, std::int64_t n, int) {
    return std::reduce(p, p + n, total<T>{});
  }
  template <class T>
  static T max(const T* p, std::int64_t n, int) {
    return std::reduce(p, p + n, *p, [](T a, T b) { return std::max(a, b); });
  }
};

ONEFOLD_BENCH_PEER(reduce)

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
