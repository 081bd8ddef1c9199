// The grammar of the command line (CLI11), its help texts, and its errors on one line.
#include "arguments.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "choices.hpp"
#include "help.hpp"
#include "lab/reference.hpp"
#include "measure/arena.hpp"
#include "onefold/version.hpp"
#include "output.hpp"
#include "report/chapter.hpp"

namespace onefold::cli {
namespace {

/// CLI11 2.1 splits a file name like [a,b], forgets what stands behind "--" in a command, and takes the next word as
/// the value of --option=. So those words get a mark in front on their way in (or as a value), and lose it on their way
/// out.
constexpr char mark = '\x01';

std::vector<std::string> marked(int count, const char* const* words) {
  std::vector<std::string> out;
  bool only_files = false;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (!only_files && word == "--")
      only_files = true;
    else if (only_files || word.starts_with('[') || word.starts_with(mark))
      out.push_back(mark + std::string(word));
    else if (word.starts_with("--") && word.find('=') == word.size() - 1)
      out.push_back(std::string(word) + mark);
    else
      out.emplace_back(word);
  }
  std::reverse(out.begin(), out.end());  // as CLI11 wants it
  return out;
}

std::string unmarked(const std::string& word) { return word.starts_with(mark) ? word.substr(1) : word; }

/// An option with one value, a word; given twice it is an error.
void add_word(CLI::App& app, const std::string& names, std::optional<std::string>& word, const std::string& help,
              const std::string& value) {
  app.add_option_function<std::string>(
         names, [&word](const std::string& w) { word = unmarked(w); }, help)
      ->type_name(value);
}

/// The names of the formats, in their order; csv is one of `onefold accuracy` and `onefold bench` only.
constexpr std::string_view format_names[] = {"text", "json", "csv"};

void add_format(CLI::App& app, std::string& format, const char* names = "text or json") {
  app.add_option("--format", format, fmt::format("{} (default: text)", names))->type_name("FORMAT");
}

std::string joined(std::span<const std::string_view> names) { return fmt::format("{}", fmt::join(names, " ")); }

/// The files of a command and how they are read.
void add_files(CLI::App& app, arguments& a) {
  app.add_option("FILE", a.files, "Files, read as one array in this order; - or none is standard input")->type_name("");
  add_word(app, "--dtype", a.dtype, "Type of raw elements or of numbers in text: " + joined(dtype_names()), "TYPE");
  add_word(app, "--input", a.input, "Kind of the files: " + joined(input_format_names), "KIND");
  add_word(app, "--column", a.column,
           "Read column K (from 1) of CSV, TSV or blank-separated text; or the column of this name", "K");
  add_word(app, "--separator", a.separator,
           "Between columns: tab, comma, semicolon, blank or a character (default: what the first line has)", "NAME");
  app.add_flag("--header", a.header, "The first line of a table holds names");
}

void add_reduce(CLI::App& app, arguments& a, std::string& format) {
  CLI::App& reduce = *app.add_subcommand("reduce", "Reduce the numbers of files to one result");
  reduce.add_option("OP", a.operation, "Operation: " + joined(operation_names()))->required()->type_name("");
  add_files(reduce, a);
  add_word(reduce, "--backend", a.backend, "Who does the work: " + joined(backend_names()), "NAME");
  add_word(reduce, "--accuracy", a.accuracy, "Number type of the state: " + joined(accuracy_names()), "NAME");
  add_word(reduce, "--threads", a.threads, "Threads of a CPU backend", "N");
  add_word(reduce, "--isa", a.isa, "Instruction set: " + joined(isa_names()), "NAME");
  add_word(reduce, "--kernel", a.kernel, "Kernel of backend cuda: " + joined(kernel_names()), "NAME");
  add_word(reduce, "--device", a.device, "Device of backend cuda, from 0 (default: the current one)", "N");
  add_word(reduce, "--result", a.result, "Type of a rounded result: f32, f64, f16 or bf16", "TYPE");
  add_word(reduce, "--init", a.init, "Initial value, folded in last", "NUMBER");
  add_format(reduce, format);
  reduce.add_flag("--explain", a.explain, "Also say who ran, why, and how each file was read");
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
  add_word(bench, "--op", a.op, "Operations (default: sum): " + joined(operation_names()), "NAME,..");
  add_word(bench, "--dtype", a.dtype, "Types of elements (default: f32): " + joined(dtype_names()), "TYPE,..");
  add_word(bench, "--n", a.counts, "Elements (default: 2^10..2^26:16)", "N,..");
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
  add_word(report, "--tolerance", a.tolerance, "With --compare: a change below this share is none (default: 0.05)",
           "X");
  add_format(report, format, "Of standard output, text (Markdown) or json");
  report.footer(help_report());
}

void add_calibrate(CLI::App& app, arguments& a, std::string& format) {
  CLI::App& calibrate = *app.add_subcommand("calibrate", "Measure this machine for the automatic choice of backends");
  calibrate.add_flag("--check", a.check, "Instead measure how good the automatic choice is: against every backend");
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
}

/// The long options of a command, with their dashes.
std::vector<std::string> option_names(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* o : app.get_options())
    for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
  return names;
}

/// The failure for a wrong use of a command's options, which CLI11 gives no name: twice, without a value, or a flag
/// with one; or else what it says itself.
failure misuse(CLI::App& command, std::span<const char* const> words, const CLI::ParseError& other) {
  std::vector<const CLI::Option*> seen;
  for (std::size_t i = 0; i < words.size() && std::string_view(words[i]) != "--"; ++i) {
    const std::string word = words[i], name = word.substr(0, word.find('='));
    const CLI::Option* option = name.starts_with('-') ? command.get_option_no_throw(name) : nullptr;
    if (option == nullptr) continue;
    const auto expected = static_cast<std::size_t>(option->get_items_expected_min());
    const std::size_t here = name.size() < word.size() ? 1 : 0;
    const auto wrong = [&](std::string_view what) {
      return failure(exit_code::wrong_usage, fmt::format("{}: {}: {}", command.get_name(), name, what));
    };
    if (expected == 0 && here != 0)
      return wrong(fmt::format("expected no value, found {}", in_quotes(word.substr(name.size() + 1))));
    if (expected == 0) continue;
    if (std::ranges::find(seen, option) != seen.end()) return wrong("given twice, expected once");
    seen.push_back(option);
    const std::size_t missing = expected - here;
    if (i + missing >= words.size())
      return wrong(fmt::format("expected {} behind it, found the end of the command line", option->get_type_name()));
    i += missing;
  }
  return {exit_code::wrong_usage, fmt::format("{}: {}", command.get_name(), other.what())};
}

/// The failure for words that the grammar has no place for.
failure unexpected(CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const std::vector<std::string> left = app.remaining(true);
  const std::string word = left.empty() ? "" : unmarked(left.front());
  if (chosen.empty() && std::ranges::find(command_names, word) != std::end(command_names))
    return {exit_code::wrong_usage, fmt::format("expected the command {} before --", word)};
  if (chosen.empty() && !word.starts_with('-')) return unknown_name("command", word, command_names);
  const std::vector<std::string> names = option_names(chosen.empty() ? app : *chosen.front());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string name = word.substr(0, word.find('='));
  if (!chosen.empty() && std::ranges::find(views, name) != views.end())
    return {exit_code::wrong_usage,
            fmt::format("{}: expected behind the command {}", name, chosen.front()->get_name())};
  if (word.starts_with('-')) return unknown_name("option", name, views);
  return {exit_code::wrong_usage,
          fmt::format("{}: unexpected argument {}", chosen.empty() ? "onefold" : chosen.front()->get_name(),
                      in_quotes(word))};
}

}  // namespace

std::optional<arguments> read_arguments(int count, const char* const* words) {
  CLI::App app("Reductions on every machine with the same answer.", "onefold");
  app.set_version_flag("--version", std::string("onefold ") + ONEFOLD_VERSION);
  app.require_subcommand(0, 1);
  app.footer(help_program());
  arguments a;
  std::string format = "text";
  add_reduce(app, a, format);
  add_accuracy(app, a, format);
  add_bench(app, a, format);
  add_report(app, a, format);
  add_calibrate(app, a, format);
  add_others(app, a, format);
  try {
    app.parse(marked(count, words));
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    write_output(chosen.empty() ? app.help() : chosen.front()->help("onefold"));
    return std::nullopt;
  } catch (const CLI::CallForVersion& v) {
    write_output(std::string(v.what()) + "\n");
    return std::nullopt;
  } catch (const CLI::ExtrasError&) {
    throw unexpected(app);
  } catch (const CLI::ParseError& e) {
    const auto chosen = app.get_subcommands();
    throw misuse(chosen.empty() ? app : *chosen.front(), std::span(words, static_cast<std::size_t>(count)).subspan(1),
                 e);
  }
  if (app.get_subcommands().empty())
    throw failure(exit_code::wrong_usage, "expected a command: " + joined(command_names) + " (see onefold --help)");
  a.command = app.get_subcommands().front()->get_name();
  const std::span formats = std::span(format_names).first(a.command == "accuracy" || a.command == "bench" ? 3 : 2);
  a.format = static_cast<output_format>(chosen_name("--format", unmarked(format), formats));
  a.operation = unmarked(a.operation);
  a.shell = unmarked(a.shell);
  for (std::string& f : a.files) f = unmarked(f);
  for (std::string& f : a.compare) f = unmarked(f);
  if (a.files.empty() && !a.data) a.files.emplace_back("-");
  if (std::ranges::count(a.files, "-") > 1)
    throw failure(exit_code::wrong_usage, "standard input (-) can be read once only");
  return a;
}

}  // namespace onefold::cli
