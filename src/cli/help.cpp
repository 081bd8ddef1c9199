// What --help shows below the options.
#include "help.hpp"

#include <fmt/format.h>

#include "data/sets.hpp"
#include "input/format.hpp"
#include "planner/check.hpp"

namespace onefold::cli {
namespace {

constexpr const char* exit_codes =
    "Exit codes:\n"
    "  0 done   1 failed while running   2 wrong usage   3 an input is missing or bad   4 backend unavailable\n"
    "  130 interrupted by Ctrl-C\n";

}  // namespace

std::string help_program() {
  return std::string(
             "Examples:\n"
             "  onefold sum data.npy\n"
             "  onefold reduce sum data.npy       the same: an operation is short for onefold reduce\n"
             "  onefold reduce max --column 3 table.csv\n"
             "  onefold accuracy data.npy\n"
             "  onefold bench\n"
             "  onefold report\n"
             "  onefold calibrate\n"
             "  onefold backends\n"
             "  onefold help reduce               or onefold reduce --help\n\n") +
         exit_codes;
}

std::string help_reduce() {
  return std::string(
             "Files:\n"
             "  .npy (versions 1 to 3, either byte order; bool is read as u8), raw elements of --dtype, or text: one\n"
             "  number a token or columns of a table, # starts a comment, decimal, hexadecimal (0x1.8p3), inf, "
             "nan.\n"
             "  Text is read as f64 unless --dtype says otherwise. Elements come in the file's order; argmin and "
             "argmax\n"
             "  count positions in C order. Arrays in Fortran order are not copied.\n"
             "  .npz and other zip archives: a.npz:x is the member x; a single one needs no name. Files compressed by "
             "gzip\n"
             "  are read as what is inside. Both are known by their first bytes, on standard input, too; of other "
             "kinds\n"
             "  (zstd, Parquet, HDF5, JSON, ...) the message names the command that reads them.\n"
             "  --input decides the kind of all files:\n") +
         format_rule +
         "\n"
         "Text: an integer that the type cannot hold is an error that names the type that does; --integers round\n"
         "  rounds it, as fractions always are. Missing values (an empty field of a table, or NA, N/A, <NA>, null,\n"
         "  None or \\N in any case) are an error; --missing skip leaves them out, --missing zero counts them as 0, "
         "and\n"
         "  a line \"missing N\" follows the result, as a comment (#) where it has rows. NaN is a number. --header "
         "skips\n"
         "  the first line of one column.\n\n"
         "Tables: tabs, commas or semicolons separate, whichever of them the first line has outside quotes (with two "
         "of\n"
         "  them --separator decides), else runs of blanks. All lines have as many columns as the first; where blanks\n"
         "  separate, only the one that is read must be there. Fields in double quotes may hold separators, line "
         "breaks\n"
         "  and doubled quotes.\n"
         "  --column price,2 reads several columns, by name or position (from 1), each reduced on its own. A name\n"
         "  with a comma, or of digits alone, stands in double quotes.\n\n"
         "Keys: --by region makes one row for each distinct text in that column, in order of first appearance. Each\n"
         "  result has the bits of the same reduction of the values in its lines alone. Keys are equal if their bytes\n"
         "  are. An empty one is a missing value: --missing skip leaves its line out, --missing zero makes such\n"
         "  lines a row.\n\n"
         "Axes: --axis 0 --axis 2, or 0,2, reduces over these axes, like axis=(0, 2) in NumPy; -1 is the last one. "
         "Without\n"
         "  --axis all numbers make one result. --keep is keepdims=True. --shape 100x200 gives raw elements and text "
         "a\n"
         "  shape (C order); a single .npy file has its own. Each result has the bits of the same reduction of its "
         "own\n"
         "  elements alone.\n\n"
         "Results: a single one is its number. If one axis is left, each result is a line; if two are, each row is a "
         "line,\n"
         "  as numpy.savetxt writes them; if more are, such matrices follow each other, each below a comment with its\n"
         "  indices: # [0, :, :]. Results of several numbers (minmax, moments) take a line each: indices i j .., then "
         "the\n"
         "  numbers. More than 1000 are abbreviated on a terminal. --format json has nested lists, like tolist().\n"
         "  --output FILE.npy writes an array of the results' type (bool, bf16 as V2), with a field for each number "
         "of\n"
         "  minmax and moments; the new file is complete or not there at all.\n"
         "  Several operations, sum,mean: each result follows its operation's name, or stands below it; JSON has a "
         "line\n"
         "  for each operation, --output one array with a field for each.\n"
         "  Several columns give a table with one row per column; --by, one row per key. The first line has the\n"
         "  names, which are escaped, and in quotes where they have blanks. JSON has a line for each column and\n"
         "  operation, --output an array of the rows, with their names as bytes.\n\n"
         "Backend: --backend wins over the environment variable ONEFOLD_BACKEND, that over the automatic choice.\n\n"
         "Examples:\n"
         "  onefold reduce sum data.npy                        the sum of an array\n"
         "  onefold sum data.npy                               the same\n"
         "  onefold reduce sum a.npy b.npy                     of two files as one array\n"
         "  onefold reduce mean --accuracy wide data.npy       with a more accurate state\n"
         "  onefold reduce sum --backend tbb --threads 2 data.npy\n"
         "  onefold reduce sum --backend cuda --accuracy kahan data.npy\n"
         "  onefold reduce minmax --dtype f32 samples.bin      raw elements\n"
         "  onefold reduce max --column 3 --header table.csv   a column of a table by its place\n"
         "  onefold reduce mean --column price table.csv       or by its name\n"
         "  onefold reduce mean --column 2 --missing skip table.csv.gz\n"
         "  onefold reduce sum,mean --column price,qty --by region table.csv\n"
         "  onefold reduce sum arrays.npz:x                    an array of several\n"
         "  onefold reduce mean --axis 0 data.npy              over the first axis: a mean for each column of a "
         "matrix\n"
         "  onefold reduce minmax --axis=-1 --keep data.npy --output ranges.npy\n"
         "  onefold reduce sum,mean,stddev --axis 0,1 images.npy\n"
         "  onefold reduce max --axis 1 --dtype f32 --shape 100x200 samples.bin\n"
         "  seq 100 | onefold reduce sum                       standard input\n"
         "  onefold reduce sum --format json --explain data.npy\n\n" +
         exit_codes;
}

std::string help_accuracy() {
  std::string text =
      "Reduces the same array by every backend in every accuracy mode, and by a plain left fold as a warning.\n"
      "Errors are exact: the difference to a sum that is never rounded. Each mode's bound is that of\n"
      "docs/accuracy.md; a result outside of it, or with other bits on another backend, makes the exit code 1.\n\n"
      "Data sets, with the same bits on every machine (docs/accuracy-lab.md says what each shows):\n";
  for (const data::set_info& set : data::sets()) text += fmt::format("  {:<15} {}\n", set.name, set.summary);
  return text +
         "\n--data, --backend and --accuracy take lists, and all; --n and --cond lists (1e3,1e6) and ranges\n"
         "(2^10..2^20 doubles, 1..1e24 multiplies by 10, 1..1e24:100 by 100).\n"
         "--plot needs Python with matplotlib: python3, or what the environment variable ONEFOLD_PYTHON names. Python\n"
         "runs isolated (-I): it sees no modules of the working directory or of pip install --user.\n\n"
         "Examples:\n"
         "  onefold accuracy data.npy                                   your data\n"
         "  onefold accuracy data.npy --op mean --format json\n"
         "  onefold accuracy data.npy --op variance                     and the textbook's sums of squares\n"
         "  onefold accuracy --data uniform --n 1e7 --dtype f32\n"
         "  onefold accuracy --data conditioned --cond 1e12 --dtype f64\n"
         "  onefold accuracy --data conditioned --cond 1..1e24 --plot cond.svg\n"
         "  onefold accuracy --data uniform --n 2^10..2^24 --plot n.png --format csv\n\n" +
         exit_codes;
}

std::string help_bench() {
  return std::string(
             "Every combination of the options is a row: each takes a list (sum,max), and all; --n and --threads\n"
             "take ranges too (2^10..2^20 doubles, 2^10..2^20:4 multiplies by 4). Combinations that are not\n"
             "supported are named once, with the reason. Files are read as onefold reduce reads them; --n then takes\n"
             "their beginnings.\n\n"
             "A row is the median of samples taken for --seconds, after a warm-up. The arrays are copies in turn,\n"
             "more than the caches hold; --warm takes one. The spread is the middle half's width over the median.\n"
             "The limit is what as many threads read from the same arrays in the same run when they do nothing\n"
             "else. Rows whose threads waited for a processor, or whose samples disagree, are marked as noisy.\n"
             "Device time is that of the kernels alone. The bits of every sample are compared with the\n"
             "sequential backend's; a row with others makes the exit code 1. Kernels other than canonical have an\n"
             "order of their own and are not compared. Ctrl-C ends the run and shows the rows that it had; the\n"
             "exit code is 130 then.\n\n"
             "Examples:\n"
             "  onefold bench                                              f32 sums on every backend\n"
             "  onefold bench --op sum,max,argmax --n 2^20 --dtype f32,f64\n"
             "  onefold bench data.npy --accuracy all --warm               your data, from the caches\n"
             "  onefold bench --accuracy all --backend sequential --n 2^10..2^28:8\n"
             "  onefold bench --shape 2^20x32,4096x4096 --axis 1           rows of matrices, one result each\n"
             "  onefold bench --backend openmp,tbb --threads 1..8 --base tbb --format csv\n"
             "  onefold bench --backend cuda --kernel all --location device --n 2^20..2^28:4 --format json\n\n") +
         exit_codes;
}

std::string help_report() {
  return std::string(
             "Bandwidth against length, speed-up, crossover of CPU and GPU, latency of short arrays, row and column\n"
             "sums, cost and error of each accuracy mode, the CUDA ladder: measured as onefold bench does, on all\n"
             "backends that can run; what cannot is named with its reason. Machine, driver, compiler and flags stand\n"
             "in the report. Its plots need Python with matplotlib (python3, or what the environment variable\n"
             "ONEFOLD_PYTHON names); everything else does not. Ctrl-C writes what was measured until then; the exit\n"
             "code is 130.\n\n"
             "Presets: notebook, one CPU core against kernels in shared memory, with shuffles, and canonical, data on "
             "the\n"
             "host and on the device, at 100 K, 1 M, 10 M and 50 M; ladder-1m, time, bandwidth and occupancy of each "
             "rung\n"
             "at 1 M; harris-4m, GB/s and steps of the ladder at 4 M integers.\n\n"
             "--compare: a time has changed where its middle halves lie apart by more than the tolerance, and by more\n"
             "than either is wide, and its fastest samples do too. Times of noisy rows never count. Longer times, "
             "rows\n"
             "that the second report lacks, and results with other bits make the exit code 1.\n\n"
             "Examples:\n"
             "  onefold report                                   a minute, more with a GPU; tables on standard output\n"
             "  onefold report -o today                          today/report.json, .md and .html\n"
             "  onefold report --full -o today\n"
             "  onefold report --preset notebook\n"
             "  onefold report --peers peers.json -o today       with the page of the peers (scripts/bench-peers)\n"
             "  onefold report --compare before/report.json after/report.json\n"
             "  onefold report --compare a.json b.json --tolerance 0.1 --format json\n\n") +
         exit_codes;
}

std::string help_calibrate() {
  return std::string(
             "Measures, in some seconds, what automatic dispatch plans with: how fast threads read from each level of\n"
             "memory, what classes of operations cost, what it takes to start threads, and a GPU and the way to it.\n"
             "The figures are stored in onefold/profile.json in XDG_CACHE_HOME, else in ~/.cache, where every program\n"
             "with this library finds them. Without them the choice rests on built-in figures. The environment "
             "variable\n"
             "ONEFOLD_PROFILE names another file, or none. onefold reduce --explain shows the estimates, and how old "
             "the\n"
             "figures are.\n\n"
             "On a busy machine it waits for up to 10 s, and measures again what was disturbed. Where that does not "
             "help\n"
             "it stores nothing, and the exit code is 1; --force stores what was measured, and marks it.\n\n"
             "--check compares the automatic choice with every backend that can be forced, over lengths, operations\n"
             "and, with a GPU, places of the data; arrays are warm, calls follow each other. Misses are shown; the "
             "exit\n") +
         fmt::format(
             "code is 1 where less than {:.0f} % of the points are within {:.0f} % of the best, or one takes {:g} "
             "times as long.\n\n",
             100 * wanted_share, 100 * (wanted_ratio - 1), most_ratio) +
         "Examples:\n"
         "  onefold calibrate                            measure and store\n"
         "  onefold calibrate --output lab.json          store elsewhere, for ONEFOLD_PROFILE=lab.json\n"
         "  onefold calibrate --check                    how good is the choice here?\n"
         "  ONEFOLD_PROFILE=none onefold calibrate --check --format json\n\n" +
         exit_codes;
}

std::string help_backends() {
  return "Examples:\n"
         "  onefold backends\n"
         "  onefold backends --format json\n";
}

std::string help_operations() {
  return "Examples:\n"
         "  onefold operations\n"
         "  onefold operations --format json\n";
}

std::string help_completion() {
  return "Examples:\n"
         "  eval \"$(onefold completion bash)\"                                           for this shell\n"
         "  onefold completion bash > ~/.local/share/bash-completion/completions/onefold   for every shell\n";
}

std::string help_help() {
  return "Examples:\n"
         "  onefold help\n"
         "  onefold help reduce\n"
         "  onefold help sum                             the same: an operation is short for onefold reduce\n";
}

}  // namespace onefold::cli
