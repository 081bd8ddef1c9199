// The reference of row operations: the results of a line, far beyond f64.
#pragma once

#include <span>

#include "lab/rows/quad.hpp"
#include "onefold/row_request.hpp"

namespace onefold::cli {

/// The results of a line of n elements, with the default of everything but eps: n of them, or one of logsumexp. Each is
/// within (n + 800) * 2^-112 of the exact result's size; of logsumexp, of |largest| + log(sum), its two terms. So it is
/// where every element is below 2^960; beyond, bits of elements below 2^-1010 are dropped from means. NaN and
/// infinities give what docs/semantics.md says.
void exact_line(row_operation operation, std::span<const double> x, double eps, std::span<quad> results);

}  // namespace onefold::cli
