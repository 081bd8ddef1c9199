// Eigen: sum() and maxCoeff() of a mapped array, its rowwise() and colwise() sums, and its operations of vectors.
#include <Eigen/Core>
#include <cmath>

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

template <class T>
using vector = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>;
template <class T>
double dot(const void* p, std::int64_t n, int) {
  const vector<T> x(static_cast<const T*>(p), n);
  return x.head(n / 2).dot(x.tail(n / 2));
}
template <class T>
double distance(const void* p, std::int64_t n, int) {
  const vector<T> x(static_cast<const T*>(p), n);
  return (x.head(n / 2) - x.tail(n / 2)).norm();
}
template <class T>
double cosine(const void* p, std::int64_t n, int) {
  const vector<T> x(static_cast<const T*>(p), n);
  return x.head(n / 2).dot(x.tail(n / 2)) / (x.head(n / 2).norm() * x.tail(n / 2).norm());
}
template <class T>
double weighted_mean(const void* p, std::int64_t n, int) {
  const vector<T> x(static_cast<const T*>(p), n);
  return x.head(n / 2).dot(x.tail(n / 2)) / x.tail(n / 2).sum();
}
template <class T>
double covariance(const void* p, std::int64_t n, int) {
  const eigen::array<T> x(static_cast<const T*>(p), n);
  const auto u = x.head(n / 2), v = x.tail(n / 2);
  const T mx = u.mean(), my = v.mean();
  return ((u - mx) * (v - my)).mean();
}
template <class T>
double correlation(const void* p, std::int64_t n, int) {
  const eigen::array<T> x(static_cast<const T*>(p), n);
  const auto u = x.head(n / 2), v = x.tail(n / 2);
  const T mx = u.mean(), my = v.mean();
  return ((u - mx) * (v - my)).mean() / std::sqrt((u - mx).square().mean() * (v - my).square().mean());
}
template <class T>
double norm_inf(const void* p, std::int64_t n, int) {
  return vector<T>(static_cast<const T*>(p), n).template lpNorm<Eigen::Infinity>();
}
template <class T>
double ptp(const void* p, std::int64_t n, int) {
  const vector<T> x(static_cast<const T*>(p), n);
  return x.maxCoeff() - x.minCoeff();
}
template <class T>
double summary(const void* p, std::int64_t n, int) {
  const eigen::array<T> x(static_cast<const T*>(p), n);
  const T mean = x.mean();
  return x.minCoeff() + 2 * double{x.maxCoeff()} + double{mean} + double{(x - mean).square().mean()};
}
template <class T>
double harmonic_mean(const void* p, std::int64_t n, int) {
  return 1 / double{eigen::array<T>(static_cast<const T*>(p), n).inverse().mean()};
}
template <class T>
double squares(const void* p, std::int64_t n, int) {
  return vector<T>(static_cast<const T*>(p), n).squaredNorm();
}
template <class T>
double norm1(const void* p, std::int64_t n, int) {
  return vector<T>(static_cast<const T*>(p), n).template lpNorm<1>();
}
template <class T>
double geometric_mean(const void* p, std::int64_t n, int) {
  return std::exp(vector<T>(static_cast<const T*>(p), n).array().log().mean());
}
template <class T>
double skewness(const void* p, std::int64_t n, int) {
  const eigen::array<T> x(static_cast<const T*>(p), n);
  const T mean = x.mean();
  return (x - mean).cube().mean() / std::pow(double{(x - mean).square().mean()}, 1.5);
}
template <class T>
double excess_kurtosis(const void* p, std::int64_t n, int) {
  const eigen::array<T> x(static_cast<const T*>(p), n);
  const T mean = x.mean(), second = (x - mean).square().mean();
  return double{(x - mean).square().square().mean()} / (double{second} * second) - 3;
}

template <class T>
bool list_operations() {
  const auto list = [](const char* row, double (*run)(const void*, std::int64_t, int)) {
    listed().push_back({row, type_name<T>, eigen::name, eigen::needs, run});
  };
  list("dot", dot<T>);
  list("exact_dot", dot<T>);
  list("distance", distance<T>);
  list("cosine", cosine<T>);
  list("weighted_mean", weighted_mean<T>);
  list("covariance", covariance<T>);
  list("correlation", correlation<T>);
  list("norm_inf", norm_inf<T>);
  list("ptp", ptp<T>);
  list("summary", summary<T>);
  list("harmonic_mean", harmonic_mean<T>);
  list("squares", squares<T>);
  list("norm1", norm1<T>);
  list("geometric_mean", geometric_mean<T>);
  list("skewness", skewness<T>);
  list("excess_kurtosis", excess_kurtosis<T>);
  return true;
}
[[maybe_unused]] const bool are_listed = list_operations<float>() && list_operations<double>();

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
