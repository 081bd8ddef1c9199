// A view of a matrix that ends before the view does.
// says: onefold: this array is a temporary, and a view would outlive it: give it a name
#include "onefold/eigen.hpp"
#include "onefold/onefold.hpp"

float f(const Eigen::MatrixXf& m) {
#ifdef ONEFOLD_MISTAKE
  const onefold::array_view view(Eigen::MatrixXf(m + m));
#else
  const onefold::array_view view(m);
#endif
  return onefold::sum(view);
}
