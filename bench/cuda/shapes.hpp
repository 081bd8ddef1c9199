// What has several results: reductions over axes, of segments and by key beside CUB's and a kernel that only reads;
// scans beside CUB's and a copy; operations on rows beside a copy; histograms, and computed elements, beside CUB's.
#pragma once

namespace bench {

/// Adds the rows of group "shapes": arrays of up to 2^max_log2 elements, reduced over an axis.
void measure_shapes(int max_log2);

/// Adds the rows of group "segments": uneven and equal segments by offsets, of up to 2^max_log2 elements in all.
void measure_segments(int max_log2);

/// Adds the rows of group "keys": sums of runs of equal keys.
void measure_keys(int max_log2);

/// Adds the rows of group "scans": cumulative sums of up to 2^max_log2 f32 and half as many f64 elements.
void measure_scans(int max_log2);

/// Adds the rows of group "rows": softmax and the like of matrices of up to 2^max_log2 elements. With masks, those of
/// group "masked": the same beside selected elements.
void measure_row_operations(int max_log2, bool with_masks);

/// Adds the rows of group "histograms": bins of equal widths and between edges, of 2^20, 2^24 and 2^28 elements, of f64
/// at most 2^27, if max_log2 allows it. The library's times are those of its kernel, beside CUB's.
void measure_histograms(int max_log2);

/// Adds the rows of group "mapped": dot products, distances, norms and cosines of 2^16 to 2^28 elements, if max_log2
/// allows it, and of rows, beside CUB's sums of the same. The times are those of calls, with the result on the host; of
/// rows, on the device.
void measure_mapped(int max_log2);

/// Adds the rows of group "own": sums by user-defined operations, of 2^20 elements to 2^max_log2 of f32, beside the
/// catalog's.
void measure_own_operations(int max_log2);

}  // namespace bench
