// The options of the commands that compute from files.
#include "choices.hpp"
#include "grammar/builder.hpp"

namespace onefold::cli {
namespace {

constexpr std::string_view float_names[] = {"f32", "f64", "f16", "bf16"};

/// What files without a shape of their own may need.
void add_shape(builder& b, arguments& a) {
  b.word("--shape", a.shape, "Shape of the array in raw elements or text, in C order", "NxM..");
}

/// What computes, and how.
void add_computation(builder& b, arguments& a) {
  b.group("Computation");
  b.choice("--backend", a.backend, "Backend that computes", "NAME", backend_names());
  b.choice("--accuracy", a.accuracy, "Number type of the state", "NAME", accuracy_names());
  b.word("--threads", a.threads, "Number of threads of a CPU backend", "N");
  b.choice("--isa", a.isa, "Instruction set", "NAME", isa_names());
  b.word("--device", a.device, "Device that backend cuda or automatic uses, from 0 (default: the current one)", "N");
  b.word("--devices", a.devices, "Devices that share a whole array: 0,1", "LIST");
}

/// What becomes of the state.
void add_results(builder& b, arguments& a, const char* about_init) {
  b.choice("--result", a.result, "Type of a rounded result", "TYPE", float_names);
  b.word("--init", a.init, about_init, "NUMBER");
}

void add_output(builder& b, arguments& a, std::string& format) {
  b.group("Output");
  b.word("-o,--output", a.output, "Write the results to this .npy file instead", "FILE");
  b.format(format);
  b.flag("--explain", a.explain, "Also say which backend ran, why, and how each file was read");
}

void add_save_partial(builder& b, arguments& a) {
  b.word("--save-partial", a.save_partial, "Write the partial to this file", "FILE");
}

}  // namespace

void add_reduce(builder& b, arguments& a, std::string& format) {
  b.argument("OP", a.operation, "Operation, or several, such as sum,mean", {as_strings(operation_names()), true})
      ->required();
  b.files(a);
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
  b.group("Computation");
  add_results(b, a, "Initial value, folded in last");
  b.group("Output");
  add_save_partial(b, a);
  b.format(format);
}

void add_summary(builder& b, arguments& a, std::string& format) {
  b.files(a);
  b.flag("--skip-nan", a.skip_nan, "Leave out elements that are NaN");
  add_computation(b, a);
  add_output(b, a, format);
}

void add_quantile(builder& b, arguments& a, std::string& format) {
  b.files(a);
  b.group("Quantiles");
  b.word("--at", a.at, "Quantiles, from 0 to 1 (default: 0.5, the median)", "Q,..");
  b.choice("--method", a.method, "How to interpolate between two elements (default: linear)", "NAME",
           quantile_method_names);
  b.flag("--skip-nan", a.skip_nan, "Leave out elements that are NaN");
  b.group("Computation");
  b.choice("--backend", a.backend, "CPU backend that computes", "NAME", backend_names());
  b.word("--threads", a.threads, "Number of threads", "N");
  add_output(b, a, format);
}

void add_statistic(builder& b, arguments& a, std::string& format) {
  b.argument("NAMES", a.operation, "Statistics, such as skewness or ptp,norm1 (default: all but norms, first and last)",
             {as_strings(statistic_names()), true});
  b.files(a);
  b.flag("--skip-nan", a.skip_nan, "Leave out elements that are NaN");
  b.group("Computation");
  b.choice("--backend", a.backend, "Backend that computes; cuda computes ptp and norms only", "NAME", backend_names());
  b.word("--threads", a.threads, "Number of threads of a CPU backend", "N");
  b.choice("--accuracy", a.accuracy, "Number type of the state", "NAME", accuracy_names());
  add_output(b, a, format);
}

void add_histogram(builder& b, arguments& a, std::string& format) {
  b.files(a);
  b.group("Bins");
  b.word("--bins", a.bins, "Number of bins, of equal width (default: 10)", "N");
  b.word("--range", a.range, "Lower and upper end of the bins (default: the smallest and the largest element)",
         "LOW,HIGH");
  b.word("--edges", a.edges, "Edges of all bins, instead of --bins and --range", "X,..");
  b.group("Computation");
  b.choice("--backend", a.backend, "Backend that computes", "NAME", backend_names());
  b.word("--threads", a.threads, "Number of threads of a CPU backend", "N");
  b.word("--device", a.device, "Device that backend cuda uses, from 0 (default: the current one)", "N");
  add_output(b, a, format);
}

void add_scan(builder& b, arguments& a, std::string& format) {
  b.argument("OP", a.operation, "Operation or verb, or several, such as sum,max",
             {as_strings(scan_operation_names()), true})
      ->required();
  b.files(a);
  b.group("Lines");
  b.axis(a, "Axis to scan along, from 0, or -1 for the last (default: all elements in one line)");
  b.flag("--exclusive", a.exclusive, "Leave out each result's own element");
  add_shape(b, a);
  add_computation(b, a);
  add_results(b, a, "Initial value that precedes each line");
  add_output(b, a, format);
}

void add_rows(builder& b, arguments& a, std::string& format) {
  b.argument("OP", a.operation, "Operation", {as_strings(row_operation_names())})->required();
  b.files(a, float_names);
  b.group("Lines");
  b.axis(a, "Axis of the lines, from 0, or -1 for the last (default: -1)");
  b.flag("--skip-nan", a.skip_nan, "Leave out elements that are NaN; their results are 0 (log_softmax: -inf)");
  add_shape(b, a);
  b.word("--eps", a.eps, "Small number that prevents division by 0 (default: 1e-5; normalize: 1e-12)", "X");
  b.word("--weight", a.weight, "layer_norm, rms_norm: file of factors, one per position along a line", "FILE");
  b.word("--bias", a.bias, "layer_norm: file of addends, one per position along a line", "FILE");
  add_computation(b, a);
  add_output(b, a, format);
}

}  // namespace onefold::cli
