// Reductions over some axes, beside a kernel that only reads.
#pragma once

namespace bench {

/// Adds the rows of group "shapes": arrays of up to 2^max_log2 elements.
void measure_shapes(int max_log2);

}  // namespace bench
