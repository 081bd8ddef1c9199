// Results of a row operation for a function that changes itself, which several threads call at once.
// says: onefold: the function that takes the results changes itself: several threads call it at once, so that it must be const (a lambda without `mutable`)
#include <vector>

#include "onefold/row_operations.hpp"

void f(const std::vector<float>& x, float* y) {
#ifdef ONEFOLD_MISTAKE
  onefold::softmax(x, -1, [y](float result, onefold::row_position) mutable { *y++ = result; });
#else
  onefold::softmax(x, -1, [y](float result, onefold::row_position at) { y[at.position] = result; });
#endif
}
