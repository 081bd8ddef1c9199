// Eigen: sum() and maxCoeff() of a mapped array.
#include <Eigen/Core>

#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

struct eigen {
  static constexpr const char* name = "Eigen";
  static constexpr runtime needs = runtime::none;
  template <class T>
  using array = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>;
  template <class T>
  static total<T> sum(const T* p, std::int64_t n, int) {
    return array<T>(p, n).template cast<total<T>>().sum();
  }
  template <class T>
  static T max(const T* p, std::int64_t n, int) {
    return array<T>(p, n).maxCoeff();
  }
};

ONEFOLD_BENCH_PEER(eigen)

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
