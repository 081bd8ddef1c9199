// A mask that ends before anything is selected by it.
// says: onefold: this array is a temporary, and a view would outlive it: give it a name
#include "onefold/eigen.hpp"
#include "onefold/onefold.hpp"

float f(const Eigen::ArrayXXf& m) {
  using mask = Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic>;
#ifdef ONEFOLD_MISTAKE
  const auto what = onefold::where(m, mask(m < 1));
#else
  const mask small = m < 1;
  const auto what = onefold::where(m, small);
#endif
  return onefold::sum(what);
}
