// Eigen: sum() and maxCoeff() of a mapped array, and its rowwise() and colwise() sums.
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
  template <class T>
  using matrix = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  template <class T>
  static void rows(const T* p, T* out, std::int64_t rows, std::int64_t columns) {
    Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>(out, rows) = matrix<T>(p, rows, columns).rowwise().sum();
  }
  template <class T>
  static void columns(const T* p, T* out, std::int64_t rows, std::int64_t columns) {
    Eigen::Map<Eigen::Array<T, 1, Eigen::Dynamic>>(out, columns) = matrix<T>(p, rows, columns).colwise().sum();
  }
};

ONEFOLD_BENCH_PEER(eigen)

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
