// tbb::parallel_deterministic_reduce: as parallel_reduce, but always split in the same places.
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>

#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

struct tbb_deterministic {
  static constexpr const char* name = "tbb::parallel_deterministic_reduce";
  static constexpr runtime needs = runtime::tbb;
  using range = tbb::blocked_range<std::int64_t>;
  // Its default splits down to single elements; 64 KiB a task is as fast as larger ones from 256 KB up.
  template <class T>
  static range all(std::int64_t n) {
    return range(0, n, (64 << 10) / sizeof(T));
  }
  template <class T>
  static total<T> sum(const T* p, std::int64_t n, int) {
    const auto loop = [p](const range& r, total<T> s) {
      for (std::int64_t i = r.begin(); i < r.end(); ++i) s += p[i];
      return s;
    };
    return tbb::parallel_deterministic_reduce(all<T>(n), total<T>{}, loop,
                                              [](total<T> a, total<T> b) { return a + b; });
  }
  template <class T>
  static T max(const T* p, std::int64_t n, int) {
    const auto loop = [p](const range& r, T m) {
      for (std::int64_t i = r.begin(); i < r.end(); ++i) m = std::max(m, p[i]);
      return m;
    };
    return tbb::parallel_deterministic_reduce(all<T>(n), *p, loop, [](T a, T b) { return std::max(a, b); });
  }
};

ONEFOLD_BENCH_PEER(tbb_deterministic)

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
