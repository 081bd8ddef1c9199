// Two loops: what a program without a library sums over axes with.
#include <algorithm>

#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

struct loops {
  static constexpr const char* name = "two loops";
  static constexpr runtime needs = runtime::none;
  template <class T>
  static void rows(const T* p, T* out, std::int64_t rows, std::int64_t columns) {
    for (std::int64_t i = 0; i < rows; ++i, p += columns) {
      T s{};
      for (std::int64_t j = 0; j < columns; ++j) s += p[j];
      out[i] = s;
    }
  }
  template <class T>
  static void columns(const T* p, T* out, std::int64_t rows, std::int64_t columns) {
    std::fill_n(out, columns, T{});
    for (std::int64_t i = 0; i < rows; ++i, p += columns)
      for (std::int64_t j = 0; j < columns; ++j) out[j] += p[j];
  }
};

ONEFOLD_BENCH_PEER(loops)

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
