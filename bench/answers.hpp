// What the contenders answer, run after run: bits, not times.
#pragma once

#include <iosfwd>
#include <regex>
#include <vector>

#include "rows.hpp"

namespace bench {

/// Runs each row whose name is wanted `runs` times and writes, as JSON, the different answers that it gave, and for
/// each of the arrays the exact answer as the sum of two numbers: the one nearest to it, and what is left. Rows sum,
/// max and exact, of f32 and f64.
void write_answers(std::ostream& out, const std::vector<row>& rows, const std::regex& wanted, int threads, int runs);

}  // namespace bench
