// The commands, each with its line of help.
#include "grammar.hpp"

#include <CLI/CLI.hpp>

#include "choices.hpp"
#include "commands.hpp"
#include "grammar/builder.hpp"
#include "output.hpp"

namespace onefold::cli {
namespace {

void add_list(builder& b, arguments&, std::string& format) { b.format(format); }

void add_completion(builder& b, arguments& a, std::string&) {
  b.argument("SHELL", a.shell, "The shell", {as_strings(shell_names)})->required();
}

void add_help(builder& b, arguments& a, std::string&) {
  std::vector<std::string> words = as_strings(command_names);
  for (const std::vector<std::string>& operations :
       {as_strings(scan_operation_names()), as_strings(row_operation_names()), as_strings(statistic_names())})
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
    {"join", "Join partials written by onefold reduce --save-partial into one result", add_join},
    {"summary", "Show the count, sum, mean, extremes and deviations of the numbers in files", add_summary},
    {"quantile", "Find the median of the numbers in files, or other quantiles", add_quantile},
    {"statistic", "Compute skewness, kurtosis and other statistics of the numbers in files", add_statistic},
    {"histogram", "Count the numbers in files that fall into each bin", add_histogram},
    {"scan", "Reduce every prefix of the numbers in files: running sums and the like", add_scan},
    {"rows", "Apply softmax, layer_norm and the like to each line of an array", add_rows},
    {"accuracy", "Compare the accuracy of modes and backends on your data", add_accuracy},
    {"bench", "Measure how fast reductions are on this machine", add_bench},
    {"report", "Measure this machine as a whole, with tables and plots; compare reports", add_report},
    {"calibrate", "Measure this machine for the automatic choice of a backend", add_calibrate},
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
