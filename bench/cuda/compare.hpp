// The library and its peers on a GPU: times in turns, and what they answer.
#pragma once

namespace bench {

/// Everybody's sums in turns, of 2^16 elements up to max_log2 (f64: max_log2 - 1), and the different answers of 20
/// runs.
void compare_peers(int max_log2);

}  // namespace bench
