// The options of the commands that measure.
#include "choices.hpp"
#include "grammar/builder.hpp"
#include "measure/arena.hpp"
#include "report/chapter.hpp"

namespace onefold::cli {

void add_accuracy(builder& b, arguments& a, std::string& format) {
  b.files(a);
  b.group("Data sets");
  b.choice("--data", a.data, "Built-in data sets instead of files", "NAME,..", data_set_names());
  b.word("--n", a.counts, "Elements of a data set (default: 1e6), or the first N of the files", "N,..");
  b.word("--seed", a.seed, "Seed of a data set (default: 1)", "N");
  b.word("--cond", a.condition, "Condition number of data set conditioned (default: 1e8)", "C,..");
  b.group("Lines");
  b.word("--line", a.line, "Elements per line of a row operation (default: a file's last axis, else all)", "N,..");
  b.group("Computation");
  b.choice("--op", a.op, "Operation (default: sum)", "OP", examined_operation_names());
  b.choice("--backend", a.backend, "Backends (default: all that can run)", "NAME,..", backend_names());
  b.choice("--accuracy", a.accuracy, "Modes (default: all)", "NAME,..", accuracy_names());
  b.word("--threads", a.threads, "Number of threads of a CPU backend", "N");
  b.choice("--isa", a.isa, "Instruction set", "NAME", isa_names());
  b.group("Output");
  b.format(format, {"text", "json", "csv"});
  b.word("--plot", a.plot, "Also draw the errors; FILE ends in .svg or .png", "FILE");
}

void add_bench(builder& b, arguments& a, std::string& format) {
  b.argument("FILE", a.files, "Files to reduce as one array, instead of data sets; - is standard input");
  b.group("Rows");
  b.choice("--op", a.op, "Operations (default: sum)", "NAME,..", operation_names());
  b.choice("--dtype", a.dtype, "Types of elements (default: f32)", "TYPE,..", dtype_names());
  b.word("--n", a.counts, "Elements (default: 2^10..2^26:16)", "N,..");
  b.word("--shape", a.shape, "Extents of arrays in C order, instead of --n: 2^20x32,4096x4096", "NxM,..");
  b.axes(a);
  b.choice("--data", a.data, "Data sets (default: uniform; random integers)", "NAME,..", data_set_names());
  b.word("--seed", a.seed, "Seed of the data (default: 1)", "N");
  b.choice("--backend", a.backend, "Backends (default: all)", "NAME,..", backend_names());
  b.choice("--accuracy", a.accuracy, "Modes (default: native)", "NAME,..", accuracy_names());
  b.word("--threads", a.threads, "Threads of CPU backends (default: each backend's own rule)", "N,..");
  b.choice("--kernel", a.kernel, "Kernels of backend cuda (default: canonical)", "NAME,..", kernel_names());
  b.choice("--location", a.location, "Where backend cuda's data is (default: host)", "NAME,..",
           measure::location_names);
  b.group("Measurement");
  b.choice("--base", a.base, "Backend that speed-ups are relative to (default: sequential)", "NAME", backend_names());
  b.word("--seconds", a.seconds, "Time for each row (default: 0.2); five samples are taken in any case", "S");
  b.flag("--warm", a.warm, "Reduce the same array each time, so that caches may hold it");
  b.group("Input");
  b.reading(a);
  b.group("Output");
  b.format(format, {"text", "json", "csv"},
           "Format of the output (default: text); json and csv have a line for each row");
}

void add_report(builder& b, arguments& a, std::string& format) {
  b.group("Measurement");
  b.flag("--quick", a.quick, "Take about a minute (the default)");
  b.flag("--full", a.full, "Take some minutes: more lengths, types and operations, and the presets");
  b.choice("--preset", a.preset, "One classic table", "NAME", preset_names());
  b.word("--seconds", a.seconds, "Time for each row, in all its rounds (default: 0.15)", "S");
  b.word("--largest", a.largest, "Leave out arrays of more elements", "N");
  b.word("--peers", a.peers, "Add the page of peers.json, which scripts/bench-peers writes", "FILE");
  b.group("Comparison");
  b.pair("--compare", a.compare, "Compare two report.json files without measuring", "BEFORE AFTER");
  b.word("--tolerance", a.tolerance, "With --compare: changes below this share do not count (default: 0.05)", "X");
  b.group("Output");
  b.word("--from", a.from, "Redraw a stored report.json, or the page of peers.json, without measuring", "FILE");
  b.word("-o,--output", a.output, "Write report.json, .md and .html, and plots/, into this folder", "DIR");
  b.format(format, {"text", "json"}, "Format of standard output: text (Markdown, the default) or json");
}

void add_calibrate(builder& b, arguments& a, std::string& format) {
  b.group("Measurement");
  b.flag("--check", a.check, "Compare the automatic choice with every backend instead");
  b.flag("--force", a.force, "Store figures of a busy machine too, marked as such");
  b.group("Output");
  b.word("--output", a.output, "Where to store the profile (default: the user's cache folder)", "FILE");
  b.format(format);
}

}  // namespace onefold::cli
