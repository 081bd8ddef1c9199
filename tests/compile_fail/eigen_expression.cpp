// Elements that Eigen calculates when they are read.
// says: onefold: the elements of this Eigen expression are not in memory at strides: evaluate it into a
#include "onefold/eigen.hpp"
#include "onefold/onefold.hpp"

auto f(const Eigen::MatrixXf& m) {
#ifdef ONEFOLD_MISTAKE
  return onefold::sum(m + m, 0);
#else
  const Eigen::MatrixXf twice = m + m;
  return onefold::sum(twice, 0);
#endif
}
