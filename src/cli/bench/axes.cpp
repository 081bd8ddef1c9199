#include "bench/axes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "axis.hpp"
#include "bench/runner.hpp"
#include "choices.hpp"
#include "data/sets.hpp"
#include "input/source.hpp"
#include "onefold/detail/shape.hpp"
#include "onefold/reduce.hpp"
#include "output.hpp"
#include "resolve.hpp"

namespace onefold::cli {
namespace {

constexpr std::int64_t most_elements = std::int64_t{1} << 53;

std::vector<backend> all_backends() {
  std::vector<backend> all;
  for (const backend_info& b : backends()) all.push_back(b.backend);
  std::ranges::reverse(all);  // the base first
  return all;
}

measure::location chosen_location(const std::string& word) {
  return static_cast<measure::location>(chosen_name("--location", "location", word, measure::location_names));
}

std::vector<std::int64_t> chosen_range(std::string_view option, const std::string& word, std::int64_t most) {
  std::vector<std::int64_t> counts = chosen_counts(option, word, 2);
  for (const std::int64_t n : counts)
    if (n < 1 || n > most)
      throw failure(exit_code::wrong_usage,
                    fmt::format("{}: expected integers from 1 to {}, found {}", option, most, n));
  return counts;
}

/// The array of the files, of which the lengths are beginnings.
void take_files(axes& a, const arguments& given) {
  if (given.data || given.seed || given.shape)
    throw failure(exit_code::wrong_usage, "--data, --seed and --shape cannot be combined with files");
  announce_terminal(given.files);
  progress_counter counted;
  input_request request = chosen_input(given, 0);
  if (given.counts) request.needed = std::ranges::max(a.counts);
  a.file = std::make_shared<const loaded_array>(request, counted);
  if (request.layout.missing != missing_rule::error) a.missing = a.file->missing();
  a.elements = {a.file->type()};
  if (!given.counts) a.counts = {a.file->count()};
  const std::string name = shown_name(given.files.front());
  const std::int64_t most = std::ranges::max(a.counts);
  if (most < 1 || most > a.file->count())
    throw failure(exit_code::bad_data, fmt::format("{}: expected {} elements, found {}", name,
                                                   std::max<std::int64_t>(most, 1), a.file->count()));
}

/// The shapes, in place of lengths. One that does not have the axes is left out, but the only one, or the last, is an
/// error.
void take_shapes(axes& a, const arguments& given) {
  if (given.counts) throw failure(exit_code::wrong_usage, "--n and --shape cannot be combined");
  a.counts.clear();
  a.reduced = chosen_axes(given.axes);
  for (const std::string& word : split_at_commas(*given.shape)) {
    const std::vector<std::int64_t> shape = chosen_shape(word);
    std::int64_t n = 1;
    for (const std::int64_t extent : shape)
      if (__builtin_mul_overflow(n, extent, &n) || n < 1 || n > most_elements)
        throw unusable("--shape", "1 to 2^53 elements in all", word);
    try {
      problem unused;
      detail::make_problem(array_view<char>(nullptr, std::span(shape)).axes(), over_axes(a.reduced), &unused);
      a.shapes.push_back(shape);
    } catch (const error& e) {
      a.without.push_back({fmt::format("shape {}", fmt::join(shape, "x")), e.what(), e.code()});
    }
  }
  if (a.shapes.empty()) throw why_no_row(a.without);
}

/// Forced means forced: throws error where a backend that was asked for by its name cannot run.
void require(backend b) { static_cast<void>(plan<float, op::sum>(0, {.backend = b})); }

}  // namespace

double chosen_seconds(const std::string& word) { return chosen_number("--seconds", word, 0, 3600); }

axes chosen_axes(const arguments& given) {
  axes a;
  a.operations = chosen_list(std::optional(given.op.value_or("sum")), chosen_operation,
                             [] { return numbered<int>(0, operations::size); });
  if (given.files.empty())
    a.elements = chosen_list(std::optional(given.dtype.value_or("f32")), chosen_dtype,
                             [] { return numbered<dtype>(0, element_types::size); });
  a.counts = chosen_range("--n", given.counts.value_or("2^10..2^26:16"), most_elements);
  if (given.shape) take_shapes(a, given);
  if (!given.shape && !given.axes.empty()) throw failure(exit_code::wrong_usage, "--axis requires --shape");
  a.backends = chosen_list(given.backend, chosen_backend, all_backends);
  a.accuracies = chosen_list(std::optional(given.accuracy.value_or("native")), chosen_accuracy,
                             [] { return numbered<accuracy>(0, accuracy_count); });
  a.kernels = chosen_list(std::optional(given.kernel.value_or("canonical")), chosen_kernel, [] {
    return numbered<kernel>(static_cast<int>(kernel::canonical), static_cast<int>(kernel::coarsened) + 1);
  });
  a.locations = chosen_list(std::optional(given.location.value_or("host")), chosen_location,
                            [] { return numbered<measure::location>(0, measure::location_count); });
  a.base = given.base ? chosen_base(*given.base) : backend::sequential;
  if (given.backend && *given.backend != "all") std::ranges::for_each(a.backends, require);
  if (given.base) require(a.base);
  if (std::ranges::find(a.backends, a.base) == a.backends.end()) a.backends.insert(a.backends.begin(), a.base);
  if (given.data)
    for (const int set : chosen_list(given.data, chosen_data_set,
                                     [] { return numbered<int>(0, static_cast<int>(data::sets().size())); }))
      a.data.emplace_back(set);
  else
    a.data.emplace_back();
  if (given.threads)
    for (const std::int64_t t : chosen_range("--threads", *given.threads, detail::most_threads))
      a.threads.push_back(static_cast<int>(t));
  else
    a.threads.push_back(0);
  a.seed = given.seed ? chosen_seed(*given.seed) : 1;
  a.seconds = chosen_seconds(given.seconds.value_or("0.2"));
  a.warm = given.warm;
  if (!given.files.empty())
    take_files(a, given);
  else if (const char* const option = reading_option_given(given))
    throw failure(exit_code::wrong_usage, fmt::format("{} applies to files, but none is given", option));
  return a;
}

}  // namespace onefold::cli
