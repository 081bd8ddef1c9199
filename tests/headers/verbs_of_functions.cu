// Verbs that compute elements, in a .cu file: their functions are compiled for the device, too.
#include <complex>
#include <vector>

#include "onefold/complex_vectors.hpp"
#include "onefold/cuda.cuh"
#include "onefold/onefold.hpp"

struct square {
  __host__ __device__ double operator()(double a) const { return a * a; }
};

double f(const std::vector<double>& x, const std::vector<float>& y) {
  return onefold::dot(x, x) + onefold::dot(x, y) + onefold::dot(y, y) + onefold::norm1(x) + onefold::norm_inf(y) +
         onefold::cosine_similarity(x, y) + onefold::distance(x, x) + onefold::weighted_mean(x, y) +
         onefold::geometric_mean(x) + onefold::skewness(y) + onefold::covariance(x, y) + onefold::correlation(x, x) +
         onefold::sum(x, square{}) + onefold::sum(onefold::mapped(square{}, onefold::mapped(square{}, x))) +
         onefold::logsumexp(y) + onefold::dot({1.0, 2.0}, {3.0, 4.0}) + onefold::sum({1.0, 2.0});
}

double of_complex(const std::vector<std::complex<double>>& x, const std::vector<std::complex<float>>& y) {
  return onefold::dot(x, x).real() + onefold::dot(x, y).imag() + onefold::norm1(x) + onefold::norm_inf(y);
}

std::size_t g(const std::vector<double>& x) {
  return onefold::histogram(x, {0, 5, 10}).counts.size() +
         onefold::histogram(x, {.low = 0, .high = 10, .count = 5}).counts.size();
}
