// The commands and options, each with its line of help.
#include "grammar.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "choices.hpp"
#include "commands.hpp"
#include "measure/arena.hpp"
#include "output.hpp"
#include "report/chapter.hpp"

namespace onefold::cli {
namespace {

constexpr std::string_view result_names[] = {"f32", "f64", "f16", "bf16"};

/// Adds options to a command, under the group that was named last.
class builder {
 public:
  builder(CLI::App& command, choice_lists& choices) : command_(command), choices_(choices) {}

  void group(const char* name) { group_ = name; }

  /// An option with one value, a word; given twice it is an error.
  CLI::Option* word(const std::string& names, std::optional<std::string>& word, const std::string& help,
                    const std::string& value) {
    return command_
        .add_option_function<std::string>(
            names, [&word](const std::string& w) { word = unmarked(w); }, help)
        ->type_name(value)
        ->group(group_);
  }

  /// The same where it is one of these words, or several: value ends with ",..".
  void choice(const std::string& names, std::optional<std::string>& chosen, const std::string& help,
              const std::string& value, std::span<const std::string_view> words) {
    choices_[word(names, chosen, help, value)] = {{words.begin(), words.end()}, value.ends_with(",..")};
  }

  void flag(const std::string& name, bool& given, const std::string& help) {
    command_.add_flag(name, given, help)->group(group_);
  }

  /// What stands without an option's name, and the words that it is one of, if it is.
  template <class Value>
  CLI::Option* argument(const std::string& name, Value& value, const std::string& help, word_choices words = {}) {
    CLI::Option* option = command_.add_option(name, value, help)->type_name("");
    if (!words.words.empty()) choices_[option] = std::move(words);
    return option;
  }

  /// The axes that are reduced.
  void axes(arguments& a) {
    axis(a, "Axis to reduce over, from 0, or from the last, -1; repeat it for several, or 0,2")
        ->type_name("N,..")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }

  /// An axis.
  CLI::Option* axis(arguments& a, const char* help) {
    return command_.add_option("--axis", a.axes, help)
        ->type_name("N")
        ->expected(1)
        ->allow_extra_args(false)
        ->group(group_);
  }

  /// The form of what is written to standard output.
  void format(std::string& word, std::vector<std::string> words = {"text", "json"},
              const char* help = "Form of the output (default: text)") {
    choices_[command_.add_option("--format", word, help)->type_name("FORMAT")->group(group_)] = {std::move(words)};
  }

  /// Two files.
  void pair(const std::string& name, std::vector<std::string>& files, const std::string& help,
            const std::string& value) {
    command_.add_option(name, files, help)->expected(2)->type_name(value)->group(group_);
  }

 private:
  CLI::App& command_;
  choice_lists& choices_;
  std::string group_ = "Options";
};

std::vector<std::string> as_strings(std::span<const std::string_view> names) { return {names.begin(), names.end()}; }

/// How files are read.
void add_reading(builder& b, arguments& a) {
  std::vector<std::string_view> separators;
  for (const named_separator& s : named_separators) separators.push_back(s.name);
  b.choice("--input", a.input, "Kind of the files", "KIND", input_format_names);
  b.word("--column", a.column,
         "Read column K (from 1) of CSV, TSV or blank-separated text; or the column of this name; several: K,..", "K");
  b.choice("--separator", a.separator, "Between columns: a character or a name (default: what the first line has)",
           "NAME", separators);
  b.flag("--header", a.header, "The first line of text holds names");
  b.choice("--missing", a.missing, "Missing values in text (default: error)", "RULE", missing_rule_names);
  b.choice("--integers", a.integers, "Integers in text that the type cannot hold (default: exact, an error)", "RULE",
           integer_rule_names);
}

/// The files of a command and how they are read.
void add_files(builder& b, arguments& a) {
  b.argument("FILE", a.files, "Files, read as one array in this order; - or none is standard input");
  b.group("Input");
  b.choice("--dtype", a.dtype, "Type of raw elements or of numbers in text", "TYPE", dtype_names());
  add_reading(b, a);
}

/// What files without a shape of their own may need.
void add_shape(builder& b, arguments& a) {
  b.word("--shape", a.shape, "Shape of the array in raw elements or text, in C order", "NxM..");
}

/// Which CPU backend computes.
void add_cpu(builder& b, arguments& a) {
  b.group("Computation");
  b.choice("--backend", a.backend, "CPU backend that computes", "NAME", backend_names());
  b.word("--threads", a.threads, "Threads", "N");
}

/// What computes, and how.
void add_computation(builder& b, arguments& a) {
  b.group("Computation");
  b.choice("--backend", a.backend, "Backend that computes", "NAME", backend_names());
  b.choice("--accuracy", a.accuracy, "Number type of the state", "NAME", accuracy_names());
  b.word("--threads", a.threads, "Threads of a CPU backend", "N");
  b.choice("--isa", a.isa, "Instruction set", "NAME", isa_names());
  b.word("--device", a.device, "Device that backend cuda or automatic uses, from 0 (default: the current one)", "N");
}

/// What becomes of the state.
void add_results(builder& b, arguments& a, const char* about_init) {
  b.choice("--result", a.result, "Type of a rounded result", "TYPE", result_names);
  b.word("--init", a.init, about_init, "NUMBER");
}

void add_output(builder& b, arguments& a, std::string& format) {
  b.group("Output");
  b.word("-o,--output", a.output, "Write the results into this .npy file instead", "FILE");
  b.format(format);
  b.flag("--explain", a.explain, "Also say which backend ran, why, and how each file was read");
}

void add_save_partial(builder& b, arguments& a) {
  b.word("--save-partial", a.save_partial, "Write the partial into this file", "FILE");
}

void add_reduce(builder& b, arguments& a, std::string& format) {
  b.argument("OP", a.operation, "Operation, or several, such as sum,mean", {as_strings(operation_names()), true})
      ->required();
  add_files(b, a);
  b.word("--partial", a.partial, "Continue the reduction whose partial this file holds", "FILE");
  b.word("--begin", a.begin, "Position of the first element in the array that the files are a part of", "N");
  b.group("Axes and groups");
  b.axes(a);
  b.flag("--keep", a.keep, "Keep the reduced axes in the result, with one element each");
  b.flag("--skip-nan", a.skip_nan, "Leave out elements that are NaN");
  add_shape(b, a);
  b.word("--by", a.by, "Group lines by the key in column K; one result row per key", "K");
  add_computation(b, a);
  b.choice("--kernel", a.kernel, "Kernel of backend cuda", "NAME", kernel_names());
  add_results(b, a, "Initial value, folded in last");
  add_output(b, a, format);
  add_save_partial(b, a);
}

void add_join(builder& b, arguments& a, std::string& format) {
  b.argument("FILE", a.files, "Partials, in the order of their elements")->required();
  add_results(b, a, "Initial value, folded in last");
  add_save_partial(b, a);
  b.format(format);
}

void add_summary(builder& b, arguments& a, std::string& format) {
  add_files(b, a);
  b.flag("--skip-nan", a.skip_nan, "Leave out elements that are NaN");
  add_computation(b, a);
  add_output(b, a, format);
}

void add_quantile(builder& b, arguments& a, std::string& format) {
  add_files(b, a);
  b.group("Quantiles");
  b.word("--at", a.at, "Quantiles, from 0 to 1 (default: 0.5, the median)", "Q,..");
  b.choice("--method", a.method, "What is between two elements (default: linear)", "NAME", quantile_method_names);
  b.flag("--skip-nan", a.skip_nan, "Leave out elements that are NaN");
  add_cpu(b, a);
  add_output(b, a, format);
}

void add_histogram(builder& b, arguments& a, std::string& format) {
  add_files(b, a);
  b.group("Bins");
  b.word("--bins", a.bins, "How many bins of equal widths (default: 10)", "N");
  b.word("--range", a.range, "From where to where (default: the smallest and the largest element)", "LOW,HIGH");
  b.word("--edges", a.edges, "Instead the edges of all bins", "X,..");
  add_cpu(b, a);
  add_output(b, a, format);
}

void add_scan(builder& b, arguments& a, std::string& format) {
  b.argument("OP", a.operation, "Operation, or several, such as sum,max; or a verb: cumsum, cumprod, cummin, cummax",
             {as_strings(scan_operation_names()), true})
      ->required();
  add_files(b, a);
  b.group("Lines");
  b.axis(a, "Axis to scan along, from 0, or from the last, -1 (default: all elements in one line)");
  b.flag("--exclusive", a.exclusive, "Leave a result's own element out of it");
  add_shape(b, a);
  add_computation(b, a);
  add_results(b, a, "Initial value that precedes each line");
  add_output(b, a, format);
}

void add_rows(builder& b, arguments& a, std::string& format) {
  b.argument("OP", a.operation, "Operation", {as_strings(row_operation_names())})->required();
  add_files(b, a);
  b.group("Lines");
  b.axis(a, "Axis of the lines, from 0, or from the last, -1 (default: -1)");
  b.flag("--skip-nan", a.skip_nan, "Leave out elements that are NaN; their results are 0, of log_softmax -inf");
  add_shape(b, a);
  b.word("--eps", a.eps, "Guards against division by 0 (default: 1e-5; normalize: 1e-12)", "X");
  b.word("--weight", a.weight, "layer_norm, rms_norm: file of factors, one per position along a line", "FILE");
  b.word("--bias", a.bias, "layer_norm: file of addends, one per position along a line", "FILE");
  add_computation(b, a);
  add_output(b, a, format);
}

void add_accuracy(builder& b, arguments& a, std::string& format) {
  add_files(b, a);
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
  b.word("--threads", a.threads, "Threads of a CPU backend", "N");
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
  b.choice("--base", a.base, "Backend that speed-ups are against (default: sequential)", "NAME", backend_names());
  b.word("--seconds", a.seconds, "Time for each row (default: 0.2); five samples are taken in any case", "S");
  b.flag("--warm", a.warm, "Reduce the same array each time, so that caches may hold it");
  b.group("Input");
  add_reading(b, a);
  b.group("Output");
  b.format(format, {"text", "json", "csv"},
           "Form of the output (default: text); json and csv have a line for each row");
}

void add_report(builder& b, arguments& a, std::string& format) {
  b.group("Measurement");
  b.flag("--quick", a.quick, "A minute (the default)");
  b.flag("--full", a.full, "Some minutes: more lengths, types and operations, and the presets");
  b.choice("--preset", a.preset, "One classic table", "NAME", preset_names());
  b.word("--seconds", a.seconds, "Time for each row, in all its rounds (default: 0.15)", "S");
  b.word("--largest", a.largest, "Leave out arrays of more elements", "N");
  b.word("--peers", a.peers, "Add the page of peers.json, which scripts/bench-peers writes", "FILE");
  b.group("Comparison");
  b.pair("--compare", a.compare, "Say what changed between two report.json, and measure nothing", "BEFORE AFTER");
  b.word("--tolerance", a.tolerance, "With --compare: changes below this share do not count (default: 0.05)", "X");
  b.group("Output");
  b.word("--from", a.from, "Draw the report of a stored report.json again, and measure nothing", "FILE");
  b.word("-o,--output", a.output, "Write report.json, .md and .html, and plots/, into this folder", "DIR");
  b.format(format, {"text", "json"}, "Of standard output, text (Markdown) or json (default: text)");
}

void add_calibrate(builder& b, arguments& a, std::string& format) {
  b.flag("--check", a.check, "Instead compare the automatic choice with every backend");
  b.flag("--force", a.force, "Store figures of a busy machine too, marked as such");
  b.word("--output", a.output, "Where to store the profile (default: the user's cache folder)", "FILE");
  b.format(format);
}

void add_list(builder& b, arguments&, std::string& format) { b.format(format); }

void add_completion(builder& b, arguments& a, std::string&) {
  b.argument("SHELL", a.shell, "The shell", {as_strings(shell_names)})->required();
}

void add_help(builder& b, arguments& a, std::string&) {
  std::vector<std::string> words = as_strings(command_names);
  for (const std::vector<std::string>& operations :
       {as_strings(scan_operation_names()), as_strings(row_operation_names())})
    words.insert(words.end(), operations.begin(), operations.end());
  b.argument("COMMAND", a.command, "A command or an operation", {std::move(words)});
}

void add_nothing(builder&, arguments&, std::string&) {}

/// A command's summary, and what adds its options.
struct described_command {
  const char* name;
  const char* summary;
  void (*add)(builder&, arguments&, std::string&);
};

constexpr described_command described[] = {
    {"reduce", "Reduce the numbers in files to one result, or over some axes", add_reduce},
    {"join", "Join partials that onefold reduce --save-partial wrote, to their result", add_join},
    {"summary", "Count the numbers in files, and their sum, mean, extremes and deviations", add_summary},
    {"quantile", "Find the median of the numbers in files, or other quantiles", add_quantile},
    {"histogram", "Count how many of the numbers in files are in each bin", add_histogram},
    {"scan", "Reduce every prefix of the numbers in files: running sums and the like", add_scan},
    {"rows", "Apply softmax, layer_norm and the like to each line of an array", add_rows},
    {"accuracy", "Compare the accuracy of modes and backends on your data", add_accuracy},
    {"bench", "Measure how fast reductions are on this machine", add_bench},
    {"report", "Measure this machine as a whole, with tables and plots; compare reports", add_report},
    {"calibrate", "Measure this machine for the automatic choice of backends", add_calibrate},
    {"backends", "List the backends: whether each can run, and why not", add_list},
    {"operations", "List the operations", add_list},
    {"completion", "Print a script that completes command lines in a shell", add_completion},
    {"manual", "Print the manual page, as man reads it", add_nothing},
    {"help", "Show the help of onefold, or of a command", add_help}};
static_assert(std::size(described) == std::size(commands));

}  // namespace

std::string unmarked(const std::string& word) { return word.starts_with(mark) ? word.substr(1) : word; }

void add_commands(CLI::App& app, arguments& a, std::string& format, choice_lists& choices) {
  const auto add_color = [&](builder& b) {
    b.choice("--color", a.color, "Color of error messages (default: auto, on a terminal without NO_COLOR)", "WHEN",
             color_names);
  };
  builder top(app, choices);
  add_color(top);
  for (const described_command& d : described) {
    builder b(*app.add_subcommand(d.name, d.summary), choices);
    d.add(b, a, format);
    add_color(b);
  }
}

std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* o : command.get_options())
    for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
  return names;
}

}  // namespace onefold::cli
