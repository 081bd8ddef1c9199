// Results of a row operation for a function that does not take where they belong.
// says: onefold: results of row operations go to an output_view, to a contiguous range of the elements' type, or to a function that is called with a result and a onefold::row_position
#include <vector>

#include "onefold/row_operations.hpp"

void f(const std::vector<float>& x, std::vector<float>& y) {
#ifdef ONEFOLD_MISTAKE
  onefold::softmax(x, -1, [&y](float result) { y[0] = result; });
#else
  onefold::softmax(x, -1,
                   [&y](float result, onefold::row_position at) { y[static_cast<std::size_t>(at.position)] = result; });
#endif
}
