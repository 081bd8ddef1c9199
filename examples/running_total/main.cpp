// Running totals of a table's columns, and where the rows of a ragged array begin.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "onefold/onefold.hpp"

int main() {
  // A row for each day; the columns are two shops.
  const std::vector<double> takings = {120.5, 80.25, 99.75, 101, 0, 45.5, 130.25, 60};
  const onefold::array_view<const double> table(takings.data(), {4, 2});

  const auto totals = onefold::cumsum(table, 0);  // of the shape of the table, down each column
  const auto best = onefold::cummax(table, 0);
  for (std::size_t i = 0; i < totals.size(); i += 2)
    std::printf("day %zu  totals %6.2f %6.2f  best %6.2f %6.2f\n", i / 2 + 1, totals[i], totals[i + 1], best[i],
                best[i + 1]);

  // Rows of 3, 0, 2 and 4 elements: the exclusive scan of their lengths says where each one begins.
  const std::vector<std::int32_t> lengths = {3, 0, 2, 4};
  std::vector<std::int64_t> begins(lengths.size());
  onefold::exclusive_scan<std::int32_t, onefold::op::sum>(lengths, begins);
  std::printf("rows begin at");
  for (const std::int64_t begin : begins) std::printf(" %lld", static_cast<long long>(begin));
  std::printf("\n");
}
