// The commands of the program: each does its work, writes to standard output, and throws failure if it cannot.
#pragma once

#include "arguments.hpp"

namespace onefold::cli {

/// onefold reduce: reduces files to a result.
void run_reduce(const arguments& given);
/// onefold accuracy: the laboratory.
void run_accuracy(const arguments& given);
/// onefold bench: measures reductions.
void run_bench(const arguments& given);
/// onefold report: measures a machine as a whole, or compares two reports.
void make_report(const arguments& given);
/// onefold calibrate: measures the figures of automatic dispatch, or checks its choices.
void run_calibrate(const arguments& given);
/// onefold backends: who could do the work here.
void run_backends(const arguments& given);
/// onefold operations: the catalogue.
void run_operations(const arguments& given);
/// onefold completion: a script that completes command lines in a shell.
void run_completion(const arguments& given);

}  // namespace onefold::cli
