// xtensor: sum() over an axis of an adapted array.
#include <array>
#include <cstddef>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>

#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

struct xtensor {
  static constexpr const char* name = "xtensor";
  static constexpr runtime needs = runtime::none;
  template <class T>
  static void over(const T* p, T* out, std::int64_t rows, std::int64_t columns, std::size_t axis) {
    const std::array<std::size_t, 2> extents{static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)};
    const std::array<std::size_t, 1> results{extents[1 - axis]};
    const auto x = xt::adapt(p, extents[0] * extents[1], xt::no_ownership(), extents);
    auto y = xt::adapt(out, results[0], xt::no_ownership(), results);
    xt::noalias(y) = xt::sum<T>(x, {axis}, xt::evaluation_strategy::immediate);
  }
  template <class T>
  static void rows(const T* p, T* out, std::int64_t rows, std::int64_t columns) {
    over(p, out, rows, columns, 1);
  }
  template <class T>
  static void columns(const T* p, T* out, std::int64_t rows, std::int64_t columns) {
    over(p, out, rows, columns, 0);
  }
};

ONEFOLD_BENCH_PEER(xtensor)

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
