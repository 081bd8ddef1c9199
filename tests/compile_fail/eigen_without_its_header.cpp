// A verb over an Eigen matrix whose header is missing.
// says: onefold: for Eigen's types, include <onefold/eigen.hpp>
#include <Eigen/Core>

#include "onefold/onefold.hpp"

auto f(const Eigen::MatrixXf& m) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(m, 0);
#else
  return onefold::sum(std::span(m.data(), 4));
#endif
}
