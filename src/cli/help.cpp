// What --help shows below the options, in the markup of help_layout.hpp.
#include "help.hpp"

#include <fmt/format.h>

#include "data/sets.hpp"
#include "input/format.hpp"
#include "planner/check.hpp"

namespace onefold::cli {
namespace {

std::string about_program() {
  return R"(Examples:
  onefold sum data.npy
  onefold reduce sum data.npy       the same: an operation is short for onefold reduce
  onefold reduce max --column 3 table.csv
  onefold summary data.npy          counts, sum, mean, extremes, deviations
  onefold scan sum data.npy         running sums
  onefold rows softmax data.npy     softmax of each row
  onefold join a.partial b.partial  the result of parts
  onefold accuracy data.npy
  onefold bench
  onefold report
  onefold calibrate
  onefold backends
  onefold help reduce               or onefold reduce --help
)";
}

std::string about_reduce() {
  return fmt::format(R"(Files:
.npy (versions 1 to 3, either byte order; bool is read as u8), raw elements of --dtype, or text: one number a
token or columns of a table, # starts a comment, decimal, hexadecimal (0x1.8p3), inf, nan. Text is read as f64
unless --dtype says otherwise. Elements come in the file's order; argmin and argmax count positions in C order.
Arrays in Fortran order are not copied.

.npz and other zip archives: a.npz:x is the member x; a single one needs no name. Files compressed by gzip are
read as what is inside. Both are known by their first bytes, on standard input, too; of other kinds (zstd,
Parquet, HDF5, JSON, ...) the message names the command that reads them.

--input decides the kind of all files:

{}

Text:
An integer that the type cannot hold is an error that names the type that does; --integers round rounds it, as
fractions always are. Missing values (an empty field of a table, or NA, N/A, <NA>, null, None or \N in any case)
are an error; --missing skip leaves them out, --missing zero counts them as 0, and a line "missing N" follows the
result, as a comment (#) where it has rows. NaN is a number. --header skips the first line of one column.

Tables:
Tabs, commas or semicolons separate, whichever of them the first line has outside quotes (with two of them
--separator decides), else runs of blanks. All lines have as many columns as the first; where blanks separate,
only the one that is read must be there. Fields in double quotes may hold separators, line breaks and doubled
quotes.

--column price,2 reads several columns, by name or position (from 1), each reduced on its own. A name with a
comma, or of digits alone, stands in double quotes.

Keys:
--by region makes one row for each distinct text in that column, in order of first appearance. Each result has the
bits of the same reduction of the values in its lines alone. Keys are equal if their bytes are. An empty one is a
missing value: --missing skip leaves its line out, --missing zero makes such lines a row.

Axes:
--axis 0 --axis 2, or 0,2, reduces over these axes, like axis=(0, 2) in NumPy; -1 is the last one. Without --axis
all numbers make one result. --keep is keepdims=True. --shape 100x200 gives raw elements and text a shape (C
order); a single .npy file has its own. Each result has the bits of the same reduction of its own elements alone.

NaN:
--skip-nan reduces the elements that are not NaN, like NumPy's nansum, of the whole array, of each result of --axis
and of each key alike. If that leaves nothing, a result is that of no elements. Positions (argmax) count all elements.

Results:
A single one is its number. If one axis is left, each result is a line; if two are, each row is a line, as
numpy.savetxt writes them; if more are, such matrices follow each other, each below a comment with its indices: #
[0, :, :]. Results of several numbers (minmax, moments) take a line each: indices i j .., then the numbers. More
than 1000 are abbreviated on a terminal. --format json has nested lists, like tolist().

--output FILE.npy writes an array of the results' type (bool, bf16 as V2), with a field for each number of minmax
and moments; the new file is complete or not there at all.

Several operations, sum,mean: each result follows its operation's name, or stands below it; JSON has a line for
each operation, --output one array with a field for each. The elements of an array or a column that has one result
of each operation are read from memory once, unless NaN is skipped or there is an initial value; the time of an
operation is then that of all.

Several columns give a table with one row per column; --by, one row per key. The first line has the names, which
are escaped, and in quotes where they have blanks. JSON has a line for each column and operation, --output an
array of the rows, with their names as bytes.

Partials:
--save-partial FILE writes what is known of the elements, --partial FILE goes on from there: the result has the bits of
one reduction of all elements. Parts that are reduced apart, each with its --begin, are joined by onefold join (see
onefold help join). A result is written where all elements before are known. Ctrl-C saves the partial of the elements
so far and says where to continue; the exit code is 130.

Larger than memory:
One operation over all elements, or over one column, folds files and pipes while they are read and keeps no elements,
unless NaN is skipped or --backend is cuda.

Backend:
--backend wins over the environment variable ONEFOLD_BACKEND, that over the automatic choice.

Examples:
  onefold reduce sum data.npy                        the sum of an array
  onefold sum data.npy                               the same
  onefold reduce sum a.npy b.npy                     of two files as one array
  onefold reduce mean --accuracy wide data.npy       with a more accurate state
  onefold reduce sum --backend tbb --threads 2 data.npy
  onefold reduce sum --backend cuda --accuracy kahan data.npy
  onefold reduce minmax --dtype f32 samples.bin      raw elements
  onefold reduce max --column 3 --header table.csv   a column of a table by its place
  onefold reduce mean --column price table.csv       or by its name
  onefold reduce mean --column 2 --missing skip table.csv.gz
  onefold reduce sum,mean --column price,qty --by region table.csv
  onefold reduce sum arrays.npz:x                    an array of several
  onefold reduce mean --axis 0 data.npy              over the first axis: a mean for each column
  onefold reduce minmax --axis=-1 --keep data.npy --output ranges.npy
  onefold reduce sum,mean,stddev --axis 0,1 images.npy
  onefold reduce max --axis 1 --dtype f32 --shape 100x200 samples.bin
  seq 100 | onefold reduce sum                       standard input
  onefold reduce sum --format json --explain data.npy
)",
                     format_rule);
}

std::string about_join() {
  return R"(A partial is what is known of a part of an array: onefold reduce --save-partial writes it, in a few hundred bytes where
the part's ends are page borders (16 KiB of elements), and at most 32 KiB more elsewhere. Joined, partials have the
bits of onefold reduce of all elements, however the array was cut and in whatever grouping they are joined.

The elements of each file follow those of the file before it. Order-independent operations (min, count, integer sums,
...) and accuracy exact take partials in any order and from anywhere; argmin and argmax take neighbors in any order.

Without --save-partial the elements must begin at position 0, or their position must not matter: else there is no
result. With it, the result is written where there is one.

Examples:
  onefold reduce sum day1.npy --save-partial p          the sum, and a partial of it
  onefold reduce sum --partial p day2.npy               of both days: the first is not read again
  onefold reduce sum a.npy --save-partial a.p
  onefold reduce sum b.npy --begin 1000000 --save-partial b.p      a.npy has 1000000 elements
  onefold join a.p b.p                                  of both, wherever each was reduced
  onefold join a.p b.p --save-partial ab.p
)";
}

std::string about_summary() {
  return R"(Each statistic has the bits of onefold reduce with its name, at the same --accuracy: n and nan_count, the numbers of
elements and of those that are NaN, then sum, mean, min, max, variance and stddev of the population, sample_variance
and sample_stddev. The elements are read from memory once, twice more if some are NaN.

Files, text and tables are read as by onefold reduce (see onefold help reduce); --column price,2 makes a table with a
row for each column.

NaN:
A NaN makes all statistics NaN but the counts. --skip-nan leaves it out: n counts the elements that are left, and each
operation reads them by itself.

Results:
Each statistic follows its name. JSON has a line for each, as of several operations of onefold reduce; --output
FILE.npy writes an array with a field for each.

Examples:
  onefold summary data.npy
  onefold summary --skip-nan --accuracy exact data.npy
  onefold summary --column price,qty table.csv
  onefold summary --dtype f32 samples.bin -o summary.npy
  seq 100 | onefold summary
)";
}

std::string about_scan() {
  return R"(Each result is the reduction of all elements up to and including its own, with the bits of onefold reduce of those
elements alone; the last one is the reduction of the whole line. --exclusive leaves out a result's own element, so
that the first result is --init, or else the reduction of no elements; operations for which that does not exist, such
as min, need --init.

Files, text and tables are read as by onefold reduce (see onefold help reduce); --column reads one column of a table.
Elements are taken in C order.

Lines:
--axis 0 scans each line along the first axis separately; -1 is the last one. The results have the shape of the
array. Without --axis all elements form one line. --shape 100x200 gives raw elements and text a shape (C order); a
single .npy file has its own.

Accuracy:
native, wide and kahan, with the bounds of onefold reduce; exact only for operations that do not add (max, count, ...).

Results:
One per line, or rows as onefold reduce --axis writes them; more than 1000 are abbreviated on a terminal.
--output FILE.npy writes an array of the results' type. After a NaN all sums and maxima are NaN; fmin and fmax ignore
it.

Examples:
  onefold scan sum data.npy                          running sums
  onefold scan cumsum data.npy                       the same
  onefold scan sum data.npy --output totals.npy
  onefold scan max --axis 0 images.npy -o highest.npy
  onefold scan sum --exclusive --dtype u64 lengths.txt        where each part begins
  onefold scan sum --column price table.csv          a running total
  onefold scan sum --accuracy kahan --threads 4 data.npy -o totals.npy
  seq 10 | onefold scan product                      factorials
)";
}

std::string about_rows() {
  return R"(Reduces each line of the array, then maps the line's elements with the result, with the same bits on every backend:

  softmax, log_softmax    exp(x) over the sum of exp(x), without overflow; its logarithm
  logsumexp               log of the sum of exp(x), one result per line
  layer_norm              (x - mean) / sqrt(variance + eps), times weight, plus bias
  rms_norm                x / sqrt(mean of squares + eps), times weight
  normalize_l1, _l2       x / max(norm, eps): the sum of magnitudes; the root of the sum of squares
  normalize_max           x / max(largest magnitude, eps)
  standardize             (x - mean) / standard deviation of the population

Elements are f16, bf16, f32 or f64, and results have their type. Files, text and tables are read as by onefold
reduce (see onefold help reduce); --column reads one column of a table.

Lines:
--axis 0 takes lines along the first axis; the default is the last one. Text and several files are one line.
--shape 100x200 gives raw elements and text a shape (C order); a single .npy file has its own.

Parameters:
--weight and --bias name one-dimensional files (.npy, raw or text) of the data's type with an element for each position
along a line. --eps is added to the variance or the mean of squares (default: 1e-5), and is the smallest divisor of
the normalize operations (default: 1e-12).

Accuracy:
layer_norm and standardize support the accuracies of moments, rms_norm and normalize_l2 those of sum_squares. The
others are native. Maxima are always exact.

Results:
As onefold reduce --axis writes them; more than 1000 are abbreviated on a terminal. --output FILE.npy writes an array
of the data's type and shape, which for logsumexp lacks the axis.

Examples:
  onefold rows softmax logits.npy -o p.npy
  onefold rows log_softmax --axis 0 logits.npy -o p.npy
  onefold rows logsumexp logits.npy                  one result per row
  onefold rows layer_norm x.npy --weight w.npy --bias b.npy -o y.npy
  onefold rows rms_norm x.npy --weight w.npy --eps 1e-6 -o y.npy
  onefold rows normalize_l2 --dtype f32 --shape 1000x768 vectors.bin -o unit.npy
  seq 4 | onefold rows softmax
)";
}

std::string about_accuracy() {
  std::string sets;
  for (const data::set_info& set : data::sets()) sets += fmt::format("  {:<15} {}\n", set.name, set.summary);
  return fmt::format(
      R"(Reduces the same array by every backend in every accuracy mode, and by a plain left fold as a warning. Errors are
exact: the difference to a sum that is never rounded. Each mode's bound is that of docs/accuracy.md; a result
outside of it, or with other bits on another backend, makes the exit code 1.

Data sets, with the same bits on every machine (docs/accuracy-lab.md says what each shows):
{}
--data, --backend and --accuracy take lists, and all; --n and --cond lists (1e3,1e6) and ranges (2^10..2^20
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
  onefold accuracy data.npy --op variance                     and the textbook's sums of squares
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
  return R"(Every combination of the options is a row: each takes a list (sum,max), and all; --n and --threads take ranges too
(2^10..2^20 doubles, 2^10..2^20:4 multiplies by 4). Combinations that are not supported are named once, with the
reason. Files are read as onefold reduce reads them; --n then takes their beginnings.

A row is the median of samples taken for --seconds, after a warm-up. The arrays are copies in turn, more than the
caches hold; --warm takes one. The spread is the middle half's width over the median. The limit is what as many
threads read from the same arrays in the same run when they do nothing else. Rows whose threads waited for a
processor, or whose samples disagree, are marked as noisy. Device time is that of the kernels alone. The bits of
every sample are compared with the sequential backend's; a row with others makes the exit code 1. Kernels other
than canonical have an order of their own and are not compared. Ctrl-C ends the run and shows the rows that it
had; the exit code is 130 then.

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
what cannot is named with its reason. Machine, driver, compiler and flags stand in the report. Its plots need
Python with matplotlib (python3, or what the environment variable ONEFOLD_PYTHON names); everything else does not.
Ctrl-C writes what was measured until then; the exit code is 130.

Presets:
notebook, one CPU core against kernels in shared memory, with shuffles, and canonical, data on the host and on the
device, at 100 K, 1 M, 10 M and 50 M; ladder-1m, time, bandwidth and occupancy of each rung at 1 M; harris-4m,
GB/s and steps of the ladder at 4 M integers.

--from: Markdown, HTML and plots are those that the measuring run wrote. The file has to be of this version of
report.json. Without --output the Markdown is on standard output.

--compare: a time has changed where its middle halves lie apart by more than the tolerance, and by more than
either is wide, and its fastest samples do too. Times of noisy rows never count. Longer times, rows that the
second report lacks, and results with other bits make the exit code 1.

Examples:
  onefold report                                   a minute, more with a GPU; as Markdown
  onefold report -o today                          today/report.json, .md and .html
  onefold report --full -o today
  onefold report --preset notebook
  onefold report --peers peers.json -o today       with the page of the peers (scripts/bench-peers)
  onefold report --from old/report.json -o new     the same report, drawn anew
  onefold report --compare before/report.json after/report.json
  onefold report --compare a.json b.json --tolerance 0.1 --format json
)";
}

std::string about_calibrate() {
  return fmt::format(
      R"(Measures, in some seconds, what automatic dispatch plans with: how fast threads read from each level of memory,
what classes of operations cost, what it takes to start threads, and a GPU and the way to it. The figures are
stored in onefold/profile.json in XDG_CACHE_HOME, else in ~/.cache, where every program with this library finds
them. Without them the choice rests on built-in figures. The environment variable ONEFOLD_PROFILE names another
file, or none. onefold reduce --explain shows the estimates, and how old the figures are.

On a busy machine it waits for up to 10 s, and measures again what was disturbed. Where that does not help it
stores nothing, and the exit code is 1; --force stores what was measured, and marks it.

--check compares the automatic choice with every backend that can be forced, over lengths, operations and, with a
GPU, places of the data; arrays are warm, calls follow each other. Misses are shown; the exit code is 1 where less
than {:.0f} % of the points are within {:.0f} % of the best, or one takes {:g} times as long.

Examples:
  onefold calibrate                            measure and store
  onefold calibrate --output lab.json          store elsewhere, for ONEFOLD_PROFILE=lab.json
  onefold calibrate --check                    how good is the choice here?
  ONEFOLD_PROFILE=none onefold calibrate --check --format json
)",
      100 * wanted_share, 100 * (wanted_ratio - 1), most_ratio);
}

std::string about_backends() {
  return R"(Examples:
  onefold backends
  onefold backends --format json
)";
}

std::string about_operations() {
  return R"(Examples:
  onefold operations
  onefold operations --format json
)";
}

std::string about_completion() {
  return R"(Examples:
  source <(onefold completion bash)                   for this shell; zsh, too
  onefold completion fish | source                    the same in fish
  onefold completion bash > ~/.local/share/bash-completion/completions/onefold
  onefold completion zsh > ~/.zfunc/_onefold          a folder of fpath
  onefold completion fish > ~/.config/fish/completions/onefold.fish
)";
}

std::string about_manual() {
  return R"(Examples:
  onefold manual > onefold.1
  man ./onefold.1
)";
}

std::string about_help() {
  return R"(Examples:
  onefold help
  onefold help reduce
  onefold help sum                             the same: an operation is short for onefold reduce
)";
}

/// A command, and what writes its text.
struct help_of_command {
  std::string_view name;
  std::string (*text)();
};

constexpr help_of_command texts[] = {{"", about_program},
                                     {"reduce", about_reduce},
                                     {"join", about_join},
                                     {"summary", about_summary},
                                     {"scan", about_scan},
                                     {"rows", about_rows},
                                     {"accuracy", about_accuracy},
                                     {"bench", about_bench},
                                     {"report", about_report},
                                     {"calibrate", about_calibrate},
                                     {"backends", about_backends},
                                     {"operations", about_operations},
                                     {"completion", about_completion},
                                     {"manual", about_manual},
                                     {"help", about_help}};

}  // namespace

std::string help_about(std::string_view command) {
  for (const help_of_command& h : texts)
    if (h.name == command) return h.text();
  return "";
}

}  // namespace onefold::cli
