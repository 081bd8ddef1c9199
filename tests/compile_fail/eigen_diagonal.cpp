// A diagonal, whose stride Eigen reports wrongly.
// says: onefold: Eigen does not report the right strides of a diagonal or a reshaped array unless the inner stride is 1
#include "onefold/eigen.hpp"
#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using matrix = Eigen::Map<const Eigen::MatrixXf, 0, Eigen::InnerStride<>>;
#else
using matrix = Eigen::Map<const Eigen::MatrixXf>;
#endif

float f(const matrix& m) { return onefold::sum(m.diagonal().tail(2)); }
