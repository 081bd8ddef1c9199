// A Ref of const that ends before the view does: it may have a copy of the elements.
// says: onefold: this array is a temporary, and a view would outlive it: give it a name
#include "onefold/eigen.hpp"
#include "onefold/onefold.hpp"

using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

auto f(const Eigen::MatrixXf& m) {
#ifdef ONEFOLD_MISTAKE
  return onefold::reduce<float, onefold::op::max>(Eigen::Ref<const matrix>(m), {.axes = 0});
#else
  const Eigen::Ref<const matrix> in_rows(m);
  return onefold::reduce<float, onefold::op::max>(in_rows, {.axes = 0});
#endif
}
