// What --help shows below the options of commands that describe all elements, from summaries to histograms.
#include "help/texts.hpp"

namespace onefold::cli {

std::string about_summary() {
  return R"(Each statistic has the bits of onefold reduce with its name and the same --accuracy. n and nan_count count
the elements and the NaN among them; then come sum, mean, min, max, variance and stddev of the population,
sample_variance and sample_stddev. The elements are read from memory once, and twice more if some are NaN.

Files, text and tables are read as onefold reduce reads them (see onefold help reduce); --column price,2 makes a table
with a row for each column.

NaN:
A NaN makes every statistic except the counts NaN. --skip-nan leaves it out: n counts the elements that are left, and
each operation reads them separately.

Results:
Each statistic follows its name. JSON has a line for each, as onefold reduce writes for several operations; --output
FILE.npy writes an array with a field for each.

Examples:
  onefold summary data.npy
  onefold summary --skip-nan --accuracy exact data.npy
  onefold summary --column price,qty table.csv
  onefold summary --dtype f32 samples.bin -o summary.npy
  seq 100 | onefold summary
)";
}

std::string about_quantile() {
  return R"(For n elements in ascending order, the quantile Q is the element at position Q * (n - 1), counted from 0. If
that lies between two elements, a and b, --method gives

  linear    a + (b - a) * t, where t is the fraction of the position
  lower     a
  higher    b
  nearest   the nearer of the two; halfway, the one at the even position

computed in f64. Quantiles of f64 and integers are f64, others f32. No result depends on the backend or the number of
threads.

Files, text and tables are read as onefold reduce reads them (see onefold help reduce); --column price,2 makes a table
with a row for each column.

NaN:
A NaN makes all quantiles NaN. --skip-nan leaves it out.

Results:
One number, or each after its name: quantile_0.1, quantile_0.9. JSON has a line for each, as onefold reduce writes for
several operations; --output FILE.npy writes an array with a field for each.

Examples:
  onefold quantile data.npy                          the median
  onefold quantile --at 0.05,0.5,0.95 data.npy
  onefold quantile --at 0.9 --method lower --skip-nan data.npy
  onefold quantile --column price,qty table.csv
  seq 100 | onefold quantile
)";
}

std::string about_statistic() {
  return R"(Each statistic has the bits of the library's function with its name. m2, m3 and m4 are the means of the
second, third and fourth powers of the distances from the mean:

  ptp                     the largest element minus the smallest (peak to peak)
  geometric_mean          exp(mean of log x); 0 with a zero, NaN with a negative element
  harmonic_mean           1 / (mean of 1 / x); 0 with a zero, NaN with a negative element
  skewness                g1 = m3 / m2^1.5
  sample_skewness         G1 = g1 sqrt(n (n - 1)) / (n - 2), from 3 elements
  excess_kurtosis         g2 = m4 / m2^2 - 3, which is 0 for a normal distribution
  sample_excess_kurtosis  G2 = (n - 1) ((n + 1) g2 + 6) / ((n - 2) (n - 3)), from 4 elements
  norm1, norm_inf         the sum of magnitudes; the largest magnitude; 0 for no elements
  first, last             the first or last element, and its index, from 0

Skewness and kurtosis are NaN if all elements are equal or too few. Results are f64 for f64 and integers, otherwise
f32; ptp and norm_inf of integers are unsigned integers of their size, norm1 is u64, norm_inf of f16 and bf16 has their
type, and first and last have that of the elements. No result depends on the backend or the number of threads.

NAMES are one of them, or several with commas between; without NAMES all but norms, first and last are computed. A first
word that names no statistic is the first FILE if a file has that name, or if there is a dot or a slash in it.

Files, text and tables are read as onefold reduce reads them (see onefold help reduce); --column price,2 makes a table
with a row for each column.

NaN:
A NaN makes every statistic NaN, but for first and last. --skip-nan leaves it out; indices still count it.

Accuracy:
The mean and the sums have --accuracy; powers, logarithms and reciprocals are f64. ptp is rounded once in any case.

Results:
One number, or each after its name. JSON has a line for each, as onefold reduce writes for several operations; --output
FILE.npy writes an array with a field for each. first and last are two numbers, each after its name. The elements, for
means, skewness and kurtosis copied as f64 unless they are, are read for each statistic separately.

Examples:
  onefold statistic data.npy                         from ptp to sample_excess_kurtosis
  onefold statistic skewness data.npy
  onefold statistic norm1,norm_inf,first --skip-nan data.npy
  onefold statistic sample_skewness,sample_excess_kurtosis --column price,qty table.csv
  onefold statistic geometric_mean --skip-nan --accuracy kahan data.npy
  seq 100 | onefold statistic harmonic_mean
)";
}

std::string about_histogram() {
  return R"(A bin counts the elements from its lower edge up to, but not including, its upper edge; the last bin
includes its upper edge. Elements below or above all bins, and NaN, are counted apart. Edges are f64, and comparisons
with them are exact for all types.

--bins N divides --range, or without it the range from the smallest to the largest element, into N equal bins. --edges
lists the edges of all bins in ascending order; the first and the last one may be -inf and inf. A list that begins with
a negative number needs =: --range=-1,1.

Files, text and tables are read as onefold reduce reads them (see onefold help reduce); --column reads one column of a
table.

Results:
A line for each bin: its number from 0, its edges and its count; more than 1000 are abbreviated on a terminal. A comment
(#) after them, and "outside" in JSON, say how many elements are below all bins, above them, and NaN. --output FILE.npy
writes an array with the fields low, high and count.

Examples:
  onefold histogram data.npy
  onefold histogram --bins 64 --range 0,1 data.npy
  onefold histogram --edges=-inf,0,1,10,inf data.npy
  onefold histogram --column price --bins 20 table.csv -o prices.npy
  seq 100 | onefold histogram --bins 5
)";
}

}  // namespace onefold::cli
