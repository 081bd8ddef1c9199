// What --help shows below the options of commands that compute from files.
#include <fmt/format.h>

#include "help/texts.hpp"
#include "input/format.hpp"

namespace onefold::cli {

std::string about_reduce() {
  return fmt::format(R"(Files:
.npy (versions 1 to 3, either byte order; bool is read as u8), raw elements of --dtype, or text: one number per
token, or columns of a table. # starts a comment. Numbers are decimal or hexadecimal (0x1.8p3), inf or nan. Text is
read as f64 unless --dtype says otherwise. Elements come in the file's order; argmin and argmax count positions in C
order. Arrays in Fortran order are not copied.

.npz and other zip archives: a.npz:x is the member x; an only member needs no name. gzip files are decompressed.
Both are recognized by their first bytes, on standard input too. Python's pyarrow reads one --column of a Parquet or
Arrow (Feather) file; nulls are left out unless --missing says otherwise. For other kinds (zstd, HDF5, JSON, ...)
the message names the command that reads them.

--input decides the kind of all files:

{}

Text:
An integer that the type cannot hold is an error that names the type that does; --integers round rounds it, as
fractions are always rounded. Missing values (an empty field of a table, or NA, N/A, <NA>, null, None or \N in any
case) are an error; --missing skip leaves them out, --missing zero counts them as 0, and a note on standard error
tells how many there were. NaN is a number. --header skips the first line of one column.

Tables:
Tabs, commas or semicolons separate, whichever of them the first line has outside quotes (with two of them
--separator decides), else runs of blanks. All lines have as many columns as the first; where blanks separate, only
the column that is read must exist. Fields in double quotes may hold separators, line breaks and doubled quotes.

--column price,2 reads several columns, by name or position (from 1), each reduced on its own. A name with a
comma, or of digits alone, must be in double quotes.

Keys:
--by region makes one row for each distinct text in that column, in order of first appearance. Each result has the
bits of the same reduction of the values in its lines alone. Keys are equal if their bytes are. An empty key is
a missing value: --missing skip leaves its line out, --missing zero groups such lines into one row.

Axes:
--axis 0 --axis 2, or 0,2, reduces over these axes, like axis=(0, 2) in NumPy; -1 is the last one. Without --axis
all numbers make one result. --keep is keepdims=True. --shape 100x200 gives raw elements and text a shape (C
order); a single .npy file has its own. Each result has the bits of the same reduction of its own elements alone.

NaN:
--skip-nan reduces the elements that are not NaN, like NumPy's nansum, of the whole array, of each result of --axis
and of each key alike. If none is left, the result is that of empty input. Positions (argmax) count all elements.

Results:
A single result is printed as a number. If one axis is left, each result is a line; if two are, each row is a line, as
numpy.savetxt writes them; if more are, such matrices follow each other, each below a comment with its indices: #
[0, :, :]. Results of several numbers (minmax, moments) take a line each: indices i j .., then the numbers. More
than 1000 are abbreviated on a terminal. --format json has nested lists, like tolist().

--output FILE.npy writes an array of the results' type (bool, bf16 as V2), with a field for each number of minmax
and moments; the file is written completely or not at all.

Several operations, sum,mean: each result follows its operation's name, or stands below it; JSON has a line for each
operation, --output one array with a field for each. The elements of an array or a column that has one result of
each operation are read from memory once, unless NaN is skipped or there is an initial value; the time shown for
each operation is then that of the whole pass.

Several columns give a table with one row per column; --by, one row per key. The first line has the names, which
are escaped, and in quotes where they have blanks. JSON has a line for each column and operation, --output an
array of the rows, with their names as bytes.

Partials:
--save-partial FILE writes a partial of the elements, and --partial FILE continues from one: the result has the bits
of one reduction of all elements. Parts reduced separately, each with its --begin, are joined by onefold join (see
onefold help join). The result is printed if there is one: the elements start at position 0 or their positions do
not matter, and the operation has a result for that many elements. Ctrl-C saves the partial of the elements so far
and says where to continue; the exit code is 130.

Larger than memory:
One operation over all elements, or over one column, folds files and pipes as they are read and keeps no elements,
unless --skip-nan or --backend cuda is given. So do several operations, except over .npy and raw files, which are
mapped and read in one pass.

Backend:
--backend takes precedence over the environment variable ONEFOLD_BACKEND, and that over the automatic choice.

Examples:
  onefold reduce sum data.npy                        the sum of an array
  onefold sum data.npy                               the same
  onefold reduce sum a.npy b.npy                     two files as one array
  onefold reduce mean --accuracy wide data.npy       with a more accurate state
  onefold reduce sum --backend tbb --threads 2 data.npy
  onefold reduce sum --backend cuda --accuracy kahan data.npy
  onefold reduce minmax --dtype f32 samples.bin      raw elements
  onefold reduce max --column 3 --header table.csv   a column of a table by position
  onefold reduce mean --column price table.csv       or by its name
  onefold reduce mean --column 2 --missing skip table.csv.gz
  onefold reduce sum,mean --column price,qty --by region table.csv
  onefold reduce sum arrays.npz:x                    one array of an archive
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
  return R"(A partial holds what is known about part of an array. onefold reduce --save-partial writes it: a few hundred
bytes if the part begins and ends at page borders (every 16 KiB of elements), at most 32 KiB more otherwise. Joined
partials give the bits of onefold reduce over all elements, however the array was cut and however the joins are grouped.

The elements of each file follow those of the file before it. Order-independent operations (min, count, integer sums,
...) and accuracy exact accept partials in any order, adjacent or not; argmin and argmax need adjacent ones, in any
order.

Without --save-partial the elements must begin at position 0, unless positions do not matter; otherwise it is an error.
With it, the result is printed if there is one. Damaged files and partials that do not fit together are errors
with exit code 3.

Examples:
  onefold reduce sum day1.npy --save-partial p          the sum, and a partial of it
  onefold reduce sum --partial p day2.npy               both days; day1.npy is not read again
  onefold reduce sum a.npy --save-partial a.p
  onefold reduce sum b.npy --begin 1000000 --save-partial b.p      a.npy has 1000000 elements
  onefold join a.p b.p                                  the sum of both, wherever each was reduced
  onefold join a.p b.p --save-partial ab.p
)";
}

std::string about_scan() {
  return R"(Each result is the reduction of all elements up to and including its own, with the bits of onefold reduce over
those elements alone; the last one is the reduction of the whole line. --exclusive leaves out each result's own element,
so that the first result is --init, or else the reduction of no elements; operations that have no such result, such as
min, need --init.

Files, text and tables are read as onefold reduce reads them (see onefold help reduce); --column reads one column of a
table. Elements are taken in C order.

Lines:
--axis 0 scans each line along the first axis separately; -1 is the last one. The results have the shape of the
array. Without --axis all elements form one line. --shape 100x200 gives raw elements and text a shape (C order); a
single .npy file has its own.

Accuracy:
native, wide and kahan, with the bounds of onefold reduce; exact for sums of integers, and for operations that do not
add (max, count, ...).

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
  return R"(Reduces each line of the array, then maps the line's elements with the result, with the same bits on every
backend:

  softmax, log_softmax    exp(x) over the sum of exp(x), without overflow; its logarithm
  logsumexp               log of the sum of exp(x), one result per line
  layer_norm              (x - mean) / sqrt(variance + eps), times weight, plus bias
  rms_norm                x / sqrt(mean of squares + eps), times weight
  normalize_l1, _l2       x / max(norm, eps): the sum of magnitudes; the root of the sum of squares
  normalize_max           x / max(largest magnitude, eps)
  standardize             (x - mean) / standard deviation of the population

Elements are f16, bf16, f32 or f64, and results have their type. Files, text and tables are read as onefold reduce reads
them (see onefold help reduce); --column reads one column of a table.

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
Written as by onefold reduce --axis; more than 1000 are abbreviated on a terminal. --output FILE.npy writes an array of
the data's type and shape, without the axis of the lines for logsumexp.

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

}  // namespace onefold::cli
