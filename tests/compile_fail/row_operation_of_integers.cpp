// Softmax of integers, whose results would be zeros and ones.
// says: onefold: row operations take elements of type f16, bf16, f32 or f64: convert integers first
#include <vector>

#include "onefold/row_operations.hpp"

auto f(const std::vector<int>& x, const std::vector<float>& y) {
#ifdef ONEFOLD_MISTAKE
  return static_cast<void>(y), onefold::softmax(x);
#else
  return static_cast<void>(x), onefold::softmax(y);
#endif
}
