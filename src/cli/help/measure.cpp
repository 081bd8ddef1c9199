// What --help shows below the options of commands that measure.
#include <fmt/format.h>

#include "data/sets.hpp"
#include "help/texts.hpp"
#include "planner/check.hpp"

namespace onefold::cli {

std::string about_accuracy() {
  std::string sets;
  for (const data::set_info& set : data::sets()) sets += fmt::format("  {:<15} {}\n", set.name, set.summary);
  return fmt::format(
      R"(Reduces the same array on every backend in every accuracy mode, and by a plain left fold as a warning. Errors are
exact: the difference from a sum that is never rounded. Each mode's bound is that of docs/accuracy.md; a result
outside it, or with other bits on another backend: the exit code is 1.

Data sets, with the same bits on every machine (docs/accuracy-lab.md says what each shows):
{}
--data, --backend and --accuracy take lists, or all; --n and --cond take lists (1e3,1e6) and ranges (2^10..2^20
doubles, 1..1e24 multiplies by 10, 1..1e24:100 by 100).

--op softmax and the other operations of onefold rows are examined line by line, with their default eps: the largest
and the mean error of all results in units in the last place of the exact ones, where the largest is (from 0), the
largest relative and absolute error, for softmax also how far the sum of a line's results is from 1, and whether the
bits are those of backend sequential. They are compared with a plain loop and, where Python has them, with NumPy,
SciPy and PyTorch. Lines run along a file's last axis; --line divides the elements into lines of N, in C order, and
takes lists and ranges too.

--plot draws, of one array, a dot for the error of each mode on each backend, in units in the last place; of
several, errors against the condition number, n, or of row operations the length of lines.

--plot needs Python with matplotlib. Python is python3, or what the environment variable ONEFOLD_PYTHON names. It runs
isolated (-I): it sees no modules of the working directory or of pip install --user.

Examples:
  onefold accuracy data.npy                                   your data
  onefold accuracy data.npy --plot errors.svg                 and a picture of the errors
  onefold accuracy data.npy --op mean --format json
  onefold accuracy data.npy --op variance                     and the textbook formula
  onefold accuracy --data uniform --n 1e7 --dtype f32
  onefold accuracy --data conditioned --cond 1e12 --dtype f64
  onefold accuracy --data conditioned --cond 1..1e24 --plot cond.svg
  onefold accuracy --data uniform --n 2^10..2^24 --plot n.png --format csv
  onefold accuracy logits.npy --op softmax                    each row, beside NumPy and PyTorch
  onefold accuracy --data normal --n 2^20 --line 2^4..2^20:16 --op layer_norm --dtype bf16
)",
      sets);
}

std::string about_bench() {
  return R"(Every combination of the options is a row: each takes a list (sum,max), or all; --n and --threads take ranges too
(2^10..2^20 doubles, 2^10..2^20:4 multiplies by 4). Combinations that are not supported are listed once, with the
reason. Files are read as onefold reduce reads them; --n then reduces their first N elements.

A row is the median of samples taken for --seconds, after a warm-up. Calls take turns on copies that together exceed
the caches; --warm uses one array. The spread is the width of the middle half, divided by the median. The limit is
what as many threads read from the same arrays in the same run when they do nothing else. Rows whose threads waited
for a processor, or whose samples disagree, are marked as noisy. Device time is that of the kernels alone. The bits
of every sample are compared with the sequential backend's; a row with others makes the exit code 1. Kernels other
than canonical have an order of their own and are not compared. Ctrl-C ends the run and shows the finished rows; the
exit code is 130.

Examples:
  onefold bench                                              f32 sums on every backend
  onefold bench --op sum,max,argmax --n 2^20 --dtype f32,f64
  onefold bench data.npy --accuracy all --warm               your data, from the caches
  onefold bench --accuracy all --backend sequential --n 2^10..2^28:8
  onefold bench --shape 2^20x32,4096x4096 --axis 1           rows of matrices, one result each
  onefold bench --backend openmp,tbb --threads 1..8 --base tbb --format csv
  onefold bench --backend cuda --kernel all --location device --n 2^20..2^28:4 --format json
)";
}

std::string about_report() {
  return R"(Bandwidth against length, speed-up, crossover of CPU and GPU, latency of short arrays, row and column sums, cost
and error of each accuracy mode, the CUDA ladder: measured as onefold bench does, on all backends that can run;
what cannot is named with its reason. The report names machine, driver, compiler and flags. Its plots need
Python with matplotlib (python3, or what the environment variable ONEFOLD_PYTHON names); everything else does not.
Ctrl-C writes what was measured until then; the exit code is 130.

Presets:
notebook, one CPU core against kernels in shared memory, with shuffles, and canonical, data on the host and on the
device, at 100 K, 1 M, 10 M and 50 M; ladder-1m, time, bandwidth and occupancy of each rung at 1 M; harris-4m,
GB/s and steps of the ladder at 4 M integers.

--from: Markdown, HTML and plots are those that the measuring run wrote. The file must have this version's format.
Without --output the Markdown is on standard output.

--compare: a time has changed where its middle halves lie apart by more than the tolerance, and by more than either
is wide, and its fastest samples do too. Times of noisy rows never count. The exit code is 1 if times are longer,
rows are missing from the second report or bits differ.

Examples:
  onefold report                                   a minute, more with a GPU; as Markdown
  onefold report -o today                          today/report.json, .md and .html
  onefold report --full -o today
  onefold report --preset notebook
  onefold report --peers peers.json -o today       with the page of the peers (scripts/bench-peers)
  onefold report --from old/report.json -o new     the same report, redrawn
  onefold report --compare before/report.json after/report.json
  onefold report --compare a.json b.json --tolerance 0.1 --format json
)";
}

std::string about_calibrate() {
  return fmt::format(
      R"(Measures, in some seconds, what automatic dispatch plans with: how fast threads read from each level of memory,
what classes of operations cost, what it takes to start threads, and the speed of a GPU and of copies to it. The figures are
stored in onefold/profile.json in XDG_CACHE_HOME, else in ~/.cache, where every program with this library finds
them. Without them the choice rests on built-in figures. The environment variable ONEFOLD_PROFILE names another
file, or none. onefold reduce --explain shows the estimates, and how old the figures are.

On a busy machine it waits for up to 10 s, and repeats disturbed measurements. If that does not help, it stores
nothing, and the exit code is 1; --force stores what was measured, and marks it.

--check compares the automatic choice with every backend that can be forced, over lengths, operations and, with a
GPU, locations of the data; arrays are warm, calls follow each other. Misses are shown; the exit code is 1 if less
than {:.0f} % of the points are within {:.0f} % of the best, or one takes {:g} times as long.

Examples:
  onefold calibrate                            measure and store
  onefold calibrate --output lab.json          store elsewhere, for ONEFOLD_PROFILE=lab.json
  onefold calibrate --check                    how good is the choice here?
  ONEFOLD_PROFILE=none onefold calibrate --check --format json
)",
      100 * wanted_share, 100 * (wanted_ratio - 1), most_ratio);
}

}  // namespace onefold::cli
