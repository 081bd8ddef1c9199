// The commands of the program: each does its work, writes to standard output, and throws failure if it cannot.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "arguments.hpp"

namespace onefold::cli {

/// onefold reduce: reduces files to a result.
void run_reduce(const arguments& given);
/// onefold summary: the statistics of files.
void run_summary(const arguments& given);
/// onefold quantile: the median, or other quantiles.
void run_quantile(const arguments& given);
/// onefold statistic: skewness, geometric_mean and their kin.
void run_statistic(const arguments& given);
/// onefold histogram: how many elements are in each bin.
void run_histogram(const arguments& given);
/// onefold scan: writes the results of all prefixes.
void run_scan(const arguments& given);
/// onefold join: joins partials.
void run_join(const arguments& given);
/// onefold rows: softmax, layer_norm and their kin.
void run_rows(const arguments& given);
/// onefold accuracy: the laboratory.
void run_accuracy(const arguments& given);
/// onefold bench: measures reductions.
void run_bench(const arguments& given);
/// onefold report: measures a machine as a whole, or compares two reports.
void make_report(const arguments& given);
/// onefold calibrate: measures the figures of automatic dispatch, or checks its choices.
void run_calibrate(const arguments& given);
/// onefold backends: which backends can run here.
void run_backends(const arguments& given);
/// onefold operations: the catalog.
void run_operations(const arguments& given);
/// onefold completion: a script that completes command lines in a shell.
void run_completion(const arguments& given);
/// onefold manual: the manual page.
void run_manual(const arguments& given);

/// The shells that a script can be printed for.
inline constexpr std::string_view shell_names[] = {"bash", "zsh", "fish"};

/// A command, and what runs it.
struct command {
  std::string_view name;
  void (*run)(const arguments&);
};

/// All commands. Nothing runs help: reading the arguments answers it.
inline constexpr command commands[] = {{"reduce", run_reduce},
                                       {"join", run_join},
                                       {"summary", run_summary},
                                       {"quantile", run_quantile},
                                       {"statistic", run_statistic},
                                       {"histogram", run_histogram},
                                       {"scan", run_scan},
                                       {"rows", run_rows},
                                       {"accuracy", run_accuracy},
                                       {"bench", run_bench},
                                       {"report", make_report},
                                       {"calibrate", run_calibrate},
                                       {"backends", run_backends},
                                       {"operations", run_operations},
                                       {"completion", run_completion},
                                       {"manual", run_manual},
                                       {"help", nullptr}};

/// Their names.
inline constexpr auto command_names = [] {
  std::array<std::string_view, std::size(commands)> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = commands[i].name;
  return names;
}();

}  // namespace onefold::cli
