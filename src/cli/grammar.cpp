// The commands and options, each with its line of help.
#include "grammar.hpp"

#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "choices.hpp"
#include "help.hpp"
#include "lab/reference.hpp"
#include "measure/arena.hpp"
#include "report/chapter.hpp"

namespace onefold::cli {
namespace {

/// An option with one value, a word; given twice it is an error.
void add_word(CLI::App& app, const std::string& names, std::optional<std::string>& word, const std::string& help,
              const std::string& value) {
  app.add_option_function<std::string>(
         names, [&word](const std::string& w) { word = unmarked(w); }, help)
      ->type_name(value);
}

void add_format(CLI::App& app, std::string& format, const char* names = "text or json") {
  app.add_option("--format", format, fmt::format("{} (default: text)", names))->type_name("FORMAT");
}

std::string joined(std::span<const std::string_view> names) { return fmt::format("{}", fmt::join(names, " ")); }

/// How files are read.
void add_reading(CLI::App& app, arguments& a) {
  add_word(app, "--input", a.input, "Kind of the files: " + joined(input_format_names), "KIND");
  add_word(app, "--column", a.column,
           "Read column K (from 1) of CSV, TSV or blank-separated text; or the column of this name; several: K,..",
           "K");
  add_word(app, "--separator", a.separator,
           "Between columns: tab, comma, semicolon, blank or a character (default: what the first line has)", "NAME");
  app.add_flag("--header", a.header, "The first line of text holds names");
  add_word(app, "--missing", a.missing, "Missing values in text (default: error): " + joined(missing_rule_names),
           "RULE");
  add_word(app, "--integers", a.integers,
           "Integers in text that the type cannot hold (default: exact, an error): " + joined(integer_rule_names),
           "RULE");
}

/// The files of a command and how they are read.
void add_files(CLI::App& app, arguments& a) {
  app.add_option("FILE", a.files, "Files, read as one array in this order; - or none is standard input")->type_name("");
  add_word(app, "--dtype", a.dtype, "Type of raw elements or of numbers in text: " + joined(dtype_names()), "TYPE");
  add_reading(app, a);
}

/// The axes that are reduced.
void add_axes(CLI::App& app, arguments& a) {
  app.add_option("--axis", a.axes, "Axis to reduce over, from 0, or from the last, -1; repeat it for several, or 0,2")
      ->type_name("N,..")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_reduce(CLI::App& app, arguments& a, std::string& format) {
  CLI::App& reduce = *app.add_subcommand("reduce", "Reduce the numbers of files to one result, or over some axes");
  reduce.add_option("OP", a.operation, "Operation, or several, such as sum,mean: " + joined(operation_names()))
      ->required()
      ->type_name("");
  add_files(reduce, a);
  add_word(reduce, "--by", a.by, "Group lines by the key in column K; one result row per key", "K");
  add_axes(reduce, a);
  reduce.add_flag("--keep", a.keep, "Keep the reduced axes in the result, with one element each");
  add_word(reduce, "--shape", a.shape, "Shape of the array in raw elements or text, in C order", "NxM..");
  add_word(reduce, "-o,--output", a.output, "Write the results into this .npy file instead", "FILE");
  add_word(reduce, "--backend", a.backend, "Backend that computes: " + joined(backend_names()), "NAME");
  add_word(reduce, "--accuracy", a.accuracy, "Number type of the state: " + joined(accuracy_names()), "NAME");
  add_word(reduce, "--threads", a.threads, "Threads of a CPU backend", "N");
  add_word(reduce, "--isa", a.isa, "Instruction set: " + joined(isa_names()), "NAME");
  add_word(reduce, "--kernel", a.kernel, "Kernel of backend cuda: " + joined(kernel_names()), "NAME");
  add_word(reduce, "--device", a.device,
           "Device that backend cuda or automatic uses, from 0 (default: the current one)", "N");
  add_word(reduce, "--result", a.result, "Type of a rounded result: f32, f64, f16 or bf16", "TYPE");
  add_word(reduce, "--init", a.init, "Initial value, folded in last", "NUMBER");
  add_format(reduce, format);
  reduce.add_flag("--explain", a.explain, "Also say which backend ran, why, and how each file was read");
  reduce.footer(help_reduce());
}

void add_accuracy(CLI::App& app, arguments& a, std::string& format) {
  CLI::App& lab = *app.add_subcommand("accuracy", "Compare the accuracy of modes and backends on your data");
  add_files(lab, a);
  add_word(lab, "--op", a.op, "Operation (default: sum): " + joined(referenced_operations()), "OP");
  add_word(lab, "--data", a.data, "Built-in data sets instead of files: " + joined(data_set_names()), "NAME,..");
  add_word(lab, "--n", a.counts, "Elements of a data set (default: 1e6), or the first N of the files", "N,..");
  add_word(lab, "--seed", a.seed, "Seed of a data set (default: 1)", "N");
  add_word(lab, "--cond", a.condition, "Condition number of data set conditioned (default: 1e8)", "C,..");
  add_word(lab, "--backend", a.backend, "Backends (default: all that can run): " + joined(backend_names()), "NAME,..");
  add_word(lab, "--accuracy", a.accuracy, "Modes (default: all): " + joined(accuracy_names()), "NAME,..");
  add_word(lab, "--threads", a.threads, "Threads of a CPU backend", "N");
  add_word(lab, "--isa", a.isa, "Instruction set: " + joined(isa_names()), "NAME");
  add_format(lab, format, "text, json or csv");
  add_word(lab, "--plot", a.plot, "Also draw errors against condition number or n; FILE ends in .svg or .png", "FILE");
  lab.footer(help_accuracy());
}

void add_bench(CLI::App& app, arguments& a, std::string& format) {
  CLI::App& bench = *app.add_subcommand("bench", "Measure how fast reductions are on this machine");
  bench.add_option("FILE", a.files, "Files to reduce as one array, instead of data sets; - is standard input")
      ->type_name("");
  add_word(bench, "--op", a.op, "Operations (default: sum): " + joined(operation_names()), "NAME,..");
  add_word(bench, "--dtype", a.dtype, "Types of elements (default: f32): " + joined(dtype_names()), "TYPE,..");
  add_word(bench, "--n", a.counts, "Elements (default: 2^10..2^26:16)", "N,..");
  add_word(bench, "--shape", a.shape, "Extents of arrays in C order, instead of --n: 2^20x32,4096x4096", "NxM,..");
  add_axes(bench, a);
  add_word(bench, "--data", a.data, "Data sets (default: uniform; random integers): " + joined(data_set_names()),
           "NAME,..");
  add_word(bench, "--seed", a.seed, "Seed of the data (default: 1)", "N");
  add_word(bench, "--backend", a.backend, "Backends (default: all): " + joined(backend_names()), "NAME,..");
  add_word(bench, "--accuracy", a.accuracy, "Modes (default: native): " + joined(accuracy_names()), "NAME,..");
  add_word(bench, "--threads", a.threads, "Threads of CPU backends (default: each backend's own rule)", "N,..");
  add_word(bench, "--kernel", a.kernel, "Kernels of backend cuda (default: canonical): " + joined(kernel_names()),
           "NAME,..");
  add_word(bench, "--location", a.location,
           "Where backend cuda's data is (default: host): " + joined(measure::location_names), "NAME,..");
  add_word(bench, "--base", a.base, "Backend that speed-ups are against (default: sequential)", "NAME");
  add_word(bench, "--seconds", a.seconds, "Time for each row (default: 0.2); five samples are taken in any case", "S");
  add_reading(bench, a);
  bench.add_flag("--warm", a.warm, "Reduce the same array each time, so that caches may hold it");
  add_format(bench, format, "text, json (a line for each row) or csv");
  bench.footer(help_bench());
}

void add_report(CLI::App& app, arguments& a, std::string& format) {
  CLI::App& report =
      *app.add_subcommand("report", "Measure this machine as a whole, with tables and plots; compare reports");
  add_word(report, "-o,--output", a.output, "Write report.json, report.md and report.html into this folder", "DIR");
  report.add_flag("--quick", a.quick, "A minute (the default)");
  report.add_flag("--full", a.full, "Some minutes: more lengths, types and operations, and the presets");
  add_word(report, "--preset", a.preset, "One classic table: " + joined(preset_names()), "NAME");
  add_word(report, "--seconds", a.seconds, "Time for each row, in all its rounds (default: 0.15)", "S");
  add_word(report, "--largest", a.largest, "Leave out arrays of more elements", "N");
  add_word(report, "--peers", a.peers, "Add the page of peers.json, which scripts/bench-peers writes", "FILE");
  report.add_option("--compare", a.compare, "Say what changed between two report.json, and measure nothing")
      ->expected(2)
      ->type_name("BEFORE AFTER");
  add_word(report, "--tolerance", a.tolerance, "With --compare: changes below this share do not count (default: 0.05)",
           "X");
  add_format(report, format, "Of standard output, text (Markdown) or json");
  report.footer(help_report());
}

void add_calibrate(CLI::App& app, arguments& a, std::string& format) {
  CLI::App& calibrate = *app.add_subcommand("calibrate", "Measure this machine for the automatic choice of backends");
  calibrate.add_flag("--check", a.check, "Instead compare the automatic choice with every backend");
  calibrate.add_flag("--force", a.force, "Store figures of a busy machine too, marked as such");
  add_word(calibrate, "--output", a.output, "Where to store the profile (default: the user's cache folder)", "FILE");
  add_format(calibrate, format);
  calibrate.footer(help_calibrate());
}

void add_others(CLI::App& app, arguments& a, std::string& format) {
  CLI::App& backends = *app.add_subcommand("backends", "List the backends: whether each can run, and why not");
  add_format(backends, format);
  backends.footer(help_backends());
  CLI::App& operations = *app.add_subcommand("operations", "List the operations");
  add_format(operations, format);
  operations.footer(help_operations());
  CLI::App& completion = *app.add_subcommand("completion", "Print a script that completes command lines");
  completion.add_option("SHELL", a.shell, "bash")->required()->type_name("");
  completion.footer(help_completion());
  CLI::App& help = *app.add_subcommand("help", "Show the help of onefold, or of a command");
  help.add_option("COMMAND", a.command, "A command or an operation")->type_name("");
  help.footer(help_help());
}

}  // namespace

std::string unmarked(const std::string& word) { return word.starts_with(mark) ? word.substr(1) : word; }

void add_commands(CLI::App& app, arguments& a, std::string& format) {
  add_reduce(app, a, format);
  add_accuracy(app, a, format);
  add_bench(app, a, format);
  add_report(app, a, format);
  add_calibrate(app, a, format);
  add_others(app, a, format);
}

std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* o : command.get_options())
    for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<command_syntax> command_syntaxes() {
  CLI::App app;
  arguments unused;
  std::string format;
  add_commands(app, unused, format);
  std::vector<command_syntax> syntaxes;
  for (const CLI::App* command : app.get_subcommands({})) {
    command_syntax c{command->get_name(), {}, false};
    for (const CLI::Option* o : command->get_options()) {
      // A second file follows the first one of --compare without the option's name.
      c.takes_files = c.takes_files || o->get_name() == "FILE" || o->get_items_expected_max() == 2;
      const std::string value = o->get_items_expected_max() == 0 ? "" : o->get_type_name();
      for (const std::string& name : o->get_lnames()) c.options.push_back({"--" + name, value});
      for (const std::string& name : o->get_snames()) c.options.push_back({"-" + name, value});
    }
    syntaxes.push_back(std::move(c));
  }
  return syntaxes;
}

}  // namespace onefold::cli
