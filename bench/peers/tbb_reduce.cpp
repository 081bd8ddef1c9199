// tbb::parallel_reduce: a loop for a range, ranges split and stolen.
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>

#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

struct tbb_reduce {
  static constexpr const char* name = "tbb::parallel_reduce";
  static constexpr runtime needs = runtime::tbb;
  using range = tbb::blocked_range<std::int64_t>;
  template <class T>
  static total<T> sum(const T* p, std::int64_t n, int) {
    const auto loop = [p](const range& r, total<T> s) {
      for (std::int64_t i = r.begin(); i < r.end(); ++i) s += p[i];
      return s;
    };
    return tbb::parallel_reduce(range(0, n), total<T>{}, loop, [](total<T> a, total<T> b) { return a + b; });
  }
  template <class T>
  static T max(const T* p, std::int64_t n, int) {
    const auto loop = [p](const range& r, T m) {
      for (std::int64_t i = r.begin(); i < r.end(); ++i) m = std::max(m, p[i]);
      return m;
    };
    return tbb::parallel_reduce(range(0, n), *p, loop, [](T a, T b) { return std::max(a, b); });
  }
};

ONEFOLD_BENCH_PEER(tbb_reduce)

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
