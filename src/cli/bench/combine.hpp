// From axes to rows: every supported combination, and why the others are not.
#pragma once

#include <vector>

#include "bench/axes.hpp"
#include "bench/row.hpp"

namespace onefold::cli {

/// The number of elements of an array with these extents.
std::int64_t elements_in(const std::vector<std::int64_t>& shape);

/// The rows in the order in which they are measured: those of one array (element type, data set and length) follow each
/// other, at each operation and accuracy the base first. What is not supported is added to `without`, once.
std::vector<setting> combined(const axes& a, std::vector<left_out>& without);

/// Adds the reason, unless it was said before.
void leave_out(std::vector<left_out>& without, left_out reason);

}  // namespace onefold::cli
