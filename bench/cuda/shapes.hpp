// Reductions to several results, beside CUB's and a kernel that only reads: over axes, of segments, by key.
#pragma once

namespace bench {

/// Adds the rows of group "shapes": arrays of up to 2^max_log2 elements, reduced over an axis.
void measure_shapes(int max_log2);

/// Adds the rows of group "segments": uneven and equal segments by offsets, of up to 2^max_log2 elements in all.
void measure_segments(int max_log2);

/// Adds the rows of group "keys": sums of runs of equal keys.
void measure_keys(int max_log2);

}  // namespace bench
