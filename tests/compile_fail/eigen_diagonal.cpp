// A diagonal of which Eigen tells the wrong stride.
// says: onefold: Eigen tells no right stride for a diagonal, or for what is reshaped, where the inner stride is not 1
#include "onefold/eigen.hpp"
#include "onefold/onefold.hpp"

#ifdef ONEFOLD_MISTAKE
using matrix = Eigen::Map<const Eigen::MatrixXf, 0, Eigen::InnerStride<>>;
#else
using matrix = Eigen::Map<const Eigen::MatrixXf>;
#endif

float f(const matrix& m) { return onefold::sum(m.diagonal().tail(2)); }
